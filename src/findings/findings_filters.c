/* Conditions on tensors in comprehensions, generators, any() and all(): for each of them, Python decides how many items
 * there are, or whether to continue. At such a graph break, Dynamo has to reconstruct the generator, and often cannot:
 * this causes a second break on the line, which only follows from the first one.
 *
 * Tried with PyTorch 2.15 and fullgraph=True: torch.where() for the items of a sum and of a dict, weights, and
 * torch.stack([…]).any(). */
#include "findings/findings_failures.h"

/* Whether the line calls any() or all() on a generator. */
static const char *quantifier(struct slice code) {
    static const char *const names[] = {"any", "all"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t at = call_of(code, slice_str(names[i]));
        if (at != SIZE_MAX && slice_find(arguments_of(slice_from(code, at)), SLICE(" for ")) != SIZE_MAX)
            return names[i];
    }
    return NULL;
}

/* Whether the line has a comprehension with a condition on its items: "[x for x in xs if x.sum() > 0]". */
static bool filters(struct slice code) {
    static const struct slice words[] = {SLICE_INIT(" for "), SLICE_INIT(" in "), SLICE_INIT(" if ")};
    size_t at = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t found = slice_find(slice_from(code, at), words[i]);
        if (found == SIZE_MAX)
            return false;
        at += found + words[i].len - 1;
    }
    return slice_find(slice_from(code, at), SLICE(" else ")) == SIZE_MAX;
}

static bool is_of_data(const struct graph_break *found) {
    return slice_is(found->reason, "Data-dependent branching");
}

/* The user's line with the condition: PyTorch's own any() and all() test the yielded values. */
static struct slice code_of(const struct graph_break *found) {
    const struct frame *user = NULL, *last = found->stack.count ? &found->stack.items[found->stack.count - 1] : NULL;
    if (!last)
        return (struct slice){0};
    if (slice_find(last->file, SLICE("/torch/_dynamo/polyfills/")) != SIZE_MAX &&
        failure_library_called(found, &user) && user)
        return user->code;
    return last->code;
}

/* The data-dependent break on the same user line that caused the other one, which cannot reconstruct something. */
static const struct graph_break *cause_of(const struct model *model, const struct graph_break *found) {
    enum { BREAKS_MAX = 64 };
    bool rebuilds = slice_starts(found->reason, SLICE("Generator reconstruction")) ||
                    slice_is(found->reason, "Reconstruction failure");
    const struct compile *compile =
        rebuilds && found->skipped && found->compiles.count ? model->compiles.items[found->compiles.items[0]] : NULL;
    for (size_t i = 0; compile && i < compile->breaks.count && i < BREAKS_MAX; i++) {
        const struct graph_break *other = model->breaks.items[compile->breaks.items[i]];
        for (size_t f = 0; is_of_data(other) && f < other->stack.count && f < BREAKS_MAX; f++)
            if (other->stack.items[f].line == found->place.line &&
                slice_eq(other->stack.items[f].file, found->place.file))
                return other;
    }
    return NULL;
}

struct slice failure_filtered(struct findings *findings, const struct model *model, const struct graph_break *found) {
    const struct graph_break *cause = is_of_data(found) ? found : cause_of(model, found);
    struct slice code = cause ? code_of(cause) : (struct slice){0};
    const char *name = quantifier(code);
    const char *lead = cause == found ? "" : "Remove the data-dependent branch of this line, which leads to this. ";
    if (name)
        return finding_say(findings,
                           "%s`%s()` tests each item in Python. Keep a tensor, `torch.stack([…]).%s()`, and test it "
                           "outside of the compiled function.",
                           lead, name, name);
    if (filters(code))
        return finding_say(
            findings,
            "%sThe condition decides how many items there are, which a graph cannot hold. Keep all items, "
            "with `torch.where` or a weight for the others, or filter outside of the compiled function.",
            lead);
    return cause && cause != found ? SLICE("Remove the data-dependent branch of this line, which leads to this.")
                                   : (struct slice){0};
}
