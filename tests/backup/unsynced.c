/* A disk that does not sync a folder any more once something is there, for the tests: loaded before the C library, it lets fsync fail with EIO.
 *
 * UNSYNCED_FOLDER  how the path of the folder ends
 * UNSYNCED_SINCE   the path of what must be there
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>

#include "../faults/file.h"

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    const char *since = getenv("UNSYNCED_SINCE");
    if (since && access(since, F_OK) == 0 && ends_as(fd, "UNSYNCED_FOLDER")) {
        errno = EIO;
        return -1;
    }
    return real(fd);
}
