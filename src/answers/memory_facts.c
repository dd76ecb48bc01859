#include "answers/memory_facts.h"

#include "answers/report_doc.h"
#include "answers/term.h"

/* The graphs of a log. */
struct memory_facts {
    uint64_t graphs, not_derived;
    yyjson_val *peak, *saved; /* those with the most; NULL: none is known */
    int64_t peak_bytes, saved_bytes;
    bool at_least; /* a graph may need more than the largest peak that is known */
};

/* With what the forward saved, if that is known. */
static int64_t peak_of(yyjson_val *graph) {
    int64_t bytes;
    if (report_number(graph, "whole_peak_bytes", &bytes) || report_number(graph, "peak_bytes", &bytes))
        return bytes;
    return -1;
}

static void look_at(struct memory_facts *facts, yyjson_val *graph) {
    int64_t peak = peak_of(graph), saved;
    facts->graphs++;
    facts->not_derived += !json_truthy(json_get(graph, "derived"));
    facts->at_least |= json_truthy(json_get(graph, "at_least"));
    if (peak > facts->peak_bytes) {
        facts->peak = graph;
        facts->peak_bytes = peak;
    }
    if (report_number(graph, "saved_bytes", &saved) && saved > facts->saved_bytes) {
        facts->saved = graph;
        facts->saved_bytes = saved;
    }
}

static struct memory_facts facts_of(yyjson_val *root) {
    struct memory_facts facts = {0};
    size_t i, max;
    yyjson_val *graph;
    yyjson_arr_foreach(json_get(root, "memory"), i, max, graph) {
        look_at(&facts, graph);
    }
    facts.not_derived += report_count(root, "more_memory");
    facts.graphs += report_count(root, "more_memory");
    return facts;
}

void facts_add_memory(struct buf *out, yyjson_val *root) {
    struct memory_facts facts = facts_of(root);
    if (facts.peak) {
        buf_add_str(out, facts.at_least ? "at least " : "");
        unit_add_bytes(out, (uint64_t)facts.peak_bytes);
        BUF_ADD(out, " at a time (", json_get_text(facts.peak, "compile"));
        struct slice direction = json_get_text(facts.peak, "direction");
        BUF_ADD(out, direction.len ? " " : "", direction, ")");
    }
    if (facts.saved) {
        buf_add_str(out, ", ");
        unit_add_bytes(out, (uint64_t)facts.saved_bytes);
        BUF_ADD(out, " saved for the backward of ", json_get_text(facts.saved, "compile"));
    }
    if (!facts.not_derived)
        return;
    BUF_ADD(out, out->len ? "; " : "", facts.not_derived, " of ");
    unit_add_plural(out, facts.graphs, "graph", NULL);
    buf_add_lit(out, " not derived");
}

static void add_graph(struct jsonw *w, const char *key, yyjson_val *graph, int64_t bytes) {
    if (!graph) {
        jsonw_null(w, key);
        return;
    }
    jsonw_object(w, key);
    jsonw_value(w, "compile", json_get(graph, "compile"));
    jsonw_value(w, "direction", json_get(graph, "direction"));
    jsonw_i64(w, "bytes", bytes);
    jsonw_end_object(w);
}

void memory_add_json(struct jsonw *w, yyjson_val *root) {
    struct memory_facts facts = facts_of(root);
    if (!facts.graphs)
        return;
    jsonw_object(w, "memory");
    JSON_MEMBERS(w, &facts, graphs, not_derived);
    jsonw_bool(w, "at_least", facts.at_least);
    add_graph(w, "peak", facts.peak, facts.peak_bytes);
    add_graph(w, "saved", facts.saved, facts.saved_bytes);
    jsonw_end_object(w);
}
