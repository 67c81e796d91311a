/* Which file is it? For what is loaded before the C library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Whether a path ends as this variable says. */
static int path_ends_as(const char *path, const char *variable) {
    const char *end = getenv(variable);
    size_t length = strlen(path), least = end ? strlen(end) : length + 1;
    return length >= least && strcmp(path + length - least, end) == 0;
}

/* Whether the path of an open file ends so. */
static int ends_as(int fd, const char *variable) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return path_ends_as(path, variable);
}
