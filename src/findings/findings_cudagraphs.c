/* CUDA graphs: skipped, never recorded, or recorded too often. */

#include "analysis/timeline.h"
#include "findings/findings_make.h"
#include "lowering/kernels.h"
#include "model/set_settings.h"
#include "scan/error_text.h"

enum {
    SKIP_TITLE_MAX = 200,
    OUTSIDE_LISTED = 5, /* calls outside of CUDA graphs */
};

/* Compiles that do not use CUDA graphs for the same reason. */
struct skips {
    uint32_t finding;
    LIST(uint32_t) whole;   /* without a backward in the log */
    LIST(uint32_t) forward; /* with a backward in the log */
    LIST(uint32_t) backward;
};

/* PyTorch writes "Found from" before the stack of the line that caused the skip. */
static void set_skip_place(struct finding *finding, const struct frame *frame, const struct compile *compile) {
    if (frame->file.ptr) {
        finding->place = (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
        finding->code = frame->code;
    } else {
        finding->place = finding_place(compile->frame, compile->stack);
    }
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
}

/* The key that equal skips share: the line, if there is one, and the reason without the graph's name for the input. */
static void add_skip_key(struct buf *key, struct slice reason, const struct frame *frame) {
    static const struct slice named = {"cpu device (", sizeof "cpu device (" - 1};
    BUF_ADD(key, frame->line, " ", frame->file);
    buf_add_byte(key, 0);
    buf_add(key, slice_starts(reason, named) ? named : reason);
}

struct all_skips {
    struct map seen;
    LIST(struct skips) list;
};

static void add_skip(struct findings *findings, struct all_skips *all, const struct model *model, uint32_t place,
                     bool backward) {
    const struct compile *compile = model->compiles.items[place];
    struct buf reason = {0}, key = {0};
    struct frame frame = {0};
    struct slice trace;
    bool added;
    cudagraph_skip_read(backward ? compile->backward_cudagraph_skip : compile->cudagraph_skip, &reason, &trace);
    if (!traceback_user_frame(trace, &frame))
        frame = (struct frame){0};
    add_skip_key(&key, buf_slice(&reason), &frame);
    uint32_t index = *map_put_in(&findings->scratch, &all->seen, buf_slice(&key), (uint32_t)all->list.count, &added);
    buf_free(&key);
    if (added) {
        struct skips one = {.finding = (uint32_t)findings->list.count};
        struct finding *finding = finding_add(findings, FINDING_CUDAGRAPH_SKIP, SEVERITY_WARNING, IMPACT_EVERY_STEP);
        finding->title = reason.len ? finding_say(findings, "CUDA graphs were skipped: %.*s",
                                                  SLICE_ARG(utf8_first(buf_slice(&reason), SKIP_TITLE_MAX)))
                                    : SLICE("CUDA graphs were skipped");
        finding->link = finding_link(findings, compile);
        set_skip_place(finding, &frame, compile);
        ARENA_ADD(&findings->scratch, &all->list, one);
    }
    buf_free(&reason);
    struct skips *skips = &all->list.items[index];
    if (backward) {
        ARENA_ADD(&findings->scratch, &skips->backward, place);
    } else if (compile->has_backward_metrics) {
        ARENA_ADD(&findings->scratch, &skips->forward, place);
    } else {
        ARENA_ADD(&findings->scratch, &skips->whole, place);
    }
    finding_name_compile(findings, &findings->list.items[skips->finding], place);
}

static void add_graphs(struct buf *out, const struct model *model, const uint32_t *items, size_t count,
                       const char *graph) {
    if (!count)
        return;
    buf_addf(out, "%s%s", out->len ? " " : "", graph);
    size_t names = finding_add_functions(out, model, items, count);
    buf_add_str(out, names == 1 ? " runs without CUDA graphs." : " run without CUDA graphs.");
}

static void add_skips(struct findings *findings, const struct model *model) {
    struct all_skips all = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        if (model->compiles.items[i]->cudagraph_skip.len)
            add_skip(findings, &all, model, i, false);
        if (model->compiles.items[i]->backward_cudagraph_skip.len)
            add_skip(findings, &all, model, i, true);
    }
    for (size_t i = 0; i < all.list.count; i++) {
        struct skips *skips = &all.list.items[i];
        struct buf why = {0};
        add_graphs(&why, model, skips->whole.items, skips->whole.count, "");
        add_graphs(&why, model, skips->forward.items, skips->forward.count, "The forward of ");
        add_graphs(&why, model, skips->backward.items, skips->backward.count, "The backward of ");
        findings->list.items[skips->finding].why = finding_keep(findings, &why);
    }
}

/* At this number of sizes of one graph, PyTorch warns: `triton.cudagraph_dynamic_shape_warn_limit`. */
enum { MANY = 8 };

static struct finding *add_counted(struct findings *findings, const struct model *model, uint32_t place,
                                   enum finding_kind kind, enum severity severity) {
    const struct compile *compile = model->compiles.items[place];
    struct finding *finding = finding_add(findings, kind, severity, IMPACT_EVERY_STEP);
    finding->place = finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    finding->link = finding_link(findings, compile);
    finding_name_compile(findings, finding, place);
    return finding;
}

/* A CUDA graph has fixed sizes, so a graph with dynamic sizes needs one for each. */
static void add_sizes(struct findings *findings, const struct model *model, uint32_t place, uint32_t prepared) {
    const struct compile *compile = model->compiles.items[place];
    struct finding *finding = add_counted(findings, model, place, FINDING_CUDAGRAPH_RECORDINGS, SEVERITY_WARNING);
    finding->title = finding_say(findings, "CUDA graphs of %.*s were prepared %" PRIu32 " times",
                                 SLICE_ARG(finding_subject(findings, compile, false)), prepared);
    finding->why =
        SLICE("A CUDA graph has fixed sizes: PyTorch records one for each size of a dynamic input, and for each "
              "part of a graph that is split. Each recording takes time and memory of the device.");
    finding->advice =
        SLICE("Pad inputs to a few sizes, or set "
              "`torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True`, which runs graphs with "
              "dynamic sizes without CUDA graphs.");
    finding->evidence = finding_say(findings, "%" PRIu32 " spans `cudagraphify.get_container` of %.*s", prepared,
                                    SLICE_ARG(compile->key));
}

/* The same graph was recorded again and again. */
static void add_again(struct findings *findings, const struct model *model, uint32_t place,
                      const struct cudagraph_counts *counts) {
    const struct compile *compile = model->compiles.items[place];
    struct finding *finding = add_counted(findings, model, place, FINDING_CUDAGRAPH_RECORDINGS, SEVERITY_WARNING);
    finding->title = finding_say(findings, "CUDA graphs of %.*s were recorded %" PRIu32 " times",
                                 SLICE_ARG(finding_subject(findings, compile, false)), counts->recorded);
    finding->why =
        finding_say(findings,
                    "PyTorch prepared %" PRIu32 ", and records one again if the address of a parameter changes, "
                    "or the order in which graphs are called. `TORCH_LOGS=cudagraphs` says which.",
                    counts->prepared);
    finding->advice = SLICE("Copy into parameters (`p.data.copy_(…)`) instead of replacing them, and call "
                            "`torch.compiler.cudagraph_mark_step_begin()` at the start of each step.");
    finding->evidence =
        finding_say(findings,
                    "%" PRIu32 " spans `CUDAGraphNode.record` and %" PRIu32 " `cudagraphify.get_container` of %.*s",
                    counts->recorded, counts->prepared, SLICE_ARG(compile->key));
}

/* Whether an operation of the step changes a tensor in place: "add_ = l_cache_.add_(l_x_)", or "setitem = …". */
static bool changes_in_place(const struct graph_step *step) {
    if (slice_find(step->text, SLICE("setitem")) != SIZE_MAX)
        return true;
    for (size_t at = 1; at + 1 < step->text.len; at++) {
        const char *text = step->text.ptr;
        size_t start = at;
        if (text[at] != '_' || text[at + 1] != '(')
            continue;
        while (start > 0 && is_word(text[start - 1]))
            start--;
        if (start > 0 && text[start - 1] == '.' && text[start] != '_')
            return true;
    }
    return false;
}

/* The line that mutates an input, if there is only one; NULL: unknown. */
static const struct graph_step *changing_step(const struct compile *compile) {
    const struct graph_step *found = NULL;
    for (uint32_t i = 0; compile->trace && !compile->trace->cut && i < compile->trace->count; i++) {
        const struct graph_step *step = &compile->trace->steps[i];
        if (!step->file.ptr || !changes_in_place(step))
            continue;
        if (found)
            return NULL;
        found = step;
    }
    return found;
}

/* PyTorch decides during the first calls, after the metrics of the compile have been written. */
static void add_none(struct findings *findings, const struct model *model, uint32_t place) {
    const struct compile *compile = model->compiles.items[place];
    struct finding *finding = add_counted(findings, model, place, FINDING_CUDAGRAPH_SKIP, SEVERITY_INFO);
    finding->title = finding_say(findings, "CUDA graphs of %.*s were prepared, and none was recorded",
                                 SLICE_ARG(finding_subject(findings, compile, false)));
    finding->why =
        SLICE("PyTorch skipped them, for example because the graph changes an input that is no parameter, or the "
              "graph ran once or twice only: it is recorded in a later call. `TORCH_LOGS=cudagraphs` says why.");
    const struct graph_step *step = compile->changed_inputs ? changing_step(compile) : NULL;
    if (step) {
        finding->place = (struct place){.file = step->file, .function = step->function, .line = step->line};
        finding->code = step->code;
    }
    if (compile->changed_inputs) {
        finding->why =
            finding_say(findings,
                        "The graph changes %" PRIu32
                        " input%s in place. PyTorch skips CUDA graphs for that, unless these are "
                        "parameters and buffers of modules; it also does while a graph has run once or twice only. "
                        "`TORCH_LOGS=cudagraphs` says why.",
                        compile->changed_inputs, compile->changed_inputs == 1 ? "" : "s");
        finding->advice = SLICE("Return the new value instead of changing the input, or make the input a buffer of a "
                                "module (`register_buffer`).");
    }
    finding->evidence =
        finding_say(findings, "`cudagraphify.get_container` of %.*s, and no `CUDAGraphNode.record`%s",
                    SLICE_ARG(compile->key),
                    compile->changed_inputs ? "; `mutates_data` in `aot_forward_graph_fw_metadata`" : "");
}

/* "`aten.sum` on the CPU (model.py:21)" */
static void add_outside_call(struct buf *out, const struct kernel *kernel) {
    const struct kernel_source *source = kernel_user_source(kernel);
    bool computes = kernel->ops.len && kernel->kind != KERNEL_TRITON;
    if (kernel->copies && kernel->from.ptr)
        buf_addf(out, "a copy %.*s → %.*s", SLICE_ARG(kernel->from), SLICE_ARG(kernel->to));
    else if (kernel->copies)
        buf_add_lit(out, "a copy to another device");
    else
        buf_addf(out, "`%.*s`%s", SLICE_ARG(computes ? kernel->ops : kernel->name),
                 kernel->outside == OUTSIDE_CPU ? " on the CPU"
                 : kernel->outside == OUTSIDE_UNBACKED
                     ? ", the size of whose result depends on values, with the assertions about it"
                     : "");
    if (source)
        buf_addf(out, " (%.*s:%" PRIu64 ")", SLICE_ARG(path_last(source->place.file)), source->place.line);
}

/* The calls in the code of a compile that are outside of the parts for CUDA graphs. */
struct outside {
    struct buf list;
    size_t count;
    uint32_t parts;
    bool cpu,
        own; /* cpu: all run on the CPU, or copy; own: an operator of a library or the program, which may have a tag */
};

static void find_outside(struct outside *outside, const struct model *model, uint32_t place) {
    const struct kernel *before = NULL;
    for (uint32_t k = kernels_first(model->kernels, place); k != UINT32_MAX; k = model->kernels->list.items[k].next) {
        const struct kernel *kernel = &model->kernels->list.items[k];
        if (!before || before->artifact != kernel->artifact)
            outside->parts += kernel->partitions;
        before = kernel;
        if (kernel->outside == OUTSIDE_NOT)
            continue;
        if (outside->count++ < OUTSIDE_LISTED) {
            buf_add_str(&outside->list, outside->list.len ? "; " : "");
            add_outside_call(&outside->list, kernel);
        }
        outside->cpu &= kernel->outside == OUTSIDE_CPU || kernel->outside == OUTSIDE_COPY;
        outside->own |= kernel->outside == OUTSIDE_OTHER && kernel->kind == KERNEL_EXTERN &&
                        slice_starts(kernel->name, SLICE("torch.ops.")) &&
                        !slice_starts(kernel->name, SLICE("torch.ops.aten."));
    }
    if (outside->count > OUTSIDE_LISTED)
        buf_addf(&outside->list, "; and %zu more", outside->count - OUTSIDE_LISTED);
}

/* PyTorch splits a graph around calls that a CUDA graph cannot contain. */
static void add_outside(struct findings *findings, const struct model *model, uint32_t place, uint32_t prepared) {
    const struct compile *compile = model->compiles.items[place];
    struct outside outside = {.cpu = true};
    find_outside(&outside, model, place);
    if (outside.count) {
        struct finding *finding = add_counted(findings, model, place, FINDING_CUDAGRAPH_SKIP, SEVERITY_INFO);
        finding->title = finding_say(findings, "CUDA graphs of %.*s leave out a part of its graph",
                                     SLICE_ARG(finding_subject(findings, compile, false)));
        finding->why =
            finding_say(findings,
                        "PyTorch has CUDA graphs for %" PRIu32 " %s of the graph, and runs %s outside of them: %.*s.%s",
                        outside.parts, outside.parts == 1 ? "part" : "parts", outside.count == 1 ? "this" : "these",
                        SLICE_ARG(buf_slice(&outside.list)),
                        outside.own ? " An operator is left out if it has the tag `torch.Tag.cudagraph_unsafe`, or if "
                                      "`torch._inductor.config.custom_should_partition_ops` names it."
                                    : "");
        if (outside.cpu)
            finding->advice = SLICE("With tensors on the GPU only, CUDA graphs can have all of the graph: create "
                                    "tensors there, and copy results to the CPU after the compiled function.");
        finding->evidence = finding_say(findings,
                                        "the parts `partition_0`… in the output code, and %" PRIu32
                                        " %s `cudagraphify.get_container` of %.*s",
                                        prepared, prepared == 1 ? "span" : "spans", SLICE_ARG(compile->key));
    }
    buf_free(&outside.list);
}

/* Whether other recordings in the log show that this version of PyTorch logs them. */
static bool logs_recordings(const struct timeline *timeline) {
    for (size_t i = 0; i < timeline->cudagraphs.count; i++)
        if (timeline->cudagraphs.items[i].recorded)
            return true;
    return false;
}

/* Whether all code that the compile generated is for the CPU. */
static bool is_of_cpu(const struct model *model, uint32_t place) {
    size_t count = 0;
    for (uint32_t k = kernels_first(model->kernels, place); k != UINT32_MAX; k = model->kernels->list.items[k].next) {
        const struct kernel *kernel = &model->kernels->list.items[k];
        if (kernel->kind != KERNEL_CPP)
            return false;
        count++;
    }
    return count > 0;
}

/* Whether the setting was on in this compile, according to its fx_graph_runnable. */
static bool has_cudagraphs(const struct model *model, uint32_t place) {
    for (size_t i = 0; model->set_settings && i < model->set_settings->list.count; i++) {
        const struct set_setting *set = &model->set_settings->list.items[i];
        bool on =
            set->kind == CONFIG_INDUCTOR && slice_is(set->name, "triton.cudagraphs") && slice_is(set->value, "true");
        for (size_t u = 0; on && u < set->users.count; u++)
            if (set->users.items[u] == place)
                return true;
    }
    return false;
}

/* A compile for which PyTorch prepared no CUDA graph, although it did for others. */
static void add_cpu(struct findings *findings, const struct model *model, uint32_t place) {
    const struct compile *compile = model->compiles.items[place];
    if (!compile->framed || compile->cudagraph_skip.len || !is_of_cpu(model, place) || !has_cudagraphs(model, place))
        return;
    struct finding *finding = add_counted(findings, model, place, FINDING_CUDAGRAPH_SKIP, SEVERITY_INFO);
    finding->expected = true;
    finding->title =
        finding_say(findings, "%.*s has no CUDA graph", SLICE_ARG(finding_subject(findings, compile, true)));
    finding->why = SLICE("All of its kernels are C++: it runs on the CPU.");
    finding->evidence =
        finding_say(findings, "the output code of %.*s, and no `cudagraphify.get_container`", SLICE_ARG(compile->key));
}

static void add_recordings(struct findings *findings, const struct model *model) {
    const struct timeline *timeline = model->timeline;
    struct map keys = {0};
    for (size_t i = 0; timeline && i < timeline->cudagraphs.count; i++)
        if (timeline->cudagraphs.items[i].prepared)
            map_put_in(&findings->scratch, &keys, timeline->ids.items[i], (uint32_t)i, NULL);
    for (uint32_t i = 0; keys.count && i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint32_t id = map_get(&keys, compile->key);
        if (id == MAP_NONE) {
            add_cpu(findings, model, i);
            continue;
        }
        const struct cudagraph_counts *counts = &timeline->cudagraphs.items[id];
        if (counts->prepared > MANY && compile->shapes[SHAPE_SYMBOL].count)
            add_sizes(findings, model, i, counts->prepared);
        else if (counts->recorded > MANY && counts->recorded / 2 > counts->prepared)
            add_again(findings, model, i, counts);
        else if (!counts->recorded && !compile->cudagraph_skip.len && !compile->backward_cudagraph_skip.len &&
                 logs_recordings(timeline))
            add_none(findings, model, i);
        if (counts->prepared && (counts->recorded || !logs_recordings(timeline)))
            add_outside(findings, model, i, counts->prepared);
    }
}

void findings_add_cudagraphs(struct findings *findings, const struct model *model) {
    add_skips(findings, model);
    add_recordings(findings, model);
}
