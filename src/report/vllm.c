#include "report/vllm.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/path.h"
#include "html/html.h"

static void end_call(struct vllm *vllm, size_t artifact) {
    if (!vllm->calls.count)
        return;
    assert(vllm->calls.items);
    struct vllm_call *call = &vllm->calls.items[vllm->calls.count - 1];
    call->end = artifact;
    if (call->pieces.count && call->pieces.items[call->pieces.count - 1].end == SIZE_MAX)
        call->pieces.items[call->pieces.count - 1].end = artifact;
}

static struct vllm_call *add_call(struct report *report, uint32_t compile, size_t artifact) {
    if (!report->vllm_facts)
        report->vllm_facts = mem_zalloc(1, sizeof *report->vllm_facts);
    struct vllm *vllm = report->vllm_facts;
    end_call(vllm, artifact);
    MEM_GROW(&vllm->calls);
    struct vllm_call *call = &vllm->calls.items[vllm->calls.count++];
    *call = (struct vllm_call){.compile = compile, .first = artifact, .end = SIZE_MAX, .split_graph = -1};
    return call;
}

struct vllm_call *vllm_call_now(struct report *report, uint32_t compile, size_t artifact) {
    struct vllm *vllm = report->vllm_facts;
    if (!vllm || !vllm->calls.count)
        return add_call(report, compile, artifact);
    return &vllm->calls.items[vllm->calls.count - 1];
}

struct vllm_call *vllm_call_start(struct report *report, uint32_t compile, size_t artifact) {
    struct vllm *vllm = report->vllm_facts;
    struct vllm_call *last = vllm && vllm->calls.count ? &vllm->calls.items[vllm->calls.count - 1] : NULL;
    return last && !last->config.ptr && !last->pieces.count ? last : add_call(report, compile, artifact);
}

void vllm_piece_start(struct report *report, struct vllm_call *call, struct slice name, struct slice label,
                      size_t artifact) {
    bool added;
    uint32_t place = (uint32_t)call->pieces.count,
             group = *map_put(&call->group_map, label, (uint32_t)call->groups.count, &added);
    if (added) {
        MEM_GROW(&call->groups);
        call->groups.items[call->groups.count++] =
            (struct vllm_group){.label = report_copy(report, label), .head = place, .last = place};
    }
    if (place)
        call->pieces.items[place - 1].end = artifact;
    MEM_GROW(&call->pieces);
    call->pieces.items[call->pieces.count++] = (struct vllm_piece){.name = report_copy(report, name),
                                                                   .group = group,
                                                                   .first = artifact,
                                                                   .end = SIZE_MAX,
                                                                   .next = UINT32_MAX};
    if (!added)
        call->pieces.items[call->groups.items[group].last].next = place;
    call->groups.items[group].last = place;
    call->groups.items[group].count++;
}

void vllm_finish(struct vllm *vllm) {
    if (!vllm)
        return;
    for (size_t i = 0; i < vllm->calls.count; i++) {
        free(vllm->calls.items[i].pieces.items);
        free(vllm->calls.items[i].groups.items);
        map_free(&vllm->calls.items[i].group_map);
    }
    free(vllm->calls.items);
    free(vllm);
}

/* What Dynamo writes of the whole graph, before the pieces and behind them. */
static bool is_dynamo(const struct artifact *artifact) {
    static const struct slice names[] = {{"dynamo_side_effects", 19},
                                         {"dynamo_output_graph", 19},
                                         {"dynamo_cpp_guards_str", 21},
                                         {"compilation_metrics", 19}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_starts(artifact->name, names[i]))
            return true;
    return false;
}

static bool has_file(const struct artifact *artifact) {
    return artifact->url.ptr && !artifact->outer;
}

static size_t end_of(const struct report *report, size_t end) {
    return end < report->artifacts.count ? end : report->artifacts.count;
}

static const struct compile *compile_of(const struct report *report, const struct artifact *artifact) {
    return report->compiles.items[report->folders.items[artifact->folder].compile];
}

/* For each compile the first call in it, which has its Dynamo's artifacts; UINT32_MAX: none. malloc'ed, the caller frees. */
static uint32_t *owners(const struct report *report) {
    uint32_t *owner = mem_alloc((report->compiles.count + 1) * sizeof *owner);
    memset(owner, 0xff, (report->compiles.count + 1) * sizeof *owner);
    for (size_t i = report->vllm_facts->calls.count; i-- > 0;)
        owner[report->vllm_facts->calls.items[i].compile] = (uint32_t)i;
    return owner;
}

struct places {
    LIST(uint32_t) list;
};

/* Dynamo's artifacts of a call are those of its compile. Those of a call in no compile have been written since the last piece
 * began, up to its own first one. The caller frees the list. */
static struct places dynamo_of(const struct report *report, size_t nth, const uint32_t *owner) {
    struct places found = {0};
    const struct vllm_call *call = &report->vllm_facts->calls.items[nth], *before = nth ? call - 1 : NULL;
    const struct compile *compile = report->compiles.items[call->compile];
    bool framed = compile->frame_id >= 0;
    size_t from = 0, end = compile->artifacts.count;
    if (!framed) {
        from = !before              ? 0
             : before->pieces.count ? before->pieces.items[before->pieces.count - 1].first
                                    : before->first;
        end = end_of(report, call->pieces.count ? call->pieces.items[0].first : call->end);
    } else if (owner[call->compile] != nth) {
        return found;
    }
    for (size_t i = from; i < end; i++) {
        uint32_t place = framed ? compile->artifacts.items[i] : (uint32_t)i;
        if (!has_file(&report->artifacts.items[place]) || !is_dynamo(&report->artifacts.items[place]))
            continue;
        MEM_GROW(&found.list);
        found.list.items[found.list.count++] = place;
    }
    return found;
}

/* What another compile writes in between is not the piece's. */
static bool of_piece(const struct report *report, const struct vllm_call *call, size_t place) {
    const struct artifact *artifact = &report->artifacts.items[place];
    const struct compile *own = report->compiles.items[call->compile], *compile = compile_of(report, artifact);
    return has_file(artifact) && !is_dynamo(artifact) && (compile == own || compile->frame_id < 0 || own->frame_id < 0);
}

/* For each artifact its place in the list of its compile. malloc'ed, the caller frees. */
static uint32_t *places_in_compiles(const struct report *report) {
    uint32_t *places = mem_zalloc(report->artifacts.count + 1, sizeof *places);
    for (size_t c = 0; c < report->compiles.count; c++)
        for (size_t i = 0; i < report->compiles.items[c]->artifacts.count; i++)
            places[report->compiles.items[c]->artifacts.items[i]] = (uint32_t)i;
    return places;
}

static void write_ref(struct jsonw *w, const char *key, const struct report *report, const uint32_t *places,
                      size_t place) {
    jsonw_object(w, key);
    jsonw_text(w, "compile", compile_of(report, &report->artifacts.items[place])->id);
    jsonw_u64(w, "index", places[place]);
    jsonw_end_object(w);
}

static void write_piece(struct jsonw *w, const struct report *report, const struct vllm_call *call,
                        const struct vllm_piece *piece, const uint32_t *places) {
    jsonw_object(w, NULL);
    jsonw_text(w, "name", piece->name);
    jsonw_array(w, "artifacts");
    for (size_t i = piece->first; i < end_of(report, piece->end); i++)
        if (of_piece(report, call, i))
            write_ref(w, NULL, report, places, i);
    jsonw_end_array(w);
    jsonw_end_object(w);
}

static void write_call(struct jsonw *w, const struct report *report, size_t nth, const uint32_t *owner,
                       const uint32_t *places) {
    const struct vllm_call *call = &report->vllm_facts->calls.items[nth];
    struct places dynamo = dynamo_of(report, nth, owner);
    jsonw_object(w, NULL);
    jsonw_raw(w, "config", call->config);
    jsonw_array(w, "dynamo");
    for (size_t i = 0; i < dynamo.list.count; i++)
        write_ref(w, NULL, report, places, dynamo.list.items[i]);
    free(dynamo.list.items);
    jsonw_end_array(w);
    if (call->split_graph >= 0)
        write_ref(w, "split_graph", report, places, (size_t)call->split_graph);
    else
        jsonw_null(w, "split_graph");
    jsonw_array(w, "groups");
    for (size_t g = 0; g < call->groups.count; g++) {
        jsonw_object(w, NULL);
        jsonw_text(w, "label", call->groups.items[g].label);
        jsonw_array(w, "subgraphs");
        for (uint32_t p = call->groups.items[g].head; p != UINT32_MAX; p = call->pieces.items[p].next)
            write_piece(w, report, call, &call->pieces.items[p], places);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
}

void vllm_json_add(struct jsonw *w, const char *key, const struct report *report) {
    if (!report->vllm_facts)
        return;
    uint32_t *places = places_in_compiles(report), *owner = owners(report);
    jsonw_object(w, key);
    jsonw_array(w, "calls");
    for (size_t i = 0; i < report->vllm_facts->calls.count; i++)
        write_call(w, report, i, owner, places);
    jsonw_end_array(w);
    jsonw_end_object(w);
    mem_free(places);
    mem_free(owner);
}

static void list_artifact(struct buf *out, const struct artifact *artifact) {
    buf_add_lit(out, "<li><a");
    html_href(out, "", artifact->url);
    buf_add_byte(out, '>');
    html_text(out, path_last(artifact->url));
    buf_addf(out, "</a>%s</li>\n", artifact_suffix(artifact));
}

static void list_config(struct buf *out, const struct vllm_call *call) {
    struct arena arena = {0};
    struct slice text = call->config;
    yyjson_val *config = NULL, *key, *value;
    size_t i, max;
    buf_add_lit(out, "<h2>Compilation Configuration</h2>\n");
    if (!text.ptr || json_read(&text, JSON_NUMBERS_RAW, &arena, &config) == JSON_BAD) {
        buf_add_lit(out, "<p>The log holds none.</p>\n");
        return;
    }
    buf_add_lit(out, "<table><tbody>\n");
    yyjson_obj_foreach(config, i, max, key, value) {
        struct buf plain = {0};
        if (yyjson_is_str(value))
            buf_add(&plain, json_text(value));
        else
            json_add_value(&plain, value);
        buf_add_lit(out, "<tr><th>");
        html_text(out, json_text(key));
        buf_add_lit(out, "</th><td>");
        html_text(out, buf_slice(&plain));
        buf_add_lit(out, "</td></tr>\n");
        buf_free(&plain);
    }
    buf_add_lit(out, "</tbody></table>\n");
    arena_free(&arena);
}

static void list_groups(struct buf *out, const struct report *report, const struct vllm_call *call) {
    buf_add_lit(out, "<h2>Inductor Compilation</h2>\n");
    if (!call->groups.count)
        buf_add_lit(out, "<p>No piece was compiled.</p>\n");
    for (size_t g = 0; g < call->groups.count; g++) {
        buf_add_lit(out, "<h3>");
        html_text(out, call->groups.items[g].label);
        buf_addf(out, " · %u subgraphs</h3>\n", call->groups.items[g].count);
        for (uint32_t p = call->groups.items[g].head; p != UINT32_MAX; p = call->pieces.items[p].next) {
            const struct vllm_piece *piece = &call->pieces.items[p];
            buf_add_lit(out, "<h4>");
            html_text(out, piece->name);
            buf_add_lit(out, "</h4>\n<ul>\n");
            for (size_t i = piece->first; i < end_of(report, piece->end); i++)
                if (of_piece(report, call, i))
                    list_artifact(out, &report->artifacts.items[i]);
            buf_add_lit(out, "</ul>\n");
        }
    }
}

void vllm_list_add(struct buf *out, const struct report *report) {
    if (!report->vllm_facts)
        return;
    uint32_t *owner = owners(report);
    buf_add_lit(out, "<h1>vLLM Compilation Summary</h1>\n<p><a href=\"tlparse_index.html\">The usual report</a></p>\n");
    for (size_t c = 0; c < report->vllm_facts->calls.count; c++) {
        const struct vllm_call *call = &report->vllm_facts->calls.items[c];
        if (report->vllm_facts->calls.count > 1)
            buf_addf(out, "<h2>Compile call %zu</h2>\n", c + 1);
        struct places dynamo = dynamo_of(report, c, owner);
        list_config(out, call);
        buf_add_lit(out, "<h2>Dynamo Compilation</h2>\n<ul>\n");
        for (size_t i = 0; i < dynamo.list.count; i++)
            list_artifact(out, &report->artifacts.items[dynamo.list.items[i]]);
        free(dynamo.list.items);
        buf_add_lit(out, "</ul>\n<h2>Piecewise Split Graph</h2>\n<ul>\n");
        if (call->split_graph >= 0)
            list_artifact(out, &report->artifacts.items[call->split_graph]);
        buf_add_lit(out, "</ul>\n");
        list_groups(out, report, call);
    }
    mem_free(owner);
}
