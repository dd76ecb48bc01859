/* Any file, compressed or not: reads of any size give the same bytes and the same damage. */
#define _GNU_SOURCE /* memfd_create */
#include "base/buf.h"
#include "base/mem.h"
#include "fuzz.h"
#include "trace/source.h"

enum { MOST = 4 << 20 }; /* a small file may decompress to gigabytes */

/* Returns false if the file cannot be read at all. */
static bool read_all(const char *path, size_t step, struct buf *bytes, char **damage) {
    struct source source;
    struct err err = {0};
    ssize_t got = 1;
    if (!source_open(&source, path, &err)) {
        MUST(err.code != ERR_NONE && err.text[0]);
        return false;
    }
    while (got > 0 && bytes->len < MOST) {
        got = source_read(&source, buf_reserve(bytes, step), step, &err);
        MUST(got >= 0 && (size_t)got <= step);
        bytes->len += (size_t)got;
        MUST((size_t)got == step || source_read(&source, buf_reserve(bytes, step), step, &err) == 0);
        got = (size_t)got == step ? got : 0;
    }
    MUST(source.file_read <= source.file_bytes);
    *damage = got == 0 && source_damage(&source) ? mem_strdup(source_damage(&source)) : NULL;
    source_close(&source);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice file = {(const char *)data + 1, size - 1};
    struct buf one = {0}, two = {0};
    char path[32], *damage[2] = {NULL, NULL};
    int fd = fuzz_file(file, path);
    bool first = read_all(path, (size_t)1 << (data[0] & 15), &one, &damage[0]);
    bool second = read_all(path, 64 * 1024, &two, &damage[1]);
    MUST(first == second);
    if (one.len < MOST && two.len < MOST) {
        MUST(one.len < two.len ? slice_starts(buf_slice(&two), buf_slice(&one))
                               : slice_starts(buf_slice(&one), buf_slice(&two)));
        MUST(one.len == two.len);
        MUST(!damage[0] == !damage[1] && (!damage[0] || strcmp(damage[0], damage[1]) == 0));
    }
    close(fd);
    buf_free(&one);
    buf_free(&two);
    mem_free(damage[0]);
    mem_free(damage[1]);
    return 0;
}
