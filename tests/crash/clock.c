/* A clock that was set: adds MUNINN_CLOCK seconds to the time of day, or as many as a file of that name says now. Time that only counts on is left
   alone. With MUNINN_CLOCK_THREAD only the thread of that name has this clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static long seconds(void) {
    const char *clock = getenv("MUNINN_CLOCK"), *thread = getenv("MUNINN_CLOCK_THREAD");
    char name[16] = "", text[32] = "";
    if (!clock) return 0;
    if (thread && (prctl(PR_GET_NAME, name) || strcmp(name, thread))) return 0;
    if (*clock != '/') return atol(clock);
    int file = open(clock, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t id, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(id, now);
    if (!failed && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds();
    return failed;
}
