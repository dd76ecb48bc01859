
#include "pages/provenance_page.h"

#include <stdio.h>

#include "lowering/stages.h"
#include "pages/html.h"

/* A text in the page. */
struct pane {
    const struct artifact *artifact;
    const char *title;
    enum lang lang;
};

struct writing {
    struct texts *texts;
    struct stream stream;
    struct buf *out; /* the buffer of the stream */
    struct buf json;
    struct jsonw w; /* writes the block "provenance" */
    LIST(struct pane) panes;
    size_t set;
};

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static bool read_text(struct texts *texts, const struct artifact *artifact, struct buf *text) {
    if (!artifact)
        return false;
    struct slice path = artifact->payload_url.ptr ? artifact->payload_url : artifact->url;
    return !slice_ends(path, SLICE(".html")) && artifact->bytes <= TEXT_BYTES && texts_read(texts, artifact, text);
}

static yyjson_val *read_json(struct texts *texts, const struct artifact *artifact, struct buf *text,
                             struct arena *arena) {
    yyjson_val *root = NULL;
    if (!read_text(texts, artifact, text))
        return NULL;
    struct slice json = buf_slice(text);
    return json_read(&json, JSON_NUMBERS, arena, &root) == JSON_BAD || !yyjson_is_obj(root) ? NULL : root;
}

yyjson_val *provenance_mapping_read(struct texts *texts, const struct artifact *artifact, struct buf *text,
                                    struct arena *arena) {
    return read_json(texts, artifact, text, arena);
}

static void load(struct loaded *loaded, struct texts *texts, const struct provenance_set *set) {
    *loaded = (struct loaded){.set = set};
    read_text(texts, set->pre, &loaded->pre);
    read_text(texts, set->post, &loaded->post);
    for (size_t i = 0; i < set->code_count; i++)
        read_text(texts, set->codes[i].artifact, &loaded->codes[i]);
    loaded->mapping = read_json(texts, set->mapping, &loaded->mapping_text, &loaded->arena);
    loaded->stacks = read_json(texts, set->stacks, &loaded->stacks_text, &loaded->arena);
}

static void unload(struct loaded *loaded) {
    buf_free(&loaded->pre);
    buf_free(&loaded->post);
    buf_free(&loaded->mapping_text);
    buf_free(&loaded->stacks_text);
    for (size_t i = 0; i < SET_CODES; i++)
        buf_free(&loaded->codes[i]);
    arena_free(&loaded->arena);
}

/* ---- panes ------------------------------------------------------------------------------------------------------ */

static void add_text(struct buf *out, size_t pane, struct slice text) {
    char prefix[LINE_PREFIX_MAX + 1];
    snprintf(prefix, sizeof prefix, "p%zuL", pane);
    buf_add_lit(out, "<pre class=\"lines\">");
    html_lines(out, prefix, text);
    buf_add_lit(out, "</pre>");
}

static void add_heading(struct buf *out, const struct pane *pane) {
    buf_addf(out, "<h2>%s <a", pane->title);
    html_href(out, "", pane->artifact->url);
    buf_add_byte(out, '>');
    html_text(out, path_last(pane->artifact->url));
    buf_add_lit(out, "</a></h2>\n");
}

/* Adds a text to the page, once even if several sets have it. Returns its index among the panes, or -1 if there is no
 * text. */
static int64_t add_pane(struct writing *w, const struct artifact *artifact, const char *title, enum lang lang,
                        struct slice text) {
    if (!artifact)
        return -1;
    for (size_t i = 0; i < w->panes.count; i++)
        if (w->panes.items[i].artifact == artifact) {
            buf_addf(w->out, "<p class=\"same\">%s: <a href=\"#p%zu\">as above</a></p>\n", title, i);
            return (int64_t)i;
        }
    size_t place = w->panes.count;
    LIST_ADD(&w->panes, (struct pane){artifact, title, lang});
    buf_addf(w->out, "<section class=\"pane\" id=\"p%zu\">\n", place);
    add_heading(w->out, &w->panes.items[place]);
    if (!text.len && artifact->bytes)
        buf_add_lit(w->out, "<p class=\"note\">Not shown: the text is too long for this page.</p>");
    else if (w->stream.bytes + w->out->len > PAGE_BYTES)
        buf_add_lit(w->out,
                    "<p class=\"note\">Not shown: the page has reached its size limit. Open the file instead.</p>");
    else
        add_text(w->out, place, text);

    buf_add_lit(w->out, "</section>\n");
    stream_flush_if_full(&w->stream);
    return (int64_t)place;
}

static const char *const code_titles[] =
    {[CODE_PYTHON] = "Python code", [CODE_CPP] = "C++ wrapper", [CODE_KERNELS] = "Kernels"};

static enum lang lang_of(const struct provenance_set *set, size_t code) {
    bool python = set->codes[code].kind == CODE_PYTHON && set->codes[code].artifact->lang != LANG_CPP;
    return python ? LANG_PYTHON : LANG_CPP;
}

/* ---- one set ---------------------------------------------------------------------------------------------------- */

/* "# AOT ID: ['0_forward']" → 0_forward, Inductor's name of the graph. */
static struct slice title_of(const struct loaded *loaded) {
    for (size_t i = 0; i < loaded->set->code_count; i++) {
        struct slice code = buf_slice(&loaded->codes[i]);
        size_t at = slice_find(code, SLICE("# AOT ID: ['"));
        if (at == SIZE_MAX)
            continue;
        struct slice id = slice_from(code, at + sizeof "# AOT ID: ['" - 1), line;
        slice_next_line(&id, &line);
        size_t end = slice_find(line, SLICE("'"));
        if (end != SIZE_MAX && end && end <= 80)
            return slice_first(line, end);
    }
    return loaded->set->code_count && loaded->set->codes[0].kind != CODE_PYTHON ? SLICE("AOT Inductor")
                                                                                : SLICE("graph");
}

/* The key of the set's compile if it differs from the id: "0/0#2". */
static struct slice other_key(const struct provenance_page *page, const struct provenance_set *set) {
    const struct artifact *any = set->post    ? set->post
                               : set->pre     ? set->pre
                               : set->mapping ? set->mapping
                                              : set->stacks;
    if (set->code_count)
        any = set->codes[0].artifact;
    const struct compile *compile = any ? page->model->compiles.items[any->compile] : NULL;
    return compile && compile->key.ptr && !slice_eq(compile->key, compile->id) ? compile->key : (struct slice){0};
}

static void add_trace_text(struct buf *out, struct slice trace) {
    while (trace.len && (trace.ptr[0] == '\n' || trace.ptr[0] == '\r'))
        trace = slice_from(trace, 1);
    while (trace.len && trace.ptr[trace.len - 1] == '\n')
        trace.len--;
    buf_add_lit(out, "<pre>");
    html_text(out, trace);
    buf_add_lit(out, "</pre>\n");
}

/* Adds the stack traces by kernel as markup, and adds to the block which kernel each trace belongs to. */
static void add_traces(struct writing *w, yyjson_val *root) {
    size_t i, j, max, count;
    yyjson_val *kernel, *traces, *trace;
    jsonw_object(&w->w, "traces");
    if (yyjson_obj_size(root)) {
        buf_addf(w->out, "<details class=\"traces\"><summary>Stack traces of %zu %s</summary>\n", yyjson_obj_size(root),
                 yyjson_obj_size(root) == 1 ? "kernel" : "kernels");
        yyjson_obj_foreach(root, i, max, kernel, traces) {
            char id[48];
            snprintf(id, sizeof id, "s%zut%zu", w->set, i);
            jsonw_key(&w->w, json_text(kernel));
            jsonw_str(&w->w, NULL, id);
            buf_addf(w->out, "<section id=\"%s\"><h3>", id);
            html_text(w->out, json_text(kernel));
            buf_add_lit(w->out, "</h3>\n");
            yyjson_arr_foreach(traces, j, count, trace) add_trace_text(w->out, json_text(trace));
            buf_add_lit(w->out, "</section>\n");
            stream_flush_if_full(&w->stream);
        }
        buf_add_lit(w->out, "</details>\n");
    }
    jsonw_end_object(&w->w);
}

/* The nodes of each kernel, for kernels that the report knows but the mapping lacks. */
struct known {
    struct map places;
    LIST(struct slice) nodes;
};

static void note_known(void *to, struct slice name, struct slice nodes) {
    struct known *known = to;
    map_put(&known->places, name, (uint32_t)known->nodes.count, NULL);
    LIST_ADD(&known->nodes, nodes);
}

/* "known": the lines of the nodes of kernels that the mapping lacks. */
static void write_known(struct writing *w, const struct set_maps *maps, const struct known *known, uint32_t kernel) {
    const struct kernel *of = &maps->kernels.items[kernel];
    uint32_t place = map_get(&known->places, of->name);
    if (place == MAP_NONE)
        place = map_get(&known->places, of->bare);
    if (place == MAP_NONE || relation_row(&maps->kernels.nodes, kernel))
        return;
    assert(place < known->nodes.count && known->nodes.items);
    struct slice nodes = known->nodes.items[place];
    jsonw_array(&w->w, "known");
    while (nodes.len) {
        size_t comma = slice_find(nodes, SLICE(", "));
        uint32_t line = map_get(&maps->post, slice_first(nodes, comma == SIZE_MAX ? nodes.len : comma));
        nodes = comma != SIZE_MAX ? slice_from(nodes, comma + 2) : (struct slice){0};
        if (line != MAP_NONE)
            jsonw_u64(&w->w, NULL, line);
    }
    jsonw_end_array(&w->w);
}

static void add_kernels(struct writing *w, const struct set_maps *maps, const int64_t *code_panes, size_t code_count,
                        const struct known *known) {
    jsonw_array(&w->w, "kernels");
    for (uint32_t k = 0; k < maps->kernels.count; k++) {
        jsonw_object(&w->w, NULL);
        jsonw_text(&w->w, "name", maps->kernels.items[k].name);
        maps_write_row(&w->w, "nodes", &maps->kernels.nodes, k);
        write_known(w, maps, known, k);
        jsonw_object(&w->w, "calls");
        for (size_t c = 0; c < code_count; c++) {
            char pane[24];
            snprintf(pane, sizeof pane, "%" PRId64, code_panes[c]);
            if (code_panes[c] >= 0 && relation_row(&maps->codes[c].calls, k))
                maps_write_row(&w->w, pane, &maps->codes[c].calls, k);
        }
        jsonw_end_object(&w->w);
        jsonw_array(&w->w, "bodies");
        for (size_t c = 0; c < code_count; c++) {
            const struct kernel_body *body = maps_body(&maps->codes[c], k);
            if (!body || code_panes[c] < 0)
                continue;
            jsonw_array(&w->w, NULL);
            jsonw_i64(&w->w, NULL, code_panes[c]);
            jsonw_u64(&w->w, NULL, body->from);
            jsonw_u64(&w->w, NULL, body->to);
            jsonw_end_array(&w->w);
        }
        jsonw_end_array(&w->w);
        jsonw_end_object(&w->w);
    }
    jsonw_end_array(&w->w);
}

static void add_set(struct writing *w, const struct provenance_page *page, const struct provenance_set *set) {
    struct loaded loaded;
    struct set_maps maps;
    int64_t code_panes[SET_CODES];
    load(&loaded, w->texts, set);
    set_maps_find(&maps, &loaded);
    AUTO_BUF name = {0};
    struct slice other = other_key(page, set);
    buf_add(&name, title_of(&loaded));
    if (other.len)
        buf_addf(&name, " of %.*s", SLICE_ARG(other));
    struct slice title = buf_slice(&name);
    buf_addf(w->out, "<section class=\"set\" id=\"s%zu\"><h2>", w->set);
    html_text(w->out, title);
    buf_add_str(w->out, set->mapping ? "</h2>\n<div class=\"panes\">\n"
                                     : " (without a node mapping)</h2>\n<div class=\"panes\">\n");
    jsonw_object(&w->w, NULL);
    jsonw_text(&w->w, "title", title);
    jsonw_bool(&w->w, "mapped", set->mapping != NULL);
    jsonw_known(&w->w, "pre", add_pane(w, set->pre, "Pre-grad graph", LANG_PYTHON, buf_slice(&loaded.pre)));
    jsonw_known(&w->w, "post", add_pane(w, set->post, "Post-grad graph", LANG_PYTHON, buf_slice(&loaded.post)));
    jsonw_array(&w->w, "code");
    for (size_t i = 0; i < set->code_count; i++) {
        code_panes[i] = add_pane(w, set->codes[i].artifact, code_titles[set->codes[i].kind], lang_of(set, i),
                                 code_trim(buf_slice(&loaded.codes[i])));
        jsonw_i64(&w->w, NULL, code_panes[i]);
    }
    jsonw_end_array(&w->w);
    buf_add_lit(w->out, "</div>\n");
    maps_write(&w->w, "preToPost", &maps.pre_to_post, 0, 0);
    maps_write(&w->w, "postToPre", &maps.post_to_pre, 0, 0);
    struct known known = {0};
    for (size_t i = 0; i < set->code_count; i++)
        if (set->codes[i].kind == CODE_PYTHON)
            kernels_each_known(page->model, set->codes[i].artifact, note_known, &known);
    add_kernels(w, &maps, code_panes, set->code_count, &known);
    map_free(&known.places);
    mem_free(known.nodes.items);
    add_traces(w, loaded.stacks);
    jsonw_text(&w->w, "traces_url",
               set->stacks && set->stacks->readable_url.len ? set->stacks->readable_url : (struct slice){0});
    jsonw_end_object(&w->w);
    buf_add_lit(w->out, "</section>\n");
    set_maps_free(&maps);
    unload(&loaded);
    w->set++;
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* Adds a data block with JSON. No text in it can end the element. */
static void add_block(struct writing *w, const char *id, struct slice json) {
    buf_addf(w->out, "<script id=\"%s\" type=\"application/json\">", id);
    for (const char *at; (at = json.len ? memchr(json.ptr, '<', json.len) : NULL);) {
        size_t len = (size_t)(at - json.ptr);
        BUF_ADD(w->out, slice_first(json, len), "\\u003c");
        json = slice_from(json, len + 1);
    }
    BUF_ADD(w->out, json, "</script>\n");
    stream_flush_if_full(&w->stream);
}

static void add_line_mappings(struct writing *w, const struct provenance_set *latest) {
    struct loaded loaded;
    struct set_maps maps;
    AUTO_BUF json = {0};
    struct jsonw out = {.out = &json};
    load(&loaded, w->texts, latest);
    set_maps_find(&maps, &loaded);
    line_mappings_write(&out, &loaded, &maps);
    add_block(w, "lineMappings", buf_slice(&json));
    set_maps_free(&maps);
    unload(&loaded);
}

static void add_pane_list(struct writing *w) {
    jsonw_array(&w->w, "panes");
    for (size_t i = 0; i < w->panes.count; i++) {
        const struct pane *pane = &w->panes.items[i];
        jsonw_object(&w->w, NULL);
        jsonw_str(&w->w, "title", pane->title);
        jsonw_text(&w->w, "name", pane->artifact->name);
        jsonw_text(&w->w, "url", pane->artifact->url);
        jsonw_str(&w->w, "lang", lang_name(pane->lang));
        jsonw_end_object(&w->w);
    }
    jsonw_end_array(&w->w);
}

void provenance_page_write(const struct provenance_page *page, struct files *files) {
    struct writing w = {.texts = page->texts};
    AUTO_BUF title = {0};
    char *path = mem_printf("%.*s", SLICE_ARG(page->path));
    buf_addf(&title, "Provenance of %.*s", SLICE_ARG(page->key));
    struct html_page shell = {.type = PAGE_PROVENANCE, .root = "", .title = buf_slice(&title), .key = page->id};
    stream_open(&w.stream, files, path);
    w.out = &w.stream.buf;
    w.w.out = &w.json;
    html_begin(w.out, &shell);
    if (page->sets->left_out)
        buf_addf(w.out, "<p class=\"note\">%zu earlier graphs of this compile id are not shown.</p>\n",
                 page->sets->left_out);
    jsonw_object(&w.w, NULL);
    jsonw_array(&w.w, "sets");
    for (size_t i = 0; i < page->sets->count; i++)
        add_set(&w, page, &page->sets->items[i]);
    jsonw_end_array(&w.w);
    add_pane_list(&w);
    jsonw_end_object(&w.w);
    add_line_mappings(&w, &page->sets->latest);
    add_block(&w, "provenance", buf_slice(&w.json));
    html_end(w.out, &shell);
    stream_close(&w.stream);
    mem_free(path);
    mem_free(w.panes.items);
    buf_free(&w.json);
}
