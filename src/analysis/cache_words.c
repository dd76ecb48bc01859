#include "analysis/advice_words.h"

enum { VALUE_MAX = 300, SPELLED_MAX = 3 };

const char *cache_title(enum cache cache) {
    return cache == CACHE_FX_GRAPH ? "FX graph" : "AOTAutograd";
}

static void add_difference(struct buf *out, const struct key_difference *difference, struct slice was) {
    buf_addf(out, "`%.*s`", SLICE_ARG(slice_first(difference->name, VALUE_MAX)));
    if (difference->had.ptr && difference->has.ptr)
        buf_addf(out, " is `%.*s`%.*s`%.*s`", SLICE_ARG(slice_first(difference->has, VALUE_MAX)), SLICE_ARG(was),
                 SLICE_ARG(slice_first(difference->had, VALUE_MAX)));
    else
        buf_add_lit(out, " differs");
}

static bool is_graph(const struct key_difference *difference) {
    return slice_is(difference->name, "gm");
}

uint32_t key_differences_beside_graph(const struct key_comparison *comparison) {
    uint32_t graphs = 0;
    for (uint32_t i = 0; i < comparison->listed; i++)
        graphs += is_graph(&comparison->list[i]);
    return comparison->count - graphs;
}

void key_differences_add(struct buf *out, const struct key_comparison *comparison, struct slice was) {
    uint32_t named = 0, all = key_differences_beside_graph(comparison);
    for (uint32_t i = 0; i < comparison->listed && named < SPELLED_MAX; i++) {
        if (is_graph(&comparison->list[i]))
            continue;
        buf_add_str(out, named++ ? "; " : "");
        add_difference(out, &comparison->list[i], was);
    }
    if (all > named)
        buf_addf(out, "; and %" PRIu32 " more", all - named);
}
