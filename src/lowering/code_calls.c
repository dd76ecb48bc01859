#include "lowering/kernels.h"

enum { CALLS_MAX = 4 << 20, NESTING_MAX = 8 };

struct flattening {
    struct model *model;
    const struct kernel_scan *scan;
    uint32_t first;
    struct code_calls *code;
};

/* Adds the calls of the function with this name, and of the partitions that it calls. ptr NULL: of the whole code. */
static bool add_calls(const struct flattening *f, struct slice function, unsigned depth) {
    struct kernels *kernels = f->model->kernels;
    bool inside = !function.ptr, found = inside;
    for (uint32_t i = 0; i < f->scan->step_count; i++) {
        const struct code_step *step = &f->scan->steps[i];
        if (step->kind == CODE_FUNCTION) {
            if (!function.ptr)
                continue;
            inside = slice_eq(step->left, function);
            found |= inside;
        } else if (inside && step->kind == CODE_CALL) {
            uint32_t kernel = f->first + step->kernel;
            if (kernel >= kernels->list.count || kernels->call_order.count == CALLS_MAX)
                return false;
            ARENA_ADD(&f->model->arena, &kernels->call_order, kernel);
            f->code->count++;
        } else if (inside && step->kind == CODE_GRAPH) {
            return false;
        } else if (inside && step->kind == CODE_PARTITION) {
            AUTO_BUF name = {0};
            BUF_ADD(&name, "partition_", step->left);
            if (depth == NESTING_MAX || !add_calls(f, buf_slice(&name), depth + 1))
                return false;
        }
    }
    return found;
}

void code_calls_note(struct model *model, struct compile_kernels *own, struct code_calls code,
                     const struct kernel_scan *scan, uint32_t first) {
    struct kernels *kernels = model->kernels;
    struct flattening f = {.model = model, .scan = scan, .first = first, .code = &code};
    code.first = (uint32_t)kernels->call_order.count;
    struct slice function = {0}; /* without one of this name, as with cpp_wrapper, the calls are in C++ */
    for (uint32_t i = 0; i < scan->step_count; i++) {
        const struct code_step *step = &scan->steps[i];
        code.python |= step->kind == CODE_FUNCTION;
        if (step->kind == CODE_FUNCTION && slice_is(step->left, "call"))
            function = step->left;
    }
    code.known = scan->step_count && !scan->more && add_calls(&f, function, 0);
    own->code = (uint32_t)kernels->codes.count;
    ARENA_ADD(&model->arena, &kernels->codes, code);
}

void code_calls_note_key(struct model *model, uint32_t compile, struct slice key) {
    struct kernels *kernels = model->kernels;
    if (!kernels || !key.ptr || compile >= kernels->compiles.count)
        return;
    uint32_t latest = kernels->compiles.items[compile].code;
    if (latest != UINT32_MAX && !kernels->codes.items[latest].key.ptr)
        kernels->codes.items[latest].key = key;
}
