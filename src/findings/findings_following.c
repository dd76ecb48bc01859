/* Graph breaks at backward() that other breaks follow: PyTorch's hint has no effect until all of them are removed. */

#include "findings/findings_failures.h"

enum { LINES_MAX = 16, LINES_SAID = 6, BREAKS_MAX = 1024, COMPILES_MAX = 1024 };

/* Lines of the function after that of the break, in order. */
struct lines {
    uint64_t items[LINES_MAX];
    size_t count;
};

static void put(struct lines *lines, uint64_t line) {
    size_t at = lines->count;
    while (at > 0 && lines->items[at - 1] > line)
        at--;
    if ((at > 0 && lines->items[at - 1] == line) || at == LINES_MAX)
        return;
    lines->count += lines->count < LINES_MAX;
    for (size_t i = lines->count - 1; i > at; i--)
        lines->items[i] = lines->items[i - 1];
    lines->items[at] = line;
}

static void put_break(struct lines *lines, const struct graph_break *other, const struct place *place) {
    for (size_t i = 0; i < other->stack.count; i++) {
        const struct frame *frame = &other->stack.items[i];
        if (frame->line > place->line && slice_eq(frame->file, place->file) &&
            slice_eq(frame->function, place->function))
            put(lines, frame->line);
    }
}

/* Whether the call keeps the graph for backward(). Only the first line of the call is known. */
static bool keeps_graph(const struct graph_break *found) {
    struct slice code = found->stack.count ? found->stack.items[found->stack.count - 1].code : (struct slice){0};
    return slice_find(code, SLICE("create_graph=True")) != SIZE_MAX ||
           slice_find(code, SLICE("retain_graph=True")) != SIZE_MAX;
}

static bool is_grad(const struct graph_break *found) {
    return slice_find(found->reason, SLICE("torch.autograd.grad")) != SIZE_MAX;
}

/* Tried with PyTorch 2.15: a returned tensor, or one that the rest after a graph break needs, must not have a graph
 * that the call freed. After `loss.backward()`, only the value of the loss can be used. A loss passed to
 * torch.autograd.grad() may still be meant for backward(). */
const char *failure_autograd_note(const struct graph_break *found) {
    if (is_grad(found))
        return keeps_graph(found)
                 ? " If the function itself calls `requires_grad_()` on a tensor that it makes, call that before the "
                   "compiled function."
                 : " It has no effect if the function returns, or a graph break leaves, what the gradients were "
                   "computed from, such as the loss: pass `retain_graph=True` if `backward()` follows, otherwise "
                   "return `loss.detach()`.";
    return keeps_graph(found)
             ? " Gradients are then inputs: if they accumulate, calls that find none need a version of their own."
             : " It has no effect if the function returns the loss itself (return `loss.detach()`), or if a graph "
               "break follows, such as in `optimizer.step()`. Gradients are then inputs: if they accumulate, calls "
               "that find none need a version of their own.";
}

struct slice failure_following(struct findings *findings, const struct model *model, const struct graph_break *found,
                               struct slice hint) {
    struct lines lines = {0};
    struct buf text = {0};
    if (slice_find(hint, SLICE("trace_autograd_ops")) == SIZE_MAX || !found->compiles.count ||
        (is_grad(found) && keeps_graph(found))) /* a later break leaves the tensors that it needs */
        return (struct slice){0};
    size_t first = found->compiles.items[0], seen = 0; /* the rest of the function is compiled soon afterwards */
    for (size_t c = first; c < model->compiles.count && c - first < COMPILES_MAX; c++) {
        const struct compile *compile = model->compiles.items[c];
        for (size_t b = 0; b < compile->breaks.count && seen < BREAKS_MAX; b++, seen++)
            if (model->breaks.items[compile->breaks.items[b]] != found)
                put_break(&lines, model->breaks.items[compile->breaks.items[b]], &found->place);
    }
    if (!lines.count)
        return (struct slice){0};
    size_t said = lines.count < LINES_SAID ? lines.count : LINES_SAID;
    buf_addf(&text, "Call what breaks the graph at %.*s", SLICE_ARG(path_last(found->place.file)));
    for (size_t i = 0; i < said; i++)
        buf_addf(&text, "%s:%" PRIu64, i == 0 ? "" : i + 1 == lines.count ? " and " : ", ", lines.items[i]);
    if (said < lines.count)
        buf_add_lit(&text, " and later lines");
    buf_add_lit(&text, " outside of the compiled function, and set `torch._dynamo.config.trace_autograd_ops = True`");
    if (is_grad(found) || keeps_graph(found))
        buf_addf(&text, ".%s", failure_autograd_note(found));
    else
        buf_add_lit(&text,
                    ": it has no effect while the loss is needed after a graph break, nor if the function returns the "
                    "loss itself (return `loss.detach()`). Gradients are then inputs: if they accumulate, calls that "
                    "find none need a version of their own.");
    return finding_keep(findings, &text);
}
