#include "pages/code_page.h"

#include "pages/html.h"

static struct html_page page_of(const struct code_page *page, enum page_type type) {
    return (
        struct html_page){.type = type, .lang = page->lang, .root = page->root, .title = page->title, .key = page->key};
}

void code_page_render(struct buf *out, struct slice text, const void *data) {
    struct html_page page = page_of(data, PAGE_CODE);
    html_begin(out, &page);
    html_code(out, text);
    html_end(out, &page);
}

void guards_page_render(struct buf *out, struct slice text, const void *data) {
    const struct code_page *given = data;
    struct html_page page = page_of(given, PAGE_GUARDS);
    size_t i, max;
    yyjson_val *guard;
    (void)text; /* already parsed */
    html_begin(out, &page);
    buf_add_lit(out, "<h2>Guards</h2>\n<ul>\n");
    yyjson_arr_foreach(given->json, i, max, guard) {
        buf_add_lit(out, "<li><code>");
        html_text(out, json_get_text(guard, "code"));
        buf_add_lit(out, "</code></li>\n");
    }
    buf_add_lit(out, "</ul>\n");
    html_end(out, &page);
}

/* Adds a trace whose line breaks are the two characters \n. */
static void add_trace(struct buf *out, struct slice trace) {
    static const struct slice written = SLICE_INIT("\\n");
    for (size_t at; (at = slice_find(trace, written)) != SIZE_MAX; trace = slice_from(trace, at + 2)) {
        html_text(out, slice_first(trace, at));
        buf_add_byte(out, '\n');
    }
    html_text(out, trace);
}

void traces_page_render(struct buf *out, struct slice text, const void *data) {
    const struct code_page *given = data;
    struct html_page page = page_of(given, PAGE_TRACES);
    size_t i, j, max, traces;
    yyjson_val *kernel, *list, *trace;
    (void)text;
    html_begin(out, &page);
    yyjson_obj_foreach(given->json, i, max, kernel, list) {
        buf_add_lit(out, "<h2>");
        html_text(out, json_text(kernel));
        buf_add_lit(out, "</h2>\n");
        yyjson_arr_foreach(list, j, traces, trace) {
            buf_add_lit(out, "<pre>");
            add_trace(out, json_text(trace));
            buf_add_lit(out, "</pre>\n");
        }
    }
    html_end(out, &page);
}
