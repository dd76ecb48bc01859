#include "answers/diff.h"
#include "answers/diff_figures.h"
#include "base/jsonw.h"

yyjson_val *diff_next_misses(const struct diff_request *request, yyjson_val *pair, size_t *at) {
    struct slice run = json_get_text(pair, "b");
    while (*at < yyjson_arr_size(request->cache_misses)) {
        yyjson_val *cause = yyjson_arr_get(request->cache_misses, (*at)++);
        if (run.len && slice_eq(json_get_text(cause, "run"), run))
            return cause;
    }
    return NULL;
}

static void add_misses(struct jsonw *w, yyjson_val *pair, const struct diff_request *request) {
    size_t at = 0;
    jsonw_array(w, "cache_misses");
    for (yyjson_val *cause; (cause = diff_next_misses(request, pair, &at));)
        jsonw_value(w, NULL, cause);
    jsonw_end_array(w);
}

static void add_figures(struct jsonw *w, yyjson_val *pair, const struct diff_request *request) {
    size_t i, max;
    yyjson_val *figure;
    jsonw_array(w, "figures");
    yyjson_arr_foreach(json_get(pair, "figures"), i, max, figure) {
        if (!request->step || !is_step_figure(figure))
            jsonw_value(w, NULL, figure);
    }
    if (request->step)
        jsonw_value(w, NULL, request->step);
    jsonw_end_array(w);
}

void diff_add_json(struct buf *out, yyjson_val *pair, const struct diff_request *request) {
    static const char *const members[] = {"findings", "logs"};
    struct jsonw w = {.out = out};
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "format", "tlparse-diff", "version", 1U);
    JSON_MEMBERS(&w, request, base, new);
    jsonw_array(&w, "runs");
    for (size_t side = 0; side < 2; side++) {
        size_t count = yyjson_arr_size(yyjson_arr_get(json_get(pair, "sides"), side));
        jsonw_u64(&w, NULL, count ? count : 1);
    }
    jsonw_end_array(&w);
    add_figures(&w, pair, request);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)

        if (!request->figures_only)
            jsonw_value(&w, members[i], json_get(pair, members[i]));

    if (!request->figures_only)
        add_misses(&w, pair, request);
    if (request->run_times && !request->figures_only)
        jsonw_value(&w, "run_time", request->run_times);
    jsonw_array(&w, "limits");
    for (size_t i = 0; i < request->limits->count; i++) {
        const struct diff_limit *limit = &request->limits->items[i];
        jsonw_object(&w, NULL);
        JSON_ADD(&w, "limit", limit->text, "figure", limit->figure, "verdict", limit_verdict(limit));
        jsonw_end_object(&w);
    }
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_byte(out, '\n');
}
