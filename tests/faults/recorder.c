/* What the program writes into its folder, for the tests: loaded before the C library, it notes every call that changes a file there, with
 * all bytes and in the order in which they took effect; each sync where it began and where it ended; and, before they are sent, answers 201
 * and messages of streams.
 *
 * RECORD_FOLDER  the folder, as the system names it
 * RECORD_LOG     the file of the notes, which is continued; each is kind(1) number(8) length of path(4) length of bytes(4) path bytes
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name, result, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Held over a call and its note, so that the notes have the order of the calls. */
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int notes = -1;
static uint64_t syncs;

static void put(const void *bytes, size_t length) {
    while (length) {
        ssize_t written = syscall(SYS_write, notes, bytes, length);
        if (written <= 0) abort();
        bytes = (const char *)bytes + written;
        length -= written;
    }
}

static void note(char kind, uint64_t number, const char *path, const void *bytes, size_t length) {
    const char *log = getenv("RECORD_LOG");
    if (!log) return;
    if (notes < 0) notes = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    uint32_t lengths[2] = {strlen(path), length};
    put(&kind, 1);
    put(&number, sizeof number);
    put(lengths, sizeof lengths);
    put(path, lengths[0]);
    put(bytes, length);
}

/* The path below the folder, or none. */
static const char *below(const char *path) {
    const char *folder = getenv("RECORD_FOLDER");
    if (!folder) return 0;
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0) return 0;
    if (path[length] == 0) return "";
    return path[length] == '/' ? path + length + 1 : 0;
}

static const char *of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, 4095);
    if (length < 1 || path[0] != '/') return 0;
    path[length] = 0;
    return below(path);
}

static int opened(const char *path, int flags, mode_t mode, int (*real)(const char *, int, ...)) {
    const char *name = below(path);
    if (!name || !(flags & (O_CREAT | O_TRUNC))) return real(path, flags, mode);
    pthread_mutex_lock(&order);
    struct stat stat_of;
    int was = stat(path, &stat_of) == 0;
    int fd = real(path, flags, mode), error = errno;
    if (fd >= 0 && !was) note('c', 0, name, "", 0);
    if (fd >= 0 && was && (flags & O_TRUNC)) note('t', 0, name, "", 0);
    pthread_mutex_unlock(&order);
    errno = error;
    return fd;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(#name, int, const char *, int, ...); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        return opened(path, flags, mode, real); \
    }
OPEN(open)
OPEN(open64)

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    REAL("pwrite64", ssize_t, int, const void *, size_t, off64_t);
    char path[4096];
    const char *name = of(fd, path);
    if (!name) return real(fd, bytes, length, at);
    pthread_mutex_lock(&order);
    ssize_t written = real(fd, bytes, length, at);
    int error = errno;
    if (written > 0) note('w', at, name, bytes, written);
    pthread_mutex_unlock(&order);
    errno = error;
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    return pwrite64(fd, bytes, length, at);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL("write", ssize_t, int, const void *, size_t);
    char path[4096];
    const char *name = of(fd, path);
    if (!name) return real(fd, bytes, length);
    pthread_mutex_lock(&order);
    struct stat stat_of;
    int appends = fcntl(fd, F_GETFL) & O_APPEND;
    uint64_t at = appends && fstat(fd, &stat_of) == 0 ? stat_of.st_size : lseek(fd, 0, SEEK_CUR);
    ssize_t written = real(fd, bytes, length);
    int error = errno;
    if (written > 0) note('w', at, name, bytes, written);
    pthread_mutex_unlock(&order);
    errno = error;
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL("writev", ssize_t, int, const struct iovec *, int);
    char path[4096];
    if (!of(fd, path)) return real(fd, parts, count);
    ssize_t all = 0;
    for (int part = 0; part < count; part++) {
        ssize_t written = write(fd, parts[part].iov_base, parts[part].iov_len);
        if (written < 0) return all ? all : written;
        all += written;
        if ((size_t)written < parts[part].iov_len) break;
    }
    return all;
}

static int length_of(const char *call, int fd, off64_t length) {
    int (*real)(int, off64_t) = (int (*)(int, off64_t))dlsym(RTLD_NEXT, call);
    char path[4096];
    const char *name = of(fd, path);
    pthread_mutex_lock(&order);
    int failed = real(fd, length), error = errno;
    if (!failed && name) note('t', length, name, "", 0);
    pthread_mutex_unlock(&order);
    errno = error;
    return failed;
}

int ftruncate64(int fd, off64_t length) { return length_of("ftruncate64", fd, length); }
int ftruncate(int fd, off_t length) { return length_of("ftruncate", fd, length); }

/* Space that is reserved makes a file longer, unless that is not wanted. Returns what `allocate` does. */
static int reserved(int fd, int mode, off64_t at, off64_t length) {
    REAL("fallocate64", int, int, int, off64_t, off64_t);
    char path[4096];
    const char *name = of(fd, path);
    pthread_mutex_lock(&order);
    int failed = real(fd, mode, at, length), error = errno;
    if (!failed && name && mode == 0) note('l', at + length, name, "", 0);
    pthread_mutex_unlock(&order);
    errno = error;
    return failed;
}

int fallocate64(int fd, int mode, off64_t at, off64_t length) { return reserved(fd, mode, at, length); }
int fallocate(int fd, int mode, off_t at, off_t length) { return reserved(fd, mode, at, length); }
int posix_fallocate64(int fd, off64_t at, off64_t length) { return reserved(fd, 0, at, length) ? errno : 0; }
int posix_fallocate(int fd, off_t at, off_t length) { return reserved(fd, 0, at, length) ? errno : 0; }

/* What was written before a sync began is on disk when it has ended. `sync_file_range` promises nothing, so nothing is noted of it. */
static int synced(int fd, int (*real)(int)) {
    char path[4096];
    const char *name = of(fd, path);
    if (!name) return real(fd);
    pthread_mutex_lock(&order);
    uint64_t number = ++syncs;
    note('b', number, name, "", 0);
    pthread_mutex_unlock(&order);
    int failed = real(fd), error = errno;
    pthread_mutex_lock(&order);
    if (!failed) note('e', number, name, "", 0);
    pthread_mutex_unlock(&order);
    errno = error;
    return failed;
}

int fsync(int fd) {
    REAL("fsync", int, int);
    return synced(fd, real);
}

int fdatasync(int fd) {
    REAL("fdatasync", int, int);
    return synced(fd, real);
}

int rename(const char *from, const char *to) {
    REAL("rename", int, const char *, const char *);
    const char *name = below(from), *other = below(to);
    pthread_mutex_lock(&order);
    int failed = real(from, to), error = errno;
    if (!failed && name && other) note('r', 0, name, other, strlen(other));
    pthread_mutex_unlock(&order);
    errno = error;
    return failed;
}

static int named(const char *path, char kind, int failed) {
    int error = errno;
    const char *name = below(path);
    if (!failed && name) note(kind, 0, name, "", 0);
    pthread_mutex_unlock(&order);
    errno = error;
    return failed;
}

int unlink(const char *path) {
    REAL("unlink", int, const char *);
    pthread_mutex_lock(&order);
    return named(path, 'u', real(path));
}

int mkdir(const char *path, mode_t mode) {
    REAL("mkdir", int, const char *, mode_t);
    pthread_mutex_lock(&order);
    return named(path, 'm', real(path, mode));
}

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
    REAL("send", ssize_t, int, const void *, size_t, int);
    int is_answer = length > 12 && memcmp(bytes, "HTTP/1.1 201", 12) == 0;
    if (is_answer || memmem(bytes, length, "\ndata: ", 7)) {
        pthread_mutex_lock(&order);
        note('a', 0, "", bytes, length);
        pthread_mutex_unlock(&order);
    }
    return real(fd, bytes, length, flags);
}
