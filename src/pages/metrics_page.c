#include "pages/metrics_page.h"

#include "pages/html.h"
#include "pages/page_parts.h"

enum { LONG_VALUE = 200, LINKS_MAX = 300 };

/* A value for readers: text unchanged, everything else as JSON. Long values are collapsed. */
static void add_value(struct buf *out, yyjson_val *value) {
    AUTO_BUF json = {0};
    struct slice text = json_text(value);
    if (!text.ptr) {
        json_add_value(&json, value);
        text = buf_slice(&json);
    }
    bool is_long = text.len > LONG_VALUE;
    if (is_long)
        buf_addf(out, "<details><summary>%zu characters</summary><pre>", text.len);
    html_text(out, text);
    if (is_long)
        buf_add_lit(out, "</pre></details>");
}

static int by_key(const void *a, const void *b) {
    return slice_cmp(json_text(*(yyjson_val *const *)a), json_text(*(yyjson_val *const *)b));
}

/* The fields about the outcome come first; the others are sorted by name. */
static void add_fields(struct buf *out, yyjson_val *metrics) {
    static const char *const first[] = {
        "compile_id",
        "co_name",
        "co_filename",
        "co_firstlineno",
        "start_time",
        "duration_us",
        "entire_frame_compile_time_s",
        "backend_compile_time_s",
        "inductor_compile_time_s",
        "code_gen_time_s",
        "elapsed_time",
        "graph_op_count",
        "graph_node_count",
        "graph_input_count",
        "guard_count",
        "shape_env_guard_count",
        "cache_size",
        "accumulated_cache_size",
        "fail_type",
        "fail_reason",
        "fail_user_frame_filename",
        "fail_user_frame_lineno",
        "restart_reasons",
        "recompile_reason",
    };
    enum { FIRST = sizeof first / sizeof *first };
    size_t count = yyjson_obj_size(metrics), rest = 0, i, max;
    yyjson_val **keys = mem_alloc((count + 1) * sizeof *keys), *key, *value;
    buf_add_lit(out, "<table><thead><tr><th>Field</th><th>Value</th></tr></thead><tbody>\n");
    for (size_t f = 0; f < FIRST; f++) {
        if (!(value = json_get(metrics, first[f])) || yyjson_is_null(value))
            continue;
        buf_addf(out, "<tr><td><code>%s</code></td><td>", first[f]);
        add_value(out, value);
        buf_add_lit(out, "</td></tr>\n");
    }
    yyjson_obj_foreach(metrics, i, max, key, value) {
        bool shown = false;
        for (size_t f = 0; f < FIRST && !shown; f++)
            shown = !yyjson_is_null(value) && slice_is(json_text(key), first[f]);
        if (!shown)
            keys[rest++] = key;
    }
    qsort(keys, rest, sizeof *keys, by_key);
    buf_add_lit(out, "</tbody></table>\n<h2>Other "
                     "metrics</h2>\n<table><thead><tr><th>Field</th><th>Value</th></tr></thead><tbody>\n");
    for (size_t k = 0; k < rest; k++) {
        buf_add_lit(out, "<tr><td><code>");
        html_text(out, json_text(keys[k]));
        buf_add_lit(out, "</code></td><td>");
        add_value(out, unsafe_yyjson_get_next(keys[k]));
        buf_add_lit(out, "</td></tr>\n");
    }
    buf_add_lit(out, "</tbody></table>\n");
    mem_free(keys);
}

static void add_stack(struct buf *out, const struct stack_node *stack) {
    if (!stack) {
        buf_add_lit(out, "<p>none</p>");
        return;
    }
    buf_add_lit(out, "<pre>");
    stack_html_add(out, stack);
    buf_add_lit(out, "</pre>");
}

static void add_folded_stack(struct buf *out, const struct stack_node *stack) {
    if (!stack) {
        buf_add_lit(out, "<td></td>");
        return;
    }
    buf_addf(out, "<td><details><summary>%u %s</summary>", stack->depth, stack->depth == 1 ? "frame" : "frames");
    add_stack(out, stack);
    buf_add_lit(out, "</details></td>");
}

static void add_cell(struct buf *out, struct slice text) {
    buf_add_lit(out, "<td>");
    html_text(out, text);
    buf_add_lit(out, "</td>");
}

static void add_facts(struct buf *out, const struct metrics_page *page, enum shape_kind kind) {
    static const struct {
        const char *title, *head;
        bool symbol, source, value, range, text;
    } looks[SHAPE_KINDS] = {
        [SHAPE_SPECIALIZATION] = {"Symbolic shape specializations", "<th>Symbol</th><th>Sources</th><th>Value</th>",
                                  true, true, true, false, false},
        [SHAPE_GUARD] = {"Guards added fast", "<th>Expression</th>", false, false, false, false, true},
        [SHAPE_SYMBOL] = {"Created symbols", "<th>Symbol</th><th>Source</th><th>Value</th><th>Range</th>", true, true,
                          true, true, false},
        [SHAPE_UNBACKED] = {"Unbacked symbols", "<th>Symbol</th><th>Range</th>", true, false, false, true, false},
    };
    buf_addf(out, "<h2>%s</h2>\n", looks[kind].title);
    if (page->shapes[kind].count == 0) {
        buf_add_lit(out, "<p>none</p>\n");
        return;
    }
    buf_addf(out, "<table><thead><tr>%s<th>User stack</th><th>Framework stack</th></tr></thead><tbody>\n",
             looks[kind].head);
    const struct shape_record *fact = page->shapes[kind].first;
    for (size_t i = 0; i < page->shapes[kind].count; i++) {
        buf_add_lit(out, "<tr>");
        if (looks[kind].symbol)
            add_cell(out, fact->symbol);
        if (looks[kind].text)
            add_cell(out, fact->text);
        if (looks[kind].source)
            add_cell(out, fact->source);
        if (looks[kind].value)
            add_cell(out, fact->value);
        if (looks[kind].range)
            add_cell(out, fact->range);
        add_folded_stack(out, fact->user_stack);
        add_folded_stack(out, fact->stack);
        buf_add_lit(out, "</tr>\n");
        if (i + 1 < page->shapes[kind].count) /* the last one's next may be set concurrently */
            fact = fact->next_of_name;
    }
    buf_add_lit(out, "</tbody></table>\n");
}

static void add_links(struct buf *out, const struct metrics_page *page) {
    const struct artifact_link *link = page->links;
    buf_add_lit(out, "<h2>Artifacts so far</h2>\n<ul>\n");
    for (size_t i = 0; i < page->link_count && i < LINKS_MAX; i++) {
        buf_add_lit(out, "<li><a");
        if (link->outer)
            html_outer_href(out, link->url);
        else
            html_href(out, page->root, link->url);
        buf_add_byte(out, '>');
        html_text(out, link->name);
        buf_add_lit(out, "</a></li>\n");
        if (i + 1 < page->link_count) /* the last one's next may be set concurrently */
            link = link->next;
    }
    buf_add_lit(out, "</ul>\n");
    if (page->link_count > LINKS_MAX)
        buf_addf(out, "<p>and %zu more: see the report</p>\n", page->link_count - LINKS_MAX);
}

void metrics_page_render(struct buf *out, struct slice text, const void *data) {
    const struct metrics_page *given = data;
    struct html_page page = {.type = PAGE_METRICS, .root = given->root, .title = given->title, .key = given->key};
    (void)text;
    html_begin(out, &page);
    add_fields(out, given->metrics);
    if (given->whole) {
        buf_add_lit(out, "<h2>Stack</h2>\n");
        add_stack(out, given->stack);
        for (int kind = 0; kind < SHAPE_KINDS; kind++)
            add_facts(out, given, kind);
        add_links(out, given);
    }
    html_end(out, &page);
}
