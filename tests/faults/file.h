/* Which file is it? For what is loaded before the C library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Whether the path of an open file ends as this variable says. */
static int ends_as(int fd, const char *variable) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const char *end = getenv(variable);
    ssize_t length = readlink(link, path, sizeof path - 1), least = end ? strlen(end) : sizeof path;
    if (length < least) return 0;
    path[length] = 0;
    return strcmp(path + length - least, end) == 0;
}
