/* A disk with one sector that cannot be read, for the tests: loaded before the C library, it lets reads of it fail with EIO.
 *
 * UNREADABLE_FILE  how the path of the file ends
 * UNREADABLE_AT    where the sector begins, a multiple of 4096
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>

#include "../faults/file.h"

ssize_t read(int fd, void *buffer, size_t count) {
    static ssize_t (*real)(int, void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "read");
    if (!ends_as(fd, "UNREADABLE_FILE")) return real(fd, buffer, count);
    off_t bad = atol(getenv("UNREADABLE_AT")), at = lseek(fd, 0, SEEK_CUR);
    if (at >= bad && at < bad + 4096) {
        errno = EIO;
        return -1;
    }
    if (at < bad && at + (off_t)count > bad) count = bad - at;
    return real(fd, buffer, count);
}
