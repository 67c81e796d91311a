/* A system that gives a process no more threads at once than THREADS_MOST, for the tests: loaded before the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_long alive;

struct task {
    void *(*work)(void *);
    void *argument;
};

static void *counted(void *given) {
    struct task task = *(struct task *)given;
    free(given);
    void *result = task.work(task.argument);
    atomic_fetch_sub(&alive, 1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
    const char *most = getenv("THREADS_MOST");
    if (most && atomic_fetch_add(&alive, 1) >= atol(most)) {
        atomic_fetch_sub(&alive, 1);
        return EAGAIN;
    }
    struct task *task = malloc(sizeof *task);
    if (!task) return EAGAIN;
    task->work = work;
    task->argument = argument;
    return real(thread, attributes, counted, task);
}
