#include "lowering/kernel_cached.h"

#include "lowering/kernels.h"
#include "scan/graph_trace.h"

static bool is_hit(const struct compile *compile) {
    for (size_t i = 0; i < compile->caches.count; i++)
        if (compile->caches.items[i].outcome == OUTCOME_HIT)
            return true;
    return false;
}

/* The lines of the compile's Dynamo graph → index of the first step at each. */
static void index_steps(struct map *lines, const struct graph_trace *trace) {
    AUTO_BUF key = {0};
    map_free(lines);
    for (uint32_t i = 0; i < trace->count; i++) {
        key.len = 0;
        buf_addf(&key, "%" PRIu32 " %.*s", trace->steps[i].line, SLICE_ARG(trace->steps[i].file));
        map_put(lines, buf_slice(&key), i, NULL);
    }
}

static bool has_line(const struct map *lines, const struct graph_trace *trace, const struct kernel_source *source) {
    AUTO_BUF key = {0};
    buf_addf(&key, "%" PRIu64 " %.*s", source->place.line, SLICE_ARG(source->place.file));
    uint32_t step = map_get(lines, buf_slice(&key));
    if (step == MAP_NONE)
        return false;
    struct slice own = slice_trim(trace->steps[step].code), code = slice_trim(source->code);
    return !own.len || !code.len || slice_eq(own, code);
}

static bool has_lines(const struct map *lines, const struct graph_trace *trace, const struct kernel *kernel) {
    for (uint32_t i = 0; i < kernel->source_count; i++)
        if (!has_line(lines, trace, &kernel->sources[i]))
            return false;
    return true;
}

void kernels_check_cached(struct model *model) {
    AUTO_MAP lines = {0};
    uint32_t indexed = UINT32_MAX;
    for (size_t i = 0; model->kernels && i < model->kernels->list.count; i++) {
        struct kernel *kernel = &model->kernels->list.items[i];
        const struct compile *compile = model->compiles.items[kernel->compile];
        const struct graph_trace *trace = compile->trace;
        if (!kernel->source_count || !trace || !trace->count || trace->cut || !is_hit(compile))
            continue;
        if (indexed != kernel->compile)
            index_steps(&lines, trace);
        indexed = kernel->compile;
        if (has_lines(&lines, trace, kernel))
            continue;
        kernel->sources = NULL;
        kernel->source_count = 0;
        kernel->foreign = true;
    }
}
