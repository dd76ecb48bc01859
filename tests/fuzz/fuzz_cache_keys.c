/* Any JSON as the records of caches: keys are compared within a log and in a store of two logs, within their limits.
 * Each line is a record; an empty line begins the second log. */
#define _GNU_SOURCE /* memfd_create */
#include <string.h>

#include "analysis/advice_words.h"
#include "base/buf.h"
#include "fuzz.h"
#include "model/cache_keys.h"

enum { KEYS_MAX = 64 };

static void check(const struct key_comparison *found, uint32_t key) {
    struct buf words = {0};
    MUST(found->nearest != key && found->count > 0 && found->listed <= KEY_DIFFERENCES_MAX);
    MUST(found->listed <= found->count && (found->listed == found->count || found->listed == KEY_DIFFERENCES_MAX));
    MUST(key_differences_beside_graph(found) <= found->count);
    for (uint32_t i = 0; i < found->listed; i++)
        MUST(found->list[i].name.ptr && (!found->same_graph || !slice_is(found->list[i].name, "gm")));
    key_differences_add(&words, found, SLICE(" and was "));
    buf_free(&words);
}

/* Takes records until an empty line. */
static void take(struct model *model, struct slice *rest) {
    struct slice line;
    for (int i = 0; i < KEYS_MAX && slice_next_line(rest, &line) && line.len; i++) {
        struct arena arena = {0};
        yyjson_val *root = NULL;
        if (json_read(&line, JSON_NUMBERS, &arena, &root) != JSON_BAD && root)
            cache_keys_note(model, (uint32_t)i % 2, i % 3 ? CACHE_FX_GRAPH : CACHE_AOTAUTOGRAD, (uint64_t)(i % 5),
                            root);
        arena_free(&arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice rest = {(const char *)data, size};
    struct compile compiles[2] = {{.frame = {.function = SLICE("f")}}, {.frame = {.function = SLICE("g")}}};
    struct compile *list[2] = {&compiles[0], &compiles[1]};
    struct arena arena = {0};
    struct cache_keys *store = cache_keys_create(&arena);
    struct key_comparison found;
    uint32_t places[2][KEYS_MAX];
    size_t counts[2];
    for (int log = 0; log < 2; log++) {
        struct model model = {.compiles = {list, 2, 2}};
        take(&model, &rest);
        counts[log] = cache_keys_count(model.cache_keys);
        MUST(counts[log] <= KEYS_MAX);
        for (uint32_t key = 0; key < counts[log]; key++) {
            const struct key_comparison *compared = cache_keys_compare(&model, key);
            if (compared && compared->count)
                check(compared, key);
        }
        cache_keys_merge(store, model.cache_keys, places[log]);
        memset(&model.compiles, 0, sizeof model.compiles); /* owned by this target */
        model_finish(&model);
    }
    for (size_t i = 0; i < counts[1]; i++) {
        MUST(places[1][i] < cache_keys_count(store));
        if (cache_keys_nearest(store, places[1][i], places[0], counts[0], &found) && found.count)
            check(&found, places[1][i]);
    }
    arena_free(&arena);
    return 0;
}
