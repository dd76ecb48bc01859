/* fuzz.h - shared by the targets: a check that stops the fuzzer, and bytes as a file. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/slice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The fuzzer keeps the input that makes it abort. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Whether part is within whole. An empty part may be anywhere. */
static inline bool fuzz_inside(struct slice part, struct slice whole) {
    return part.len == 0 || (part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len);
}

/* The bytes as a file in memory; path is where it can be opened. Close the result to remove it. */
static inline int fuzz_file(struct slice bytes, char path[32]) {
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}
