/* findings_others.c - PyTorch's hints besides the first one, and the hints of other breaks on the line. */

#include "analysis/advice_words.h"
#include "analysis/break_lines.h"
#include "findings/findings_failures.h"
#include "scan/error_text.h"

struct slice failure_hints(struct findings *findings, const struct slice *hints, size_t count, struct slice hint) {
    struct buf text = {0};
    bool self = false;
    buf_add(&text, hint);
    for (size_t i = 0; i < count && hint.len; i++) {
        struct slice other = slice_trim(hints[i]);
        bool more = self && break_hint_is_advice(other) && !slice_eq(other, hint) &&
                    slice_find(other, SLICE("using the debug context")) == SIZE_MAX; /* it adds no way */
        self |= slice_eq(other, hint); /* a rewritten hint is complete by itself */
        if (!more)
            continue;
        BUF_ADD(&text, slice_ends(buf_slice(&text), SLICE(".")) ? " " : ". ", other);
    }
    return finding_keep(findings, &text);
}

/* Tried with PyTorch 2.15: after `torch._check(n > 2)`, the test of a captured size or number is no break. */
struct slice failure_annotate(struct findings *findings, const struct graph_break *found) {
    static const struct slice check =
        SLICE_INIT("If the condition is the same for all data, state it before this line with `torch._check()`");
    struct slice code =
        found && found->stack.count ? found->stack.items[found->stack.count - 1].code : (struct slice){0};
    struct slice decision = line_tests(code) ? failure_decision(findings, (struct slice){0}, code) : (struct slice){0};
    if (!decision.len || failure_raises(code) || slice_starts(slice_trim(code), SLICE("while ")))
        return finding_say(findings, "%.*s; a branch that depends on the data breaks the graph.", SLICE_ARG(check));
    return finding_say(findings, "%.*s. %.*s", SLICE_ARG(check), SLICE_ARG(decision));
}

static bool is_looped(const struct graph_break *found) {
    return slice_is(found->reason, "graph break in loop");
}

static struct slice key_of(struct buf *key, const struct graph_break *found) {
    key->len = 0;
    BUF_ADD(key, found->place.line, " ", found->place.file);
    return buf_slice(key);
}

/* PyTorch gives no cause if it leaves a frame because of a break in a loop of a function that the frame calls. */
void failure_add_looped(struct findings *findings, const struct model *model, uint32_t first) {
    struct map lines = {0}; /* (line, file) → the first break that has advice */
    AUTO_BUF key = {0};
    for (uint32_t i = 0; i < model->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[i];
        if (found->place.file.ptr && !is_looped(found) && findings->list.items[first + i].advice.len)
            map_put_in(&findings->scratch, &lines, key_of(&key, found), i, NULL);
    }
    for (uint32_t i = 0; i < model->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[i];
        struct finding *finding = &findings->list.items[first + i];
        uint32_t at = found->place.file.ptr && is_looped(found) && !finding->advice.len
                        ? map_get(&lines, key_of(&key, found))
                        : MAP_NONE;
        if (at == MAP_NONE)
            continue;
        const struct finding *other = &findings->list.items[first + at];
        finding->why = finding_say(findings, "%.*s Another issue names the graph break at this line: %.*s.",
                                   SLICE_ARG(finding->why), SLICE_ARG(model->breaks.items[at]->reason));
        finding->advice = other->advice;
        finding->evidence = other->evidence;
    }
}
