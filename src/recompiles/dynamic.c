#include "recompiles/dynamic.h"

#include "model/export.h"
#include "scan/guard_facts.h"
#include "scan/guard_failure.h"
#include "scan/guard_text.h"

enum { NOTED_MAX = 100000, DIMENSIONS_MAX = 31, VALUE_MAX = 80 };

/* The value stored for the key, or `value` if the key is new. NULL: the key is new, and there are too many. */
static uint32_t *note(struct model *model, const struct buf *key, uint32_t value) {
    bool added;
    if (model->dynamic_count >= NOTED_MAX && map_get(&model->dynamic_map, buf_slice(key)) == MAP_NONE)
        return NULL;
    uint32_t *noted = map_put_in(&model->arena, &model->dynamic_map, buf_slice(key), value, &added);
    model->dynamic_count += added;
    return noted;
}

static void add_tensor(struct buf *key, uint32_t folder, uint64_t describer, uint64_t tensor) {
    buf_addf(key, "tensor %" PRIu32 " %" PRIu64 " %" PRIu64, folder, describer, tensor);
}

void dynamic_note_mark(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor, uint64_t dimension) {
    AUTO_BUF key = {0};
    if (dimension >= DIMENSIONS_MAX)
        return;
    add_tensor(&key, folder, describer, tensor);
    uint32_t *dimensions = note(model, &key, 0);
    if (dimensions)
        *dimensions |= UINT32_C(1) << dimension; /* one bit each */
    model->marked = true;
}

static void add_mark(struct buf *key, const struct model *model, uint32_t folder) {
    buf_addf(key, "mark %" PRIu32 " ", model->folders.items[folder].compile);
}

void dynamic_note_source(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor,
                         struct slice source) {
    AUTO_BUF key = {0};
    if (!model->marked)
        return;
    add_tensor(&key, folder, describer, tensor);
    uint32_t dimensions = map_get(&model->dynamic_map, buf_slice(&key));
    for (unsigned d = 0; dimensions != MAP_NONE && d < DIMENSIONS_MAX; d++) {
        if (!(dimensions >> d & 1))
            continue;
        key.len = 0;
        add_mark(&key, model, folder);
        buf_add(&key, source);
        buf_addf(&key, ".size()[%u]", d);
        note(model, &key, 0);
    }
}

static void add_failed(struct buf *key, const struct compile *compile) {
    buf_addf(key, "failed %" PRIu64 " %" PRIu32 " %" PRId64 " ", compile->process, compile->epoch, compile->frame_id);
}

void dynamic_note_reason(struct model *model, const struct compile *compile, struct slice reason) {
    struct guard_failure failure = guard_failure_read(reason);
    AUTO_BUF key = {0};
    if (failure.type != GUARD_SIZE || !failure.source.ptr || !failure.dimension.ptr || compile->frame_compile_id < 0)
        return;
    add_failed(&key, compile);
    guard_plain_add(&key, failure.source);
    buf_addf(&key, ".size()[%.*s]", SLICE_ARG(failure.dimension));
    note(model, &key, (uint32_t)compile->frame_compile_id);
}

static void add_automatic(struct buf *key, const struct compile *compile, struct slice source) {
    buf_addf(key, "automatic %" PRIu64 " %" PRIu32 " %" PRId64 " ", compile->process, compile->epoch,
             compile->frame_id);
    buf_add(key, source);
}

/* The change in the event, in the arena; ptr NULL if the event does not give the reason for a dynamic size. */
static struct slice why_automatic(struct model *model, yyjson_val *args) {
    struct slice reason = json_get_text(args, "reason"), had = slice_first(json_get_text(args, "cached"), VALUE_MAX),
                 has = slice_first(json_get_text(args, "new"), VALUE_MAX), why = {0};
    AUTO_BUF text = {0};
    if (!had.len || !has.len || slice_starts(had, SLICE("Auto")) || slice_starts(had, SLICE("InferStride")))
        return why;                                                            /* it was dynamic before */
    if (slice_is(reason, "scalar change") && slice_starts(has, SLICE("Auto"))) /* a tensor replaced a number */
        buf_addf(&text, "it was the number %.*s before", SLICE_ARG(had));
    else if (slice_is(reason, "size change") || slice_is(reason, "scalar change"))
        buf_addf(&text, "%.*s → %.*s", SLICE_ARG(had), SLICE_ARG(has));
    else if (slice_is(reason, "dimensionality change") && slice_find(had, SLICE("AutoDynamic")) != SIZE_MAX)
        buf_add_lit(&text, "the number of dimensions changed");
    else if (slice_is(reason, "dimensionality change"))
        buf_addf(&text, "the number of dimensions changed, %.*s → %.*s", SLICE_ARG(had), SLICE_ARG(has));
    else if (slice_is(reason, "other") && slice_starts(had, SLICE("(")))
        buf_addf(&text, "it was a tensor of size %.*s before", SLICE_ARG(had));
    if (text.len)
        why = model_copy(model, buf_slice(&text));
    return why;
}

void dynamic_note_automatic(struct model *model, const struct compile *compile, yyjson_val *args) {
    struct slice source = json_get_text(args, "name"), why = {0};
    yyjson_val *changed = json_get(args, "dim_changed");
    AUTO_BUF key = {0};
    uint64_t dimension;
    if (!source.len || compile->frame_compile_id < 0 || model->dynamic_count >= NOTED_MAX)
        return;
    why = why_automatic(model, args);
    add_automatic(&key, compile, source);
    if (json_to_u64(changed, &dimension))
        buf_addf(&key, ".size()[%" PRIu64 "]", dimension);
    uint32_t nth = (uint32_t)model->dynamic_whys.count;
    uint32_t *noted = why.ptr ? note(model, &key, nth) : NULL;
    if (noted && *noted == nth) { /* the first reason made the size dynamic */
        ARENA_ADD(&model->arena, &model->dynamic_whys, why);
    }
}

struct slice dynamic_why(const struct model *model, uint32_t folder, struct slice source) {
    const struct compile *compile = model->compiles.items[model->folders.items[folder].compile];
    size_t size = slice_find(source, SLICE(".size()["));
    AUTO_BUF key = {0};
    if (!model->dynamic_whys.count || !source.len)
        return (struct slice){0};
    add_automatic(&key, compile, source);
    uint32_t nth = map_get(&model->dynamic_map, buf_slice(&key));
    if (nth == MAP_NONE && size != SIZE_MAX) { /* all sizes of the tensor */
        key.len = 0;
        add_automatic(&key, compile, slice_first(source, size));
        nth = map_get(&model->dynamic_map, buf_slice(&key));
    }
    return nth == MAP_NONE ? (struct slice){0} : model->dynamic_whys.items[nth];
}

struct slice dynamic_by_name(enum dynamic_by by) {
    static const struct slice names[DYNAMICS] = {
        [DYNAMIC_MARK] = SLICE_INIT("mark_dynamic"),     [DYNAMIC_AUTOMATIC] = SLICE_INIT("automatic"),
        [DYNAMIC_COMPILE] = SLICE_INIT("compile"),       [DYNAMIC_EXPORT] = SLICE_INIT("export"),
        [DYNAMIC_SHAPES] = SLICE_INIT("dynamic_shapes"),
    };
    return names[by];
}

enum dynamic_by dynamic_by(const struct model *model, uint32_t folder, struct slice source) {
    const struct compile *compile = model->compiles.items[model->folders.items[folder].compile];
    AUTO_BUF key = {0};
    add_mark(&key, model, folder);
    buf_add(&key, source);
    bool marked = map_get(&model->dynamic_map, buf_slice(&key)) != MAP_NONE;
    key.len = 0;
    add_failed(&key, compile);
    guard_plain_add(&key, source);
    uint32_t failed = map_get(&model->dynamic_map, buf_slice(&key));
    if (marked)
        return DYNAMIC_MARK;
    bool automatic =
        (failed != MAP_NONE && compile->frame_compile_id >= (int64_t)failed) || dynamic_why(model, folder, source).ptr;
    return automatic ? DYNAMIC_AUTOMATIC : DYNAMIC_UNKNOWN;
}

enum dynamic_by dynamic_of(const struct compile *compile, const struct shape_record *symbol) {
    /* An export marks the sizes of its dynamic_shapes. */
    bool own = compile->framed && compile->frame_id != PART_MISSING && !export_called(compile);
    bool sized = slice_find(symbol->source, SLICE(".size()[")) != SIZE_MAX &&
                 slice_find(symbol->source, SLICE("__meta_utils_unknown_tensor")) == SIZE_MAX;
    if (!own || (symbol->dynamic_by == DYNAMIC_AUTOMATIC && !compile->all_dynamic))
        return symbol->dynamic_by == DYNAMIC_AUTOMATIC     ? DYNAMIC_AUTOMATIC
             : sized && export_site(symbol->stack) != NULL ? DYNAMIC_SHAPES
                                                           : DYNAMIC_UNKNOWN;
    if (symbol->dynamic_by == DYNAMIC_MARK)
        return symbol->dynamic_by;
    if (sized && compile->export_dynamic)
        return DYNAMIC_EXPORT;
    /* It is dynamic from the first compile on */
    return sized && compile->all_dynamic ? DYNAMIC_COMPILE : symbol->dynamic_by;
}

struct slice break_symbolic_bool(const struct graph_break *found) {
    struct slice name = text_between(found->context, SLICE("): argument '"), SLICE("' must be bool, not SymBool"));
    return name.len && word_length(name) == name.len ? name : (struct slice){0};
}
