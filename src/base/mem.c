#include "base/mem.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Not a parameter: any allocation may be the one that fails. */
static _Thread_local struct {
    void (*act)(void *data);
    void *data;
} last;

void mem_on_exhaustion(void (*act)(void *data), void *data) {
    last.act = act;
    last.data = data;
}

_Noreturn void mem_exhausted(void) {
    static const char text[] = "tlparse: out of memory\n";
    const struct timespec patience = {.tv_sec = 10};
    sigset_t blocked;
    bool said = write(STDERR_FILENO, text, sizeof text - 1) >= 0;
    void (*act)(void *data) = last.act;
    last.act = NULL; /* it may run out of memory, too */
    if (act)
        act(last.data);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (sigismember(&blocked, MEM_EXHAUSTED_SIGNAL) == 1 && kill(getpid(), MEM_EXHAUSTED_SIGNAL) == 0)
        nanosleep(&patience, NULL);
    _exit(said ? MEM_EXHAUSTED_STATUS : MEM_EXHAUSTED_STATUS + 1);
}

void *mem_alloc(size_t bytes) {
    void *ptr = malloc(bytes ? bytes : 1);
    if (!ptr)
        mem_exhausted();
    return ptr;
}

void *mem_zalloc(size_t count, size_t bytes) {
    void *ptr = calloc(count ? count : 1, bytes ? bytes : 1);
    if (!ptr)
        mem_exhausted();
    return ptr;
}

void *mem_realloc(void *ptr, size_t count, size_t bytes) {
    size_t size;
    if (__builtin_mul_overflow(count, bytes, &size))
        mem_exhausted();
    ptr = realloc(ptr, size ? size : 1);
    if (!ptr)
        mem_exhausted();
    return ptr;
}

char *mem_strdup(const char *text) {
    size_t len = strlen(text) + 1;
    return memcpy(mem_alloc(len), text, len);
}

char *mem_vprintf(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0)
        mem_exhausted();
    char *text = mem_alloc((size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

char *mem_printf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args);
    va_end(args);
    return text;
}

void mem_free(void *ptr) {
    free(ptr);
}
