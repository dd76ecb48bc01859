#include "scan/guard_prose.h"

#include "scan/guard_facts.h"
#include "scan/guard_text.h"

struct words {
    struct slice begin; /* of the reason */
    const char *before; /* the clause, or the part before the name of the subject */
    const char *after;  /* the part after it; NULL: the reason names no subject */
    const char *end;    /* ends the subject in the reason; NULL: the reason ends with it */
};

static const struct words sentences[] = {
    {SLICE_INIT("_has_dynamo_dim_marking is present"),
     "a tensor has dimensions that `mark_dynamic()` or a similar function marked, and had none when the earlier "
     "version "
     "was compiled",
     NULL, NULL},
    {SLICE_INIT("___check_torch_function_mode_stack()"),
     "the stack of torch function modes changed (`TorchFunctionMode`, `with torch.device(…)` or "
     "`torch.set_default_device()`)",
     NULL, NULL},
    {SLICE_INIT(GUARD_NOT_NAMED), "PyTorch does not name the guard that failed", NULL, NULL},
    {SLICE_INIT("Unexpected recompilation: "),
     "PyTorch found no guard that fails: it calls the recompile unexpected and asks for a report", NULL, NULL},
    {SLICE_INIT("Cache line invalidated because "), "PyTorch dropped the earlier version when `", "` was deallocated",
     " got deallocated"},
    {SLICE_INIT("not a tensor - grad field is accessed "), "`", "` is not a tensor, and its `grad` is guarded", NULL},
    {SLICE_INIT("Not a callable obj "), "`", "` is not callable", NULL},
    {SLICE_INIT("Not a weakref obj "), "`", "` is not a weak reference", NULL},
    {SLICE_INIT("Not a weakref "), "`", "` is not a weak reference", NULL},
    {SLICE_INIT("Weakref_GetRef failed "), "the object of the weak reference `", "` is gone", NULL},
    {SLICE_INIT("null type dict on "), "the type of `", "` has no `__dict__`", NULL},
    {SLICE_INIT("torch._functorch.pyfunctorch.compare_functorch_state("),
     "the active transforms of `torch.func` (`grad`, `vmap`, …) changed", NULL, NULL},
    {SLICE_INIT("torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == "),
     "the saved tensor hooks changed", NULL, NULL},
    {SLICE_INIT("___cow_tensor_matches("), "a tensor changed between copy-on-write and not", NULL, NULL},
    {SLICE_INIT("___check_metadata_"), "the context that `__tensor_flatten__()` of a tensor subclass returns changed",
     NULL, NULL},
    {SLICE_INIT("__dtensor_spec_"), "the mesh, placements or metadata of a DTensor changed", NULL, NULL},
};

static const struct {
    struct slice attribute;
    const char *by;
} marks[] = {
    {SLICE_INIT("_dynamo_dynamic_indices"), "`mark_dynamic()`"},
    {SLICE_INIT("_dynamo_weak_dynamic_indices"), "`maybe_mark_dynamic()`"},
    {SLICE_INIT("_dynamo_unbacked_indices"), "`mark_unbacked()`"},
    {SLICE_INIT("_dynamo_strict_unbacked_indices"), "`mark_unbacked(…, strict=True)`"},
    {SLICE_INIT("_dynamo_static_indices"), "`mark_static()`"},
};

static struct slice after(struct slice text, struct slice mark) {
    size_t at = slice_find(text, mark);
    return at != SIZE_MAX ? slice_trim(slice_from(text, at + mark.len)) : (struct slice){0};
}

/* "NAME not a subset: runtime {1} is not a subset of compiled {0}", "NAME mismatch: expected {0}", the same with ", but
 * attribute is absent on runtime tensor", and "NAME should be absent but is present on runtime tensor" */
struct guard_marking guard_marking_read(struct slice guard) {
    static const struct slice absent = SLICE_INIT(", but attribute is absent on runtime tensor");
    struct guard_marking marking = {0};
    size_t space = slice_find(guard, SLICE(" "));
    struct slice name = slice_first(guard, space),
                 rest = space != SIZE_MAX ? slice_from(guard, space + 1) : (struct slice){0};
    if (!slice_starts(name, SLICE("_dynamo_")) && !slice_starts(name, SLICE("_has_dynamo_")))
        return marking;
    if (slice_starts(rest, SLICE("not a subset: runtime "))) {
        marking.has = text_between(rest, SLICE("runtime "), SLICE(" is not a subset"));
        marking.had = after(rest, SLICE("of compiled "));
    } else if (slice_starts(rest, SLICE("mismatch: expected "))) {
        struct slice expected = after(rest, SLICE("expected "));
        size_t at = slice_find(expected, absent);
        marking.had = slice_first(expected, at);
        marking.has = at != SIZE_MAX ? SLICE("not set") : (struct slice){0};
    } else if (slice_starts(rest, SLICE("should be absent but is present"))) {
        marking.had = SLICE("not set");
    } else {
        return marking;
    }
    marking.attribute = name;
    return marking;
}

static const struct words *words_of(struct slice guard) {
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (slice_starts(guard, sentences[i].begin) &&
            (!sentences[i].after || guard.len > sentences[i].begin.len)) /* with a subject */
            return &sentences[i];
    return NULL;
}

bool guard_is_prose(struct slice guard) {
    return words_of(guard) || guard_marking_read(guard).attribute.ptr;
}

static void add_marking(struct buf *out, struct slice attribute) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (slice_eq(attribute, marks[i].attribute)) {
            buf_addf(out, "the dimensions of a tensor that %s marked changed", marks[i].by);
            return;
        }
    if (slice_is(attribute, "_dynamo_dynamic_range")) /* from mark_dynamic(t, 0, min=2, max=8) */
        buf_add_lit(out, "the range of sizes given to `mark_dynamic()` changed");
    else
        buf_addf(out, "the mark `%.*s` of a tensor changed", SLICE_ARG(slice_first(attribute, 60)));
}

bool guard_prose_add(struct buf *out, struct slice guard) {
    struct guard_marking marking = guard_marking_read(guard);
    const struct words *words = words_of(guard);
    if (marking.attribute.ptr) {
        add_marking(out, marking.attribute);
        return true;
    }
    if (!words)
        return false;
    buf_add_str(out, words->before);
    if (words->after) {
        struct slice rest = slice_from(guard, words->begin.len);
        size_t end = words->end ? slice_find(rest, slice_str(words->end)) : SIZE_MAX;
        guard_readable_add(out, slice_first(slice_first(rest, end), 120));
        buf_add_str(out, words->after);
    }
    return true;
}
