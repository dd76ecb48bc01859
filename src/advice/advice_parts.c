/* Helpers for all advice on recompiles: evidence, callers of the frame, and names of its arguments. */

#include "advice/recompile_advice.h"
#include "analysis/advice_words.h"
#include "base/renames.h"
#include "scan/library.h"

struct advice *advice_add(struct advising *a, enum guard_type type, struct buf *text) {
    ARENA_GROW(a->arena, &a->chain->advice);
    struct advice *advice = &a->chain->advice.items[a->chain->advice.count++];
    *advice = (struct advice){.type = type, .text = arena_slice(a->arena, buf_slice(text))};
    buf_free(text);
    return advice;
}

void advice_cite(struct advice *advice, enum evidence_record record, uint32_t compile, struct slice says) {
    if (advice->evidence_count == EVIDENCE_MAX) {
        advice->evidence_more++;
        return;
    }
    advice->evidence[advice->evidence_count++] = (struct evidence){record, compile, says};
}

/* The step's index; STEPS_COMPARED_MAX: not compared, or not in the chain. */
static size_t place_of(const struct advising *a, const struct step *step) {
    size_t place = (size_t)(step - a->chain->steps.items);
    bool in = step >= a->chain->steps.items && place < a->chain->steps.count && place < STEPS_COMPARED_MAX;
    return in ? place : STEPS_COMPARED_MAX;
}

void advice_cite_part(struct advising *a, struct advice *advice, const struct step *step) {
    size_t place = place_of(a, step);
    advice_cite(advice, step->reason.ptr && step->reason_leads ? EVIDENCE_REASONS : EVIDENCE_GUARDS, step->compile,
                (struct slice){0});
    if (step->changes.items[0].symbol.ptr)
        advice_cite(advice, EVIDENCE_SYMBOL, step->compile, step->changes.items[0].symbol);
    if (place < STEPS_COMPARED_MAX)
        a->said[place] = true;
    advice->steps++;
}

void advice_cite_step(struct advising *a, struct advice *advice, const struct step *step) {
    size_t place = place_of(a, step);
    advice_cite_part(a, advice, step);
    if (!advice->expected && place < STEPS_COMPARED_MAX)
        a->fixed[place] = true;
    advice->saves += !recompile_is_refused(a->model, step->compile);
}

void advice_count_possible(struct advising *a, struct advice *advice, const struct step *step) {
    advice->may_save += !recompile_is_refused(a->model, step->compile);
}

bool step_is_of(const struct step *step, const struct cause *cause) {
    const struct guard_change *change = step->changes.count ? &step->changes.items[0] : NULL;
    if (!change || change->type != cause->type || !slice_eq(change->source, cause->subject))
        return false;
    bool numbered = slice_ends(cause->guard, SLICE("_")) && slice_starts(change->guard, cause->guard);
    return cause->subject.ptr || numbered || slice_eq(change->guard, cause->first);
}

bool is_users_name(struct slice readable) {
    return !slice_starts(readable, SLICE("___")) && slice_find(readable, SLICE("(")) == SIZE_MAX;
}

struct slice compile_key(const struct advising *a, uint32_t compile) {
    return a->model->compiles.items[compile]->key;
}

bool is_passing_on(struct slice file) {
    static const char *const files[] = {"/torch/nn/modules/module.py",      "/torch/_dynamo/eval_frame.py",
                                        "/torch/_dynamo/external_utils.py", "/torch/utils/_contextlib.py",
                                        "/torch/fx/graph_module.py",        "/threading.py",
                                        "/concurrent/futures/thread.py"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (slice_ends(file, slice_str(files[i])))
            return true;
    return false;
}

const struct stack_node *calling_of(const struct advising *a, uint32_t compile) {
    const struct stack_node *node = a->model->compiles.items[compile]->stack;
    for (node = node ? node->parent : NULL; node && is_passing_on(node->frame->file); node = node->parent)
        ;
    return node;
}

bool is_in_thread(const struct advising *a) {
    const struct stack_node *node = a->model->compiles.items[a->chain->compiles.items[0]]->stack;
    for (; node; node = node->parent)
        if (slice_ends(node->frame->file, SLICE("/threading.py")))
            return true;
    return false;
}

static const struct stack_node *calling(const struct advising *a) {
    return calling_of(a, a->chain->compiles.items[0]);
}

bool is_called_compiled(const struct advising *a) {
    const struct stack_node *node = calling(a);
    for (size_t i = 0; node && i < a->model->compiles.count; i++) {
        const struct compile *compile = a->model->compiles.items[i];
        if (compile->framed && slice_eq(compile->frame.function, node->frame->function) &&
            slice_eq(compile->frame.file, node->frame->file))
            return true;
    }
    return false;
}

/* Whose code calls the frame's function, and so has the arguments. */
enum caller { CALLER_UNKNOWN, CALLER_USER, CALLER_LIBRARY };

static enum caller frame_caller(const struct advising *a) {
    const struct stack_node *node = calling(a);
    return !node ? CALLER_UNKNOWN : is_library_file(node->frame->file) ? CALLER_LIBRARY : CALLER_USER;
}

bool is_at_hand(const struct advising *a, struct slice readable) {
    struct place frame = a->chain->frame;
    if (is_library_file(frame.file))
        return slice_rfind_byte(readable, '.') == SIZE_MAX && frame_caller(a) == CALLER_USER;
    /* PyTorch itself calls the function, or the part of it after a graph break */
    return frame_caller(a) != CALLER_LIBRARY && !name_is_resumed(frame.function) &&
           !slice_starts(frame.function, SLICE("__torch_"));
}

bool is_librarys(const struct advising *a, struct slice readable) {
    return is_library_file(a->chain->frame.file) && frame_caller(a) == CALLER_LIBRARY &&
           slice_rfind_byte(readable, '.') == SIZE_MAX && !slice_starts(readable, SLICE("G["));
}

void advice_add_argument(struct buf *text, struct slice readable) {
    static const char *const nth[] = {"first", "second", "third", "fourth"};
    static const struct slice args = SLICE_INIT("args["), kwargs = SLICE_INIT("kwargs['"), global = SLICE_INIT("G['");
    uint64_t number;
    size_t end;
    if (slice_starts(readable, args) &&
        slice_to_u64(slice_first(slice_from(readable, args.len), readable.len - args.len - 1), &number) &&
        number < sizeof nth / sizeof *nth)
        buf_addf(text, "the %s argument", nth[number]);
    else if (slice_starts(readable, kwargs) && slice_ends(readable, SLICE("']")))
        buf_addf(text, "`%.*s`", (int)(readable.len - kwargs.len - 2), readable.ptr + kwargs.len);
    else if (slice_starts(readable, global) && (end = slice_find(readable, SLICE("']"))) != SIZE_MAX)
        buf_addf(text, "the global `%.*s%.*s`", (int)(end - global.len), readable.ptr + global.len,
                 (int)(readable.len - end - 2), readable.ptr + end + 2);
    else
        buf_addf(text, "`%.*s`", SLICE_ARG(readable));
}

bool is_called(const struct advising *a, const struct cause *cause) {
    static const char *const lists[] = {"inputs[", "sizes[", "scalars[", "hooks["};
    bool generated = slice_starts(a->chain->frame.file, SLICE("<")); /* also the code of an exported program */
    for (size_t i = 0; generated && i < sizeof lists / sizeof *lists; i++)
        if (slice_starts(cause->subject, slice_str(lists[i])))
            return false;
    return !generated || a->model->compiles.items[a->chain->compiles.items[0]]->autograd_id == PART_MISSING;
}
