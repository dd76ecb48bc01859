/* How the exports of a log ended. */

#include "analysis/export_words.h"
#include "model/export_calls.h"
#include "model/extras.h"
#include "scan/guard_facts.h"

enum { SITES_MAX = 8, BOUNDS_SAID_MAX = 5 };

/* A call of torch.export, and the line of its first record. */
struct site {
    const struct stack_node *node;
    uint64_t line;
};

static void note_site(struct site *sites, size_t *count, const struct shape_record *symbol) {
    const struct stack_node *node = export_site(symbol->stack);
    for (size_t i = 0; node && i < *count; i++)
        if (sites[i].node->frame->line == node->frame->line && slice_eq(sites[i].node->frame->file, node->frame->file))
            return;
    if (!node || *count == SITES_MAX)
        return;
    size_t at = (*count)++;
    for (; at && sites[at - 1].line > symbol->line; at--)
        sites[at] = sites[at - 1];
    sites[at] = (struct site){node, symbol->line};
}

/* " The log has records of exports that were called at `a.py:36` and `a.py:40`." */
static void add_sites(struct buf *text, const struct model *model) {
    struct site sites[SITES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first;
        for (; symbol && count < SITES_MAX; symbol = symbol->next)
            note_site(sites, &count, symbol);
    }
    for (size_t i = 0; i < count; i++) {
        const struct frame *frame = sites[i].node->frame;
        BUF_ADD(text,
                !i              ? " It has symbols of exports that were called at `"
                : i + 1 < count ? "`, `"
                                : "` and `",
                path_last(frame->file), ":", frame->line);
    }
    buf_add_str(text, count == SITES_MAX ? "` and perhaps elsewhere." : count ? "`." : "");
}

/* Adds traces of exports that failed: PyTorch logs how far they got, but not the error. Their issue has more details.
 */
static void add_partial_traces(struct buf *text, const struct model *model) {
    size_t traces = 0;
    for (size_t i = 0; model->extras && i < model->extras->notices.count; i++) {
        const struct notice *notice = &model->extras->notices.items[i];
        const struct compile *compile = model->compiles.items[notice->compile];
        const struct stack_node *site = export_site_before(compile, notice->line);
        const struct export_call *call = export_call_at(model, compile, notice->line);
        if (notice->kind != NOTICE_PARTIAL_TRACE || !call || call->outcome != EXPORT_FAILED || call->failure >= 0 ||
            traces++ == SITES_MAX)
            continue;
        buf_add_lit(text, " A trace");
        if (site)
            buf_addf(text, " of the export that was called at `%.*s:%" PRIu64 "`",
                     SLICE_ARG(path_last(site->frame->file)), site->frame->line);
        buf_add_lit(text, " failed");
        if (notice->place.file.len)
            buf_addf(text, "; the last line that it reached is `%.*s:%" PRIu64 "`",
                     SLICE_ARG(path_last(notice->place.file)), notice->place.line);
        buf_add_byte(text, '.');
    }
    if (traces)
        buf_addf(text, " The log does not hold %s.", traces == 1 ? "its error" : "their errors");
}

static void add_bound(struct buf *text, const struct export_bound *bound) {
    buf_add_byte(text, '`');
    guard_readable_add(text, bound->symbol->source);
    if (bound->other) {
        buf_add_lit(text, " == ");
        guard_readable_add(text, bound->other->source);
    } else if (bound->divisor)
        buf_addf(text, " %% %" PRIu64 " == 0", bound->divisor);
    else
        buf_addf(text, " %s %" PRIu64, bound->constant ? "==" : bound->upper ? "<=" : ">=", bound->limit);
    buf_add_byte(text, '`');
    if (bound->place.file.ptr)
        buf_addf(text, " (`%.*s:%" PRIu64 "`)", SLICE_ARG(path_last(bound->place.file)), bound->place.line);
}

static bool is_same(const struct export_bound *a, const struct export_bound *b) {
    return a->limit == b->limit && a->upper == b->upper && a->constant == b->constant && a->divisor == b->divisor &&
           slice_eq(a->symbol->source, b->symbol->source) && !a->other == !b->other &&
           (!a->other || slice_eq(a->other->source, b->other->source));
}

/* Whether both sizes have the same limits, as sizes with the same `Dim` do. */
static bool is_one_range(const struct export_bound *bound) {
    return bound->other && slice_eq(bound->symbol->range, bound->other->range) &&
           slice_find(bound->symbol->range, SLICE("oo")) == SIZE_MAX;
}

static bool is_repeated(const struct exports *exports, size_t nth) {
    for (size_t i = 0; i < nth; i++)
        if (!exports->bounds.items[i].declared && !is_one_range(&exports->bounds.items[i]) &&
            is_same(&exports->bounds.items[i], &exports->bounds.items[nth]))
            return true;
    return false;
}

/* Adds guards on sizes without an upper limit: the log does not show whether they are named. */
static void add_undeclared(struct buf *text, const struct exports *exports) {
    size_t said = 0, more = 0;
    bool equal = false;
    for (size_t i = 0; i < exports->bounds.count; i++) {
        const struct export_bound *bound = &exports->bounds.items[i];
        if (bound->declared || is_one_range(bound) || is_repeated(exports, i) ||
            (said == BOUNDS_SAID_MAX && more++ < SIZE_MAX))
            continue;
        buf_add_str(text, said++ ? ", "
                                 : " If these sizes are named `Dim`s that do not state it, PyTorch rejects the "
                                   "guard, without a record: ");
        add_bound(text, bound);
        equal |= bound->other != NULL;
    }
    if (more)
        buf_addf(text, " and %zu more", more);
    if (said)
        buf_addf(text, ". %s`Dim.AUTO` allows %s.", equal ? "Sizes that must be equal need the same `Dim`; " : "",
                 said + more > 1 ? "all of them" : "it");
}

/* Guards that the `Dim`s of a call do not allow. */
static void add_bounds(struct buf *text, const struct exports *exports) {
    const struct export_call *last = NULL;
    size_t rejected = 0;
    for (size_t i = 0; i < exports->bounds.count; i++) {
        const struct export_bound *bound = &exports->bounds.items[i];
        rejected += bound->declared && bound->call != last;
        last = bound->declared ? bound->call : last;
    }
    if (rejected)
        buf_addf(text, " %zu %s a guard that `dynamic_shapes` does not allow: see the issues.", rejected,
                 rejected == 1 ? "export has" : "exports have");
    add_undeclared(text, exports);
}

struct tally {
    size_t all, of[EXPORT_OUTCOMES];
};

static struct tally count(const struct exports *exports) {
    struct tally tally = {.all = exports->calls.count};
    for (size_t i = 0; i < exports->calls.count; i++)
        tally.of[exports->calls.items[i].outcome]++;
    return tally;
}

/* "2 of 5 exports" */
static void add_share(struct buf *out, size_t part, size_t all) {
    if (all == 1)
        buf_add_lit(out, "The export");
    else if (part == all && all == 2)
        buf_add_lit(out, "Both exports");
    else if (part == all)
        buf_addf(out, "All %zu exports", all);
    else
        buf_addf(out, "%zu of %zu exports", part, all);
}

static void add_unknown(struct buf *text) {
    buf_add_lit(text,
                "PyTorch writes programs with `TORCH_DTRACE` only (a folder, instead of that of `TORCH_TRACE`), and "
                "errors of an export with `strict=False` may leave no record.");
}

/* Adds what is known about the other exports, besides those that failed. */
static void add_others(struct buf *text, const struct model *model, const struct tally *tally) {
    size_t traced = tally->of[EXPORT_TRACED], unknown = tally->of[EXPORT_UNKNOWN];
    if (tally->of[EXPORT_SUCCEEDED])
        buf_addf(text, " The log has the program%s of %zu.", tally->of[EXPORT_SUCCEEDED] > 1 ? "s" : "",
                 tally->of[EXPORT_SUCCEEDED]);
    if (tally->of[EXPORT_NO_PROGRAM])
        buf_addf(text, " It has neither the program nor the error of %zu.", tally->of[EXPORT_NO_PROGRAM]);
    if (traced)
        buf_addf(text, " Dynamo traced %zu without an error; how %s ended is not in the log.", traced,
                 traced > 1 ? "they" : "it");
    if (unknown)
        buf_addf(text, " How %zu ended is not in the log. ", unknown);
    if (unknown)
        add_unknown(text);
    add_bounds(text, model->exports);
}

static void add_failed(struct buf *title, struct buf *text, const struct model *model, const struct tally *tally) {
    size_t recorded = 0;
    for (size_t i = 0; i < model->exports->calls.count; i++)
        recorded += model->exports->calls.items[i].failure >= 0;
    bool open = tally->of[EXPORT_UNKNOWN] + tally->of[EXPORT_TRACED] + tally->of[EXPORT_NO_PROGRAM] > 0;
    buf_add_str(title, open ? "At least " : "");
    add_share(title, tally->of[EXPORT_FAILED], tally->all);
    buf_add_lit(title, " failed");
    if (recorded == tally->of[EXPORT_FAILED])
        buf_add_str(text, recorded == 1 ? " The log has its error." : " The log has their errors.");
    else if (recorded)
        buf_addf(text, " The log has the error%s of %zu.", recorded > 1 ? "s" : "", recorded);
    add_partial_traces(text, model);
    add_others(text, model, tally);
    if (!recorded)
        add_sites(text, model);
}

/* draft_export continues after the listed failures. */
static void add_succeeded(struct buf *title, struct buf *text, const struct exports *exports,
                          const struct tally *tally) {
    if (exports->failures.count) {
        add_share(title, tally->all, tally->all);
        buf_add_lit(title, " succeeded");
        buf_addf(text, " The log has the exported %s: `draft_export` went on past what is listed.",
                 tally->all == 1 ? "program" : "programs");
        return;
    }
    buf_add_lit(title, "No failures");
    buf_addf(text, " The log has the exported %s, and names nothing that stood in the way.",
             tally->all == 1 ? "program" : "programs");
}

static bool add_outcome(struct buf *title, struct buf *text, const struct model *model) {
    const struct exports *exports = model->exports;
    struct tally tally = count(exports);
    size_t programs = exports->programs.count;
    if (tally.of[EXPORT_FAILED]) {
        add_failed(title, text, model, &tally);
        return false;
    }
    if (tally.all && tally.of[EXPORT_SUCCEEDED] == tally.all && exports->starts <= programs) {
        add_succeeded(title, text, exports, &tally);
        return true;
    }
    if (tally.of[EXPORT_COMPILED]) {
        buf_add_lit(title, "The export succeeded");
        buf_add_lit(text,
                    " AOTInductor compiled a graph with its symbolic sizes afterwards. PyTorch writes programs with "
                    "`TORCH_DTRACE` only (a folder, instead of that of `TORCH_TRACE`).");
        return true;
    }
    if (programs || exports->starts) {
        buf_add_lit(title, "Some exports have no program");
        buf_addf(text, " %" PRIu64 " exports began, and the log has %zu %s. It does not say why the others have none.",
                 exports->starts, programs, programs == 1 ? "program" : "programs");
        return false;
    }
    buf_add_lit(title, "No failures in the log");
    buf_add_lit(text, " The log has neither an error of the export nor an exported program. ");
    add_unknown(text);
    add_bounds(text, exports);
    buf_add_lit(text, " Whether the export succeeded is not in the log.");
    add_sites(text, model);
    return false;
}

bool export_add_outcome(struct buf *title, struct buf *text, const struct model *model) {
    AUTO_BUF words = {0};
    bool known = add_outcome(title, &words, model);
    buf_add(text, slice_trim(buf_slice(&words)));
    return known;
}
