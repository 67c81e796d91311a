/* A disk that fails, for the tests: loaded before the C library, it lets system calls on one file fail.
 *
 * FAULT_FILE   how its path ends
 * FAULT_CALL   fdatasync, pwrite, write or pread: it fails with EIO; full: a pwrite fails with ENOSPC; half: a pwrite fails when half is
 *              written; short: a pwrite writes half and says so, slow: a fdatasync takes a second, late: a fsync does, held: a fsync ends only
 *              when FAULT_ARMED is gone, and there is a file with .held behind that name once it has begun, which are no failures;
 *              open: it is not opened, since too many files are (EMFILE)
 * FAULT_ARMED  a file; while it is there, faults happen
 * FAULT_SKIP   how many calls still succeed after that
 * FAULT_TIMES  how many calls fail then
 * FAULT_THREAD the name of the thread whose calls these are; every thread's if it is not set
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/prctl.h>

#include "file.h"

static atomic_long calls;

static int is_wanted(const char *call) {
    const char *wanted = getenv("FAULT_CALL");
    return wanted && strcmp(wanted, call) == 0;
}

/* Whether this call on the file is to fail. */
static int is_due(void) {
    const char *armed = getenv("FAULT_ARMED");
    if (!armed || access(armed, F_OK) != 0) return 0;
    long skip = atol(getenv("FAULT_SKIP")), times = atol(getenv("FAULT_TIMES"));
    long call_number = atomic_fetch_add(&calls, 1);
    return call_number >= skip && call_number < skip + times;
}

/* Whether the thread that calls is the one. */
static int is_meant(void) {
    const char *wanted = getenv("FAULT_THREAD");
    char name[16];
    return !wanted || (prctl(PR_GET_NAME, name) == 0 && strcmp(name, wanted) == 0);
}

static int fails(const char *call, int fd) {
    return is_wanted(call) && is_meant() && ends_as(fd, "FAULT_FILE") && is_due();
}

int open64(const char *path, int flags, ...) {
    static int (*real)(const char *, int, ...);
    if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    if (is_wanted("open") && path_ends_as(path, "FAULT_FILE") && is_due()) {
        errno = EMFILE;
        return -1;
    }
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return real(path, flags, mode);
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    if (fails("fdatasync", fd)) {
        errno = EIO;
        return -1;
    }
    if (fails("slow", fd)) sleep(1);
    return real(fd);
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (fails("late", fd)) sleep(1);
    if (fails("held", fd)) {
        const char *armed = getenv("FAULT_ARMED");
        char held[4096];
        snprintf(held, sizeof held, "%s.held", armed);
        close(creat(held, 0600));
        while (access(armed, F_OK) == 0) usleep(10000);
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
    if (fails("full", fd)) {
        errno = ENOSPC;
        return -1;
    }
    if (fails("short", fd)) return real(fd, bytes, (length + 1) / 2, at);
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

ssize_t write(int fd, const void *bytes, size_t length) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (fails("write", fd)) {
        errno = EIO;
        return -1;
    }
    return real(fd, bytes, length);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t at) {
    static ssize_t (*real)(int, void *, size_t, off64_t);
    if (!real) real = (ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
    if (fails("pread", fd)) {
        errno = EIO;
        return -1;
    }
    return real(fd, bytes, length, at);
}

ssize_t pread(int fd, void *bytes, size_t length, off_t at) {
    return pread64(fd, bytes, length, at);
}
