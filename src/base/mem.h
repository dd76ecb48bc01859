/* mem.h - allocation that does not fail.
 *
 * These functions never return NULL. Out of memory, they print one line to stderr and exit with status 70. This is the
 * one exception to "only main prints and exits": no report is possible without memory, and checks at every call would
 * be code that no test covers. Sizes are checked for overflow. Any thread. */
#pragma once

#include <assert.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

__attribute__((returns_nonnull)) void *mem_alloc(size_t bytes);
__attribute__((returns_nonnull)) void *mem_zalloc(size_t count, size_t bytes);
__attribute__((returns_nonnull)) void *mem_realloc(void *ptr, size_t count, size_t bytes);
/* A NUL-terminated copy; the caller frees it. */
__attribute__((returns_nonnull)) char *mem_strdup(const char *text);
/* printf into a new string. The caller frees it. */
__attribute__((returns_nonnull, format(printf, 1, 2))) char *mem_printf(const char *format, ...);
__attribute__((returns_nonnull, format(printf, 1, 0))) char *mem_vprintf(const char *format, va_list args);
/* free(). */
void mem_free(void *ptr);
/* Prints the line and ends the process. If MEM_EXHAUSTED_SIGNAL is blocked, another thread waits for it: the process
 * sends itself the signal, and gives that thread a few seconds to end the process. */
_Noreturn void mem_exhausted(void);
/* Sets what this thread does before the process ends in that case, such as undoing its work and releasing locks. NULL:
 * nothing. `act` can allocate only the memory that it frees. */
void mem_on_exhaustion(void (*act)(void *data), void *data);
enum { MEM_EXHAUSTED_STATUS = 70, MEM_EXHAUSTED_SIGNAL = SIGVTALRM };

/* Makes room for one more item in a growable array {items, count, cap}. */
#define MEM_GROW(array)                                                                                                \
    do {                                                                                                               \
        if ((array)->count == (array)->cap) {                                                                          \
            (array)->cap = (array)->cap ? (array)->cap * 2 : 8;                                                        \
            (array)->items = mem_realloc((array)->items, (array)->cap, sizeof *(array)->items);                        \
        }                                                                                                              \
        assert((array)->items);                                                                                        \
    } while (0)

/* Adds an item to the array, and grows the array if necessary. */
#define LIST_ADD(array, ...)                                                                                           \
    do {                                                                                                               \
        MEM_GROW(array);                                                                                               \
        (array)->items[(array)->count++] = (__VA_ARGS__);                                                              \
    } while (0)

/* Sorts the array; qsort() takes no NULL. */
#define LIST_SORT(array, order)                                                                                        \
    do {                                                                                                               \
        if ((array)->count)                                                                                            \
            qsort((array)->items, (array)->count, sizeof *(array)->items, (order));                                    \
    } while (0)

/* A growable array of T, see MEM_GROW. */
#define LIST(T)                                                                                                        \
    struct {                                                                                                           \
        T *items;                                                                                                      \
        size_t count, cap;                                                                                             \
    }
