/* Breaks at functions that Dynamo does not trace and for which PyTorch's hints do not help. */

#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "scan/guard_text.h"

/* Whether the break is a method of a list, dict or set in the rest of a line that another break split. In a whole line,
 * Dynamo traces it; in the rest, the object is a value from before the break. */
static bool is_rest_of_line(const struct model *model, const struct graph_break *found, struct slice name) {
    uint64_t line = 0;
    if (!slice_starts(name, SLICE("list.")) && !slice_starts(name, SLICE("dict.")) &&
        !slice_starts(name, SLICE("set.")))
        return false;
    for (size_t i = 0; i < found->compiles.count; i++) {
        resumed_function(model->compiles.items[found->compiles.items[i]]->frame.function, &line);
        if (line != found->place.line)
            return false;
    }
    return found->compiles.count > 0;
}

/* The object that PyTorch could not put into a graph, and for which it has no hint. */
static struct slice uncaptured(const struct graph_break *found) {
    static const struct slice event = SLICE_INIT("doesn't support tracing the "),
                              target = SLICE_INIT("target: <function ");
    if (slice_is(found->reason, "Unsupported event method")) {
        struct slice method = text_between(found->explanation, event, SLICE(" method"));
        size_t dot = slice_rfind_byte(method, '.');
        return dot == SIZE_MAX ? method : slice_from(method, dot + 1);
    }
    return slice_is(found->reason, "torch.* op returned non-Tensor")
             ? text_between(found->context, target, SLICE(" at 0x"))
             : (struct slice){0};
}

struct slice failure_builtin(struct findings *findings, const struct model *model, const struct graph_break *found) {
    static const struct slice unknown = SLICE_INIT("<unknown module>.");
    struct slice name = text_between(found->explanation, SLICE("does not know how to trace the builtin `"), SLICE("`"));
    name.len -= slice_ends(name, SLICE(".")); /* of the sentence */
    slice_cut_start(&name, unknown);
    name = name.len ? name : uncaptured(found);
    if (slice_starts(found->reason, SLICE("Unsupported Tensor.backward() call")) && !found->library)
        return SLICE("Return the loss, and call `backward()` outside of the compiled function.");
    if (found->library || !name.len)
        return (struct slice){0};
    if (slice_is(found->reason, "Unsupported event method"))
        return finding_say(
            findings,
            "Record the events and call `%.*s` outside of the compiled function: in a graph, their records "
            "need not stay around the operations between them.",
            SLICE_ARG(name));
    return is_rest_of_line(model, found, name)
             ? finding_say(findings,
                           "Fix the other graph break at %.*s:%" PRIu64 " first: this one only follows from it.",
                           SLICE_ARG(path_last(found->place.file)), found->place.line)
             : finding_say(findings, "Call `%.*s` outside of the compiled function.", SLICE_ARG(name));
}

/* Whether the backend runs AOTAutograd; true if the log has no graph that shows it. */
static bool may_use_aot(const struct model *model) {
    bool graphs = false;
    for (size_t i = 0; i < model->kinds.count; i++) {
        if (slice_starts(model->kinds.items[i].key, SLICE("aot_")))
            return true;
        graphs |= slice_is(model->kinds.items[i].key, "dynamo_output_graph");
    }
    return !graphs;
}

/* The effect of following the hint for RNNs. The log does not show the class. */
static const char *rnn_note(const struct model *model) {
    bool may_be_on_cpu = model->cpu_tensors || !model->cuda_tensors;
    return may_be_on_cpu && may_use_aot(model)
             ? "`RNN` and `GRU` are then traced. With a backend that uses AOTAutograd, as Inductor "
               "does, an `LSTM` on the CPU raises an error in PyTorch 2.15 unless it runs without "
               "gradients."
             : "PyTorch then traces the module.";
}

/* Whether the program packs sequences, which breaks the graph. A traced RNN breaks it at their sizes. */
static bool packs_sequences(const struct model *model) {
    for (size_t i = 0; i < model->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[i];
        for (size_t c = 0; c < found->callees.count; c++)
            if (slice_is(found->callees.items[c], "pack_padded_sequence") ||
                slice_is(found->callees.items[c], "pack_sequence"))
                return true;
    }
    return false;
}

struct slice failure_rnn(struct findings *findings, const struct model *model, struct slice hint) {
    if (packs_sequences(model))
        return SLICE(
            "Call the module outside of the compiled function: `allow_rnn` does not help with packed sequences.");
    return finding_say(findings, "%.*s%s %s", SLICE_ARG(hint), slice_ends(hint, SLICE(".")) ? "" : ".",
                       rnn_note(model));
}
