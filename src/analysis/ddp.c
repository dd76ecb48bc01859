#include "analysis/identity.h"

/* A split graph and the artifacts that follow it in the folder of its compile. */
struct split {
    struct model *model;
    uint32_t folder;
    LIST(struct slice) names;
    LIST(uint32_t) artifacts; /* after the records of the submodules; indices into model->artifacts */
    bool ended;               /* guards were logged, so all submodules are compiled */
};

static struct artifact *artifact_at(const struct split *split, size_t i) {
    return &split->model->artifacts.items[split->artifacts.items[i]];
}

/* "aotautograd_cache_miss" and "…_bypass" have the same stem. */
static struct slice stem(const struct artifact *artifact) {
    size_t cache = slice_find(artifact->name, SLICE("_cache_"));
    return cache == SIZE_MAX ? artifact->name : slice_first(artifact->name, cache);
}

static bool is_begin(const struct split *split, size_t i) {
    return slice_eq(stem(artifact_at(split, i)), stem(artifact_at(split, 0)));
}

static bool is_told(const struct split *split) {
    size_t begins = 0;
    for (size_t i = 0; i < split->artifacts.count; i++) {
        if (slice_is(artifact_at(split, i)->name, "aotautograd_cache_hit"))
            return false;
        begins += is_begin(split, i);
    }
    return split->ended ? begins == split->names.count : begins <= split->names.count;
}

static void name_artifacts(struct split *split) {
    size_t begins = 0;
    if (split->names.count && is_told(split))
        for (size_t i = 0; i < split->artifacts.count; i++) {
            begins += is_begin(split, i);
            if (!artifact_at(split, i)->subgraph.ptr)
                artifact_at(split, i)->subgraph = split->names.items[begins - 1];
        }
    split->names.count = split->artifacts.count = 0;
    split->ended = false;
}

static void visit(struct split *split, uint32_t place) {
    static const struct slice child = {"optimize_ddp_split_child", sizeof "optimize_ddp_split_child" - 1};
    struct artifact *artifact = &split->model->artifacts.items[place];
    bool open = split->names.count && !split->ended && artifact->folder == split->folder;
    if (slice_is(artifact->kind, "optimize_ddp_split_graph")) {
        name_artifacts(split);
        split->folder = artifact->folder;
    } else if (slice_eq(artifact->kind, child) && (open || !split->names.count) && !split->artifacts.count) {
        split->folder = artifact->folder;
        MEM_GROW(&split->names);
        artifact->subgraph = slice_from(artifact->name, child.len + 1); /* the part after the kind's name and "_" */
        split->names.items[split->names.count++] = artifact->subgraph;
    } else if (open && slice_starts(artifact->kind, SLICE("dynamo_"))) {
        split->ended = true;
        name_artifacts(split);
    } else if (open) {
        LIST_ADD(&split->artifacts, place);
    }
}

void ddp_name_submodules(struct model *model) {
    struct split split = {.model = model};
    for (size_t c = 0; c < model->compiles.count; c++) {
        const struct compile *compile = model->compiles.items[c];
        for (size_t i = 0; i < compile->artifacts.count; i++)
            visit(&split, compile->artifacts.items[i]);
        name_artifacts(&split);
    }
    mem_free(split.names.items);
    mem_free(split.artifacts.items);
}
