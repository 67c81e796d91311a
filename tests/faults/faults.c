/* A disk that fails, for the tests: loaded before the C library, it lets system calls on the log's file fail.
 *
 * FAULT_CALL   fdatasync, pwrite, or half: a pwrite of which half is written before it fails
 * FAULT_ARMED  a file; while it is there, faults happen
 * FAULT_SKIP   how many calls still succeed after that
 * FAULT_TIMES  how many calls fail then
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static int is_log(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 7) return 0;
    path[length] = 0;
    return strcmp(path + length - 7, "/log/db") == 0;
}

static int fails(const char *call, int fd) {
    const char *wanted = getenv("FAULT_CALL"), *armed = getenv("FAULT_ARMED");
    if (!wanted || !armed || strcmp(wanted, call) != 0 || !is_log(fd)) return 0;
    if (access(armed, F_OK) != 0) return 0;
    long skip = atol(getenv("FAULT_SKIP")), times = atol(getenv("FAULT_TIMES"));
    long call_number = atomic_fetch_add(&calls, 1);
    return call_number >= skip && call_number < skip + times;
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    if (fails("fdatasync", fd)) {
        errno = EIO;
        return -1;
    }
    return real(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    if (fails("pwrite", fd)) {
        errno = EIO;
        return -1;
    }
    if (fails("half", fd)) {
        real(fd, bytes, length / 2, at);
        errno = EIO;
        return -1;
    }
    return real(fd, bytes, length, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return pwrite64(fd, bytes, length, at);
}
