#include "model/export.h"

#include "scan/error_text.h"
#include "scan/library.h"

enum {
    OPERANDS_MAX = 64,
    TREE_NODES_MAX = 400,
    TREE_DEPTH_MAX = 100,
    ALL_NODES_MAX = 1 << 18,
    FAILURES_MAX = 20000,
    RANGES_MAX = 100,
};

const char *export_kind_name(enum export_kind kind) {
    static const char *const names[EXPORT_KINDS] = {
        [EXPORT_DATA_DEPENDENT] = "data_dependent",      [EXPORT_GUARD] = "guard",
        [EXPORT_MISSING_KERNEL] = "missing_fake_kernel", [EXPORT_MISMATCHED_KERNEL] = "mismatched_fake_kernel",
        [EXPORT_CONSTRAINT] = "constraint_violation",    [EXPORT_ERROR] = "error",
    };
    return names[kind];
}

const char *export_kind_title(enum export_kind kind) {
    static const char *const titles[EXPORT_KINDS] = {
        [EXPORT_DATA_DEPENDENT] = "Data-dependent error", [EXPORT_GUARD] = "Guard evaluated",
        [EXPORT_MISSING_KERNEL] = "Missing fake kernel",  [EXPORT_MISMATCHED_KERNEL] = "Mismatched fake kernel",
        [EXPORT_CONSTRAINT] = "Constraint violation",     [EXPORT_ERROR] = "Export failed",
    };
    return titles[kind];
}

struct exports *exports_of(struct model *model) {
    if (!model->exports) {
        model->exports = arena_zalloc(&model->arena, sizeof *model->exports);
        model->exports->arena = &model->arena;
    }
    return model->exports;
}

static struct slice id_key(const uint64_t key[2]) {
    return slice_make((const char *)key, 2 * sizeof *key);
}

static struct expression *find(const struct exports *exports, uint64_t process, uint64_t id) {
    uint64_t key[2] = {process, id};
    uint32_t index = map_get(&exports->id_map, id_key(key));
    return index == MAP_NONE ? NULL : exports->expressions.items[index];
}

/* An expression that no tree uses is overwritten: memory grows with distinct ids, not with records. */
struct expression *exports_define(struct exports *exports, uint64_t process, uint64_t id) {
    uint64_t key[2] = {process, id};
    bool added;
    uint32_t index =
        *map_put_in(exports->arena, &exports->id_map, id_key(key), (uint32_t)exports->expressions.count, &added);
    if (added)
        ARENA_ADD(exports->arena, &exports->expressions, NULL);
    struct expression **at = &exports->expressions.items[index], empty = {0};
    if (!*at || (*at)->taken) {
        *at = arena_zalloc(exports->arena, sizeof **at);
    } else {
        empty.operands = (*at)->operands;
        empty.operand_cap = (*at)->operand_cap;
        **at = empty;
    }
    return *at;
}

struct operand *expression_add(struct exports *exports, struct expression *expression) {
    if (expression->operand_count == OPERANDS_MAX) {
        expression->cut = true;
        return NULL;
    }
    if (expression->operand_count == expression->operand_cap) {
        uint32_t cap = expression->operand_cap ? expression->operand_cap * 2 : 2;
        struct operand *operands = arena_alloc(exports->arena, cap * sizeof *operands);
        if (expression->operand_count)
            memcpy(operands, expression->operands, expression->operand_count * sizeof *operands);
        expression->operands = operands;
        expression->operand_cap = cap;
    }
    struct operand *operand = &expression->operands[expression->operand_count++];
    *operand = (struct operand){0};
    return operand;
}

struct arena *exports_arena(struct exports *exports, struct arena *otherwise) {
    return exports->failures.count < FAILURES_MAX ? exports->arena : otherwise;
}

struct export_failure *exports_fail(struct exports *exports, const struct export_failure *failure) {
    if (exports->failures.count == FAILURES_MAX) {
        exports->more_failures++;
        return NULL;
    }
    struct export_failure *kept = arena_alloc(exports->arena, sizeof *kept);
    *kept = *failure;
    ARENA_GROW(exports->arena, &exports->failures);
    return exports->failures.items[exports->failures.count++] = kept;
}

void exports_note_input(struct exports *exports, uint64_t process, uint64_t describer, uint64_t tensor,
                        yyjson_val *sizes) {
    size_t i, max;
    yyjson_val *size;
    exports->input.process = process;
    exports->input.describer = describer;
    exports->input.tensor = tensor;
    exports->input.source = (struct slice){0};
    exports->input.count = 0;
    if (yyjson_arr_size(sizes) > EXPORT_SIZES_MAX)
        return;
    yyjson_arr_foreach(sizes, i, max, size) {
        if (!json_to_u64(size, &exports->input.sizes[i])) {
            exports->input.count = 0;
            return;
        }
        exports->input.count = i + 1;
    }
}

void exports_note_source(struct exports *exports, uint64_t process, uint64_t describer, uint64_t tensor,
                         const struct export_input *input) {
    if (exports->input.process != process || exports->input.describer != describer || exports->input.tensor != tensor)
        return;
    exports->input.source = exports_text(exports, input->source);
    if (!exports->input.count || exports->inputs.count == EXPORT_INPUTS_MAX || !export_is_argument(input->source))
        return;
    ARENA_GROW(exports->arena, &exports->inputs);
    struct export_input *kept = &exports->inputs.items[exports->inputs.count++];
    *kept = *input;
    kept->source = exports->input.source;
    kept->count = exports->input.count;
    memcpy(kept->sizes, exports->input.sizes, sizeof kept->sizes);
}

/* PyTorch checks the range when it creates the symbol of the size, before it describes the next input. Two equal sizes
 * cannot be told apart. */
void exports_note_range(struct exports *exports, uint64_t process, size_t failure, struct slice reason) {
    uint64_t value;
    size_t found = 0, dimension = 0, at = slice_find(reason, SLICE(" not in range ["));
    if (at == SIZE_MAX || exports->input.process != process || !exports->input.source.ptr ||
        !slice_to_u64(slice_first(reason, at), &value))
        return;
    for (size_t i = 0; i < exports->input.count; i++) {
        if (exports->input.sizes[i] != value)
            continue;
        found++;
        dimension = i;
    }
    if (found != 1 || exports->ranges.count == RANGES_MAX)
        return;
    ARENA_ADD(exports->arena, &exports->ranges,
              (struct export_range){failure, exports->input.source, (uint64_t)dimension});
}

/* "0" for "L['flat_args'][0]": a strict export numbers the values of its example inputs. */
static void take_range(const struct exports *exports, size_t error, struct export_failure *failure) {
    static const struct slice head = SLICE_INIT("L['flat_args'][");
    for (size_t i = 0; i < exports->ranges.count; i++) {
        const struct export_range *range = &exports->ranges.items[i];
        if (range->failure != error || !slice_starts(range->source, head) || !slice_ends(range->source, SLICE("]")))
            continue;
        failure->input = slice_from(range->source, head.len);
        failure->input.len--;
        failure->dimension = range->dimension;
    }
}

/* Compile and expression as one text. */
static struct buf failure_key(uint32_t compile, struct slice expr) {
    struct buf key = {0};
    BUF_ADD(&key, slice_make((const char *)&compile, sizeof compile), expr);
    return key;
}

void exports_remember(struct exports *exports, struct export_failure *failure, struct slice expr) {
    struct buf key = failure_key(failure->compile, expr);
    bool added;
    uint32_t *index =
        map_put_in(exports->arena, &exports->failure_map, buf_slice(&key), (uint32_t)exports->remembered.count, &added);
    buf_free(&key);
    if (!added) {
        exports->remembered.items[*index] = failure;
        return;
    }
    ARENA_ADD(exports->arena, &exports->remembered, failure);
}

struct export_failure *exports_recall(struct exports *exports, uint32_t compile, struct slice expr) {
    struct buf key = failure_key(compile, expr);
    uint32_t index = map_get(&exports->failure_map, buf_slice(&key));
    buf_free(&key);
    return index == MAP_NONE ? NULL : exports->remembered.items[index];
}

/* Nodes still to be visited, the next one last. */
struct open {
    struct operand operand;
    uint16_t depth;
};
struct walk {
    LIST(struct open) open;
    LIST(struct tree_node) nodes;
};

static void push_operands(struct walk *walk, const struct expression *expression, unsigned depth) {
    for (uint32_t i = expression->operand_count; i-- > 0;)
        LIST_ADD(&walk->open, (struct open){expression->operands[i], (uint16_t)depth});
}

static void visit(struct exports *exports, struct walk *walk, uint64_t process, const struct open *at) {
    struct expression *expression = find(exports, process, at->operand.id);
    struct tree_node node = {.expression = expression, .text = at->operand.text, .depth = at->depth};
    if (expression) {
        node.again = expression->serial == exports->serial && expression->operand_count > 0;
        node.cut =
            !node.again && (expression->cut || (at->depth + 1 == TREE_DEPTH_MAX && expression->operand_count > 0));
        expression->serial = exports->serial;
        expression->taken = true;
        if (!node.again && at->depth + 1 < TREE_DEPTH_MAX)
            push_operands(walk, expression, at->depth + 1u);
    }
    LIST_ADD(&walk->nodes, node);
}

void exports_take_tree(struct exports *exports, struct arena *arena, struct export_failure *failure, uint64_t process,
                       uint64_t id) {
    struct walk walk = {0};
    if (!find(exports, process, id))
        return;
    exports->serial++;
    struct open first = {{id, {0}}, 0};
    visit(exports, &walk, process, &first);
    while (walk.open.count && walk.nodes.count < TREE_NODES_MAX &&
           exports->tree_nodes + walk.nodes.count < ALL_NODES_MAX) {
        struct open next = walk.open.items[--walk.open.count];
        visit(exports, &walk, process, &next);
    }
    failure->tree_cut = walk.open.count > 0;
    failure->tree_count = (uint32_t)walk.nodes.count;
    failure->tree = ARENA_COPY(arena, walk.nodes.items, walk.nodes.count);
    exports->tree_nodes += walk.nodes.count;
    mem_free(walk.open.items);
    mem_free(walk.nodes.items);
}

bool export_is_in(const struct stack_node *stack) {
    while (stack && !slice_ends(stack->frame->file, SLICE("torch/export/_trace.py")))
        stack = stack->parent;
    return stack != NULL;
}

bool export_called(const struct compile *compile) {
    return export_is_in(compile->stack);
}

/* All frames inside PyTorch share one folder, wherever it is installed. */
const struct stack_node *export_site(const struct stack_node *stack) {
    static const struct slice file = SLICE_INIT("torch/export/_trace.py"), folder = SLICE_INIT("torch/");
    while (stack && !slice_ends(stack->frame->file, file))
        stack = stack->parent;
    if (!stack)
        return NULL;
    struct slice torch = slice_first(stack->frame->file, stack->frame->file.len - file.len + folder.len);
    while (stack && (slice_starts(stack->frame->file, torch) || is_library_file(stack->frame->file) ||
                     slice_is(stack->frame->file, "<string>"))) /* code that a library generated */
        stack = stack->parent;
    return stack;
}

const struct stack_node *export_site_before(const struct compile *compile, uint64_t line) {
    const struct stack_node *site = NULL;
    for (const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first; symbol; symbol = symbol->next)
        if (symbol->line < line && export_site(symbol->stack))
            site = export_site(symbol->stack);
    return site;
}

bool exports_has_traced(const struct model *model, const struct compile *compile) {
    return exports_shown(model) && (!compile->framed || compile->frame_id == PART_MISSING || export_called(compile));
}

/* The metrics of an export have no frame. A frame with metrics counts if torch.export called it. If the user says that
 * the log is of an export, errors in the user's code count, too. */
static bool is_of_export(const struct model *model, const struct failure *error) {
    const struct compile *compile = model->compiles.items[error->compile];
    if (compile->frame_id == PART_MISSING)
        return compile->ends_export || !compile->stack;
    if (model->exports->asked &&
        (slice_is(error->type, "UserError") || slice_is(error->type, "ConstraintViolationError")))
        return true;
    return export_called(compile);
}

/* A data-dependent decision that also has a record is not listed twice: torch's message is added to that record. */
static bool explains_known(struct exports *exports, const struct failure *error) {
    struct export_failure *known = exports_recall(exports, error->compile, (struct slice){0});
    if (!known || !known->expr.len || slice_find(error->reason, known->expr) == SIZE_MAX)
        return false;
    known->detail = error->reason;
    return true;
}

/* The text after `begin`, up to the end of its line or to `end`; empty if `begin` is missing. */
static struct slice behind(struct slice text, struct slice begin, struct slice end) {
    size_t at = slice_find(text, begin);
    struct slice rest = at != SIZE_MAX ? slice_from(text, at + begin.len) : (struct slice){0}, line = {0};
    slice_next_line(&rest, &line);
    return slice_trim(slice_first(line, slice_find(line, end)));
}

static struct place place_of(const struct frame *frame) {
    return (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
}

/* Parses torch's error message into the members of a failure that draft_export would have recorded. */
static void take_error(const struct model *model, struct exports *exports, const struct failure *error) {
    struct export_failure failure = {.kind = EXPORT_ERROR,
                                     .compile = error->compile,
                                     .type = error->type,
                                     .detail = error->reason,
                                     .place = error->place};
    failure.expr = behind(error->reason, SLICE("data-dependent expression "), SLICE(" (unhinted"));
    failure.op = behind(error->reason, SLICE("unsupported operator: "), SLICE(" ("));
    if (slice_is(error->type, "ConstraintViolationError") ||
        slice_find(error->reason, SLICE("Constraints violated")) != SIZE_MAX)
        failure.kind = EXPORT_CONSTRAINT;
    else if (failure.op.len)
        failure.kind = EXPORT_MISSING_KERNEL;
    else if (failure.expr.len)
        failure.kind = EXPORT_DATA_DEPENDENT;
    struct frame frame;
    if (!failure.place.file.len && traceback_last_frame(error->reason, &frame))
        failure.place = place_of(&frame);
    /* The call of the export. If it failed outside of the user's code, PyTorch names one of its own lines. */
    const struct stack_node *call = model->compiles.items[error->compile]->stack;
    call = export_site(call) ? export_site(call) : call;
    if (call && (!failure.place.file.len || slice_ends(failure.place.file, SLICE("torch/export/_trace.py"))))
        failure.place = place_of(call->frame);
    take_range(exports, (size_t)(error - model->failures.items), &failure);
    if (failure.kind == EXPORT_CONSTRAINT)
        export_find_equal(model, &failure);
    exports_fail(exports, &failure);
}

void exports_take_errors(struct model *model) {
    struct exports *exports = model->exports;
    if (!exports || !exports->found)
        return;
    for (size_t i = 0; i < model->failures.count; i++) {
        const struct failure *error = &model->failures.items[i];
        if (!error->backward && !explains_known(exports, error) && is_of_export(model, error))
            take_error(model, exports, error);
    }
}

bool exports_tell(const struct model *model, const struct failure *error) {
    return exports_shown(model) && !model->exports->more_failures && !error->backward && is_of_export(model, error);
}

bool exports_shown(const struct model *model) {
    return model->exports && model->exports->found;
}
