/* Guards of an export that its named dimensions do not allow: PyTorch rejects the export but logs no error. */

#include "findings/findings_make.h"
#include "model/export_calls.h"
#include "scan/guard_facts.h"

static struct slice readable(struct findings *findings, struct slice source) {
    struct buf name = {0};
    guard_readable_add(&name, source);
    return finding_keep(findings, &name);
}

static void describe_equal(struct findings *findings, struct finding *finding, const struct export_bound *bound) {
    struct slice one = readable(findings, bound->symbol->source), other = readable(findings, bound->other->source);
    finding->title = finding_say(findings, "The export needs `%.*s == %.*s`", SLICE_ARG(one), SLICE_ARG(other));
    finding->why = finding_say(
        findings,
        "This line makes it a guard, and `dynamic_shapes` gives the two sizes different ranges, %.*s and %.*s. PyTorch "
        "rejects such an export (`Constraints violated`), without a record of the error.",
        SLICE_ARG(bound->symbol->range), SLICE_ARG(bound->other->range));
    finding->advice = SLICE("Give both dimensions the same `Dim` in `dynamic_shapes`. `Dim.AUTO` accepts the guard.");
}

static void describe_limit(struct findings *findings, struct finding *finding, const struct export_bound *bound) {
    struct slice name = readable(findings, bound->symbol->source);
    finding->title = finding_say(findings, "The export needs `%.*s %s %" PRIu64 "`", SLICE_ARG(name),
                                 bound->upper ? "<=" : ">=", bound->limit);
    finding->why = finding_say(findings,
                               "This line makes it a guard, and `dynamic_shapes` gives the size the range %.*s. "
                               "PyTorch rejects such an export "
                               "(`Constraints violated`), without a record of the error.",
                               SLICE_ARG(bound->symbol->range));
    finding->advice = finding_say(
        findings,
        "If the model is only used with such sizes, state it in `dynamic_shapes`: `Dim(\"name\", %s=%" PRIu64
        ", …)`. `Dim.AUTO` accepts the guard. If other sizes are needed, change this line.",
        bound->upper ? "max" : "min", bound->limit);
}

static void describe_divisible(struct findings *findings, struct finding *finding, const struct export_bound *bound) {
    struct slice name = readable(findings, bound->symbol->source);
    finding->title =
        finding_say(findings, "The export needs `%.*s %% %" PRIu64 " == 0`", SLICE_ARG(name), bound->divisor);
    finding->why = finding_say(findings,
                               "This line makes it a guard, and `dynamic_shapes` gives the size the range %.*s. "
                               "PyTorch rejects such an export "
                               "(`Constraints violated`), without a record of the error.",
                               SLICE_ARG(bound->symbol->range));
    finding->advice =
        finding_say(findings,
                    "If the model is only used with such sizes, state it in `dynamic_shapes`: `%" PRIu64
                    "*Dim(\"name\")`. `Dim.AUTO` accepts the guard. If other sizes are needed, change this line.",
                    bound->divisor);
}

static void describe_constant(struct findings *findings, struct finding *finding, const struct export_bound *bound) {
    struct slice name = readable(findings, bound->symbol->source);
    finding->title = finding_say(findings, "The export needs `%.*s == %" PRIu64 "`", SLICE_ARG(name), bound->limit);
    finding->why =
        SLICE("This line makes the size a constant, and it is marked as dynamic, as by `Dim.DYNAMIC`. PyTorch "
              "rejects such an export (`Constraints violated`), without a record of the error.");
    finding->advice =
        SLICE("If the dimension has to be this size, say so: `Dim.STATIC` or the number in "
              "`dynamic_shapes`; `Dim.AUTO` lets export decide. If other sizes are needed, change this line.");
}

static struct finding *add_bound(struct findings *findings, const struct model *model,
                                 const struct export_bound *bound) {
    const struct compile *compile = model->compiles.items[bound->call->compile];
    struct finding *finding =
        finding_add(findings, FINDING_EXPORT_CONSTRAINT_VIOLATION, SEVERITY_WARNING, IMPACT_STOPS);
    if (bound->other)
        describe_equal(findings, finding, bound);
    else if (bound->divisor)
        describe_divisible(findings, finding, bound);
    else if (bound->constant)
        describe_constant(findings, finding, bound);
    else
        describe_limit(findings, finding, bound);
    finding->evidence = finding_say(findings, "guard_added_fast `%.*s` and create_symbol of %.*s (%.*s %.*s)",
                                    SLICE_ARG(bound->guard->text), SLICE_ARG(compile->key),
                                    SLICE_ARG(bound->symbol->symbol), SLICE_ARG(bound->symbol->range));
    finding->place = bound->place;
    if (bound->call->place.line != bound->place.line || !slice_eq(bound->call->place.file, bound->place.file))
        finding->caller = bound->call->place;
    finding->library = bound->place.file.ptr && is_library_file(bound->place.file);
    finding->link = finding_link(findings, compile);
    finding->time_us = -1;
    return finding;
}

void findings_add_bounds(struct findings *findings, const struct model *model) {
    size_t first = findings->list.count;
    for (size_t i = 0; exports_shown(model) && i < model->exports->bounds.count; i++) {
        const struct export_bound *bound = &model->exports->bounds.items[i];
        struct finding *found = NULL;
        if (!bound->declared)
            continue;
        struct finding *added = add_bound(findings, model, bound);
        for (size_t k = first; k + 1 < findings->list.count && !found; k++) {
            struct finding *earlier = &findings->list.items[k];
            if (slice_eq(earlier->title, added->title) && slice_eq(earlier->why, added->why) &&
                earlier->place.line == added->place.line && slice_eq(earlier->place.file, added->place.file))
                found = earlier;
        }
        if (found)
            findings->list.count--;
        finding_name_compile(findings, found ? found : added, bound->call->compile);
    }
}
