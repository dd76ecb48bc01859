#include "answers/memory_facts.h"
#include "answers/sentences.h"
#include "answers/summary.h"
#include "answers/term.h"

/* A fact with this text, unless it is empty. Empties the text. */
static void add_fact(struct summary_facts *facts, const char *label, struct buf *text) {
    if (text->len)
        LIST_ADD(&facts->items, (struct summary_fact){label, arena_slice(&facts->arena, buf_slice(text))});
    text->len = 0;
}

/* Adds ": " and the details, if there are any. */
static void add_details(struct buf *text, void (*add)(struct buf *, yyjson_val *), yyjson_val *value) {
    size_t before = text->len;
    buf_add_lit(text, ": ");
    add(text, value);
    if (text->len == before + 2)
        text->len = before;
}

/* Which functions run compiled code, and the first ones that do not. */
static void add_coverage(struct summary_facts *facts, yyjson_val *root, struct buf *text) {
    enum { SHOWN = 3 };
    uint64_t without = report_count(json_get(json_get(root, "coverage"), "counts"), "not");
    facts_add_coverage(text, root);
    add_fact(facts, "Functions", text);
    for (size_t i = 0; i < SHOWN && i < without; i++) {
        facts_add_uncompiled(text, root, i);
        add_fact(facts, i ? NULL : "Not compiled", text);
    }
    if (without > SHOWN)
        buf_addf(text, "%" PRIu64 " more", without - SHOWN);
    add_fact(facts, NULL, text);
}

static void add_times(struct summary_facts *facts, yyjson_val *root, struct buf *text) {
    yyjson_val *totals = json_get(root, "totals");
    int64_t us;
    if (facts_add_compile_time(text, root))
        add_fact(facts, "Compile time", text);
    if (report_number(totals, "restart_us", &us) && us) {
        unit_add_time(text, us);
        buf_add_lit(text, " in discarded traces");
        add_fact(facts, NULL, text);
    }
    if (report_number(totals, "runtime_us", &us) && us) {
        unit_add_time(text, us);
        buf_add_lit(text, " (not part of compile time)");
        add_fact(facts, "Run time", text);
    }
    facts_add_parts(text, root);
    add_fact(facts, "Spent on", text);
    facts_add_first(text, root);
    add_fact(facts, "First", text);
}

/* What runs, according to a profile, and what never does. */
static void add_profile(struct summary_facts *facts, yyjson_val *root, struct buf *text) {
    yyjson_val *profile = json_get(root, "profile");
    const char *label = "Profile";
    for (size_t i = 0; facts_add_refused(text, profile, i); i++) {
        label = text->len ? NULL : label;
        add_fact(facts, text->len ? "Profile" : NULL, text);
    }
    if (facts_add_regions(text, profile)) {
        add_fact(facts, label, text);
        label = NULL;
    }
    if (facts_add_graph_calls(text, profile)) {
        add_fact(facts, label, text);
        facts_add_eager(text, profile);
        add_fact(facts, NULL, text);
        facts_add_gap(text, profile);
        add_fact(facts, NULL, text);
    }
    if (facts_add_devices(text, profile))
        add_fact(facts, "Devices", text);
    for (size_t i = 0; facts_add_never_ran(text, root, i); i++)
        add_fact(facts, i ? NULL : "Never ran", text);
    for (size_t i = 0; facts_add_hot_line(text, profile, i); i++)
        add_fact(facts, i ? NULL : "Lines", text);
}

void summary_facts_find(struct summary_facts *facts, const struct report_doc *report) {
    yyjson_val *root = report->root, *totals = json_get(root, "totals");
    bool runs = report->kind == DOC_RUNS;
    AUTO_BUF text = {0};
    *facts = (struct summary_facts){0};
    if (report->kind != DOC_RUN)
        facts_add_logs(&text, root, runs);
    add_fact(facts, runs ? "Runs" : "Ranks", &text);
    if (!runs) {
        unit_add_count(&text, report_count(totals, "compiles"));
        add_details(&text, facts_add_statuses, totals);
        add_fact(facts, "Compiles", &text);
        facts_add_exports(&text, root);
        add_fact(facts, "Exports", &text);
        add_coverage(facts, root, &text);
        add_times(facts, root, &text);
        facts_add_memory(&text, root);
        add_fact(facts, "Memory", &text);
        add_profile(facts, root, &text);
        if (report->kind == DOC_RANKS && facts_add_rank_runs(&text, root))
            add_fact(facts, "Profile", &text);
        facts_add_events(&text, totals);
        add_fact(facts, "Events", &text);
        facts_add_guards(&text, root);
        add_fact(facts, "Guards", &text);
        facts_add_caches(&text, json_get(root, "caches"));
        add_fact(facts, "Caches", &text);
    }
}

void summary_facts_finish(struct summary_facts *facts) {
    mem_free(facts->items.items);
    arena_free(&facts->arena);
}
