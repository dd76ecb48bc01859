/* Float32 matrix products that could run on TensorFloat32 tensor cores. */

#include "findings/findings_make.h"
#include "model/cache_keys.h"
#include "model/guard_sets.h"

enum { TF32_CAPABILITY = 80 };

enum tf32 { TF32_UNKNOWN, TF32_OFF, TF32_ON };

/* torch.backends.cuda.matmul.fp32_precision, or allow_tf32 before PyTorch 2.9: "('none', True, True)". */
static enum tf32 tf32_of_key(const struct model *model, uint32_t key) {
    static const struct slice off[] = {SLICE_INIT("('none',"), SLICE_INIT("('ieee',"), SLICE_INIT("(False,")},
                              on[] = {SLICE_INIT("('tf32',"), SLICE_INIT("(True,")};
    struct slice name, value;
    for (uint32_t i = 0; cache_keys_component(model, key, i, &name, &value); i++) {
        if (!slice_is(name, "cuda_matmul_settings") || !value.ptr)
            continue;
        for (size_t k = 0; k < sizeof off / sizeof *off; k++)
            if (slice_starts(value, off[k]))
                return TF32_OFF;
        for (size_t k = 0; k < sizeof on / sizeof *on; k++)
            if (slice_starts(value, on[k]))
                return TF32_ON;
    }
    return TF32_UNKNOWN;
}

/* Whether the setting is on in the compile. Unknown if its records contradict each other. */
static enum tf32 tf32_of(const struct model *model, const struct compile *compile) {
    struct slice guard = guard_set_get(model, compile, ASPECT_GLOBAL, (struct slice){0}, SLICE("allow_tf32"));
    enum tf32 found = slice_is(guard, "False") ? TF32_OFF : slice_is(guard, "True") ? TF32_ON : TF32_UNKNOWN;
    for (size_t i = 0; i < compile->caches.count; i++) {
        enum tf32 key = tf32_of_key(model, compile->caches.items[i].components);
        if (key != TF32_UNKNOWN && found != TF32_UNKNOWN && key != found)
            return TF32_UNKNOWN;
        found = key == TF32_UNKNOWN ? found : key;
    }
    return found;
}

static struct slice key_of(const struct compile *compile) {
    return slice_make((const char *)&compile->process, sizeof compile->process);
}

/* The lowest compute capability of the devices of each process. */
static void find_capabilities(struct map *lowest, const struct model *model) {
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile->cuda_capability)
            continue;
        uint32_t *known = map_put(lowest, key_of(compile), compile->cuda_capability, NULL);
        *known = compile->cuda_capability < *known ? compile->cuda_capability : *known;
    }
}

void findings_add_float32(struct findings *findings, const struct model *model) {
    struct finding *finding = NULL;
    struct map capabilities = {0};
    uint64_t products = 0;
    uint32_t lowest = UINT32_MAX;
    find_capabilities(&capabilities, model);
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint32_t capability = compile->float32_products ? map_get(&capabilities, key_of(compile)) : MAP_NONE;
        if (capability == MAP_NONE || capability < TF32_CAPABILITY || tf32_of(model, compile) != TF32_OFF)
            continue;
        if (!finding) {
            finding = finding_add(findings, FINDING_FLOAT32_MATMUL, SEVERITY_INFO, IMPACT_EVERY_STEP);
            finding_set_place(findings, finding, compile);
            if (compile->float32_place.file.ptr && !is_library_file(compile->float32_place.file))
                finding->place = compile->float32_place;
        }
        finding_name_compile(findings, finding, i);
        products += compile->float32_products;
        lowest = capability < lowest ? capability : lowest;
    }
    map_free(&capabilities);
    if (!finding)
        return;
    struct buf why = {0};
    finding->cost = COST_RUN_TIME;
    finding->title = SLICE("Float32 matrix products run without TensorFloat32 tensor cores");
    buf_addf(&why, "The graphs of ");
    finding_add_functions(&why, model, finding->compiles.items, finding->compiles.count);
    buf_addf(&why,
             " have %" PRIu64 " %s of float32 matrices on a GPU of compute capability %" PRIu32 ".%" PRIu32
             ", and `torch.backends.cuda.matmul.allow_tf32` is False.",
             products, products == 1 ? "product" : "products", lowest / 10, lowest % 10);
    finding->why = finding_keep(findings, &why);
    finding->advice = SLICE("Call `torch.set_float32_matmul_precision('high')` at the start. The products then round "
                            "their inputs to 10 bits of mantissa: check that the results are still good enough.");
    finding->evidence = SLICE("post-grad graphs; `cuda_matmul_settings` of cache keys, or `allow_tf32` of guards");
}
