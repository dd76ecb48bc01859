/* Advice on objects: those for which a version was compiled, and numbers that they hold. */
#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "recompiles/object_names.h"
#include "scan/error_text.h"
#include "scan/guard_text.h"
#include "scan/library.h"

enum { NAMES_MAX = 4, SITES_MAX = 64 };

/* The kind of object that one source was in several versions, each of which inlines or contains it. */
static const char *what_is(const struct advising *a, struct slice source, struct slice type) {
    const struct compile *first = a->model->compiles.items[a->chain->compiles.items[0]];
    struct slice none = {0}, of = guard_set_get(a->model, first, ASPECT_TYPE, none, source);
    if (object_is_member(a->model, first, source))
        return "members of an enum";
    if (slice_is(of, "type") || slice_is(of, "abc.ABCMeta"))
        return "classes";
    if (slice_ends(source, SLICE(".__code__")) || slice_is(type, "function") || slice_is(of, "function") ||
        slice_is(type, "builtin_function_or_method"))
        return "functions";
    return NULL;
}

/* Whether a step has the source with another type, so there are more objects than counted. */
static bool changes_type(const struct advising *a, struct slice source) {
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        for (size_t c = 0; c < step->changes.count; c++)
            if (step->changes.items[c].type == GUARD_TYPE &&
                slice_eq(guard_key_read(step->changes.items[c].key).source, source))
                return true;
    }
    return false;
}

/* Explains constants of the program: it asks for a version for each of them. */
static void explain_constants(struct advising *a, const struct cause *cause, struct slice source, const char *what,
                              size_t count) {
    struct buf text = {0}, name = {0};
    struct slice of =
        slice_ends(source, SLICE(".__code__")) ? slice_first(source, source.len - SLICE(".__code__").len) : source;
    guard_readable_add(&name, of);
    buf_addf(&text, "`%.*s` was ", SLICE_ARG(buf_slice(&name)));
    if (changes_type(a, of))
        buf_add_lit(&text, "several");
    else
        buf_addf(&text, "%zu", count);
    buf_addf(&text, " different %s, which Dynamo treats as constants: one version for each is expected.", what);
    buf_free(&name);
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->expected = true;
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (step_is_of(&a->chain->steps.items[i], cause))
            advice_cite_step(a, advice, &a->chain->steps.items[i]);
}

/* Whether the source is the object whose method the frame runs: `self`, or an object of a class in the package of the
 * function that wraps the method ("torch.optim.adam.Adam" in torch/optim/optimizer.py). */
static bool is_receiver(const struct advising *a, struct slice readable, struct slice source) {
    struct slice file = a->chain->frame.file, packages = SLICE("-packages/");
    size_t at = slice_find(file, packages);
    if (slice_is(readable, "self"))
        return true;
    if (!slice_is(readable, "args[0]") || at == SIZE_MAX)
        return false;
    struct slice class = object_class(a->model, a->model->compiles.items[a->chain->compiles.items[0]], source);
    size_t dot = slice_find(class, SLICE("."));
    struct slice below = slice_from(file, at + packages.len);
    return dot != SIZE_MAX && slice_starts(below, slice_first(class, dot)) &&
           slice_starts(slice_from(below, dot), SLICE("/"));
}

/* The user's line from which the version was called; NULL: unknown. */
static const struct stack_node *site_of(const struct advising *a, size_t place) {
    const struct stack_node *node = a->model->compiles.items[a->chain->compiles.items[place]]->stack;
    for (node = node ? node->parent : NULL; node && is_library_file(node->frame->file); node = node->parent)
        ;
    return node;
}

static size_t count_sites(const struct advising *a) {
    size_t count = 0;
    for (size_t i = 0; i < a->chain->compiles.count && i < SITES_MAX; i++) {
        const struct stack_node *site = site_of(a, i);
        bool known = !site;
        for (size_t n = 0; n < i && !known; n++) {
            const struct stack_node *other = site_of(a, n);
            known = other && other->frame == site->frame;
        }
        count += !known;
    }
    return count;
}

/* A program has as many optimizers as networks to train. Only optimizers that calls from one line create again and
 * again are too many, and the log does not show that. */
static void explain_instances(struct advising *a, const struct cause *cause, struct slice type, size_t count) {
    struct buf text = {0};
    bool created = count_sites(a) < count;
    buf_addf(&text, "`%.*s` was %zu different ", SLICE_ARG(cause->subject), count);
    if (type.ptr)
        buf_addf(&text, "`%.*s` ", SLICE_ARG(class_short_name(type)));
    buf_addf(&text, "objects, and a version fits only the one that it was compiled for: one for each is expected.%s",
             created ? " If calls create new ones, create each once and keep it." : "");
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->expected = true;
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (step_is_of(&a->chain->steps.items[i], cause))
            advice_cite_step(a, advice, &a->chain->steps.items[i]);
}

void advise_objects(struct advising *a, const struct cause *cause) {
    struct slice source = {0}, type;
    for (size_t i = 0; i < a->chain->steps.count && !source.ptr; i++)
        if (step_is_of(&a->chain->steps.items[i], cause))
            source = guard_key_read(a->chain->steps.items[i].changes.items[0].key).source;
    size_t count = source.ptr ? objects_met(a->model, a->chain, source, &type) : 0;
    if (count < 2)
        return;
    const char *what = what_is(a, source, type);
    if (what) {
        explain_constants(a, cause, source, what, count);
        return;
    }
    if (is_receiver(a, cause->subject, source)) {
        explain_instances(a, cause, type, count);
        return;
    }
    struct advice *advice = NULL;
    for (size_t i = 0; i < a->chain->steps.count && type.ptr; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (!step_is_of(step, cause) || step->change_count != 1)
            continue;
        if (!advice && !is_at_hand(a, cause->subject))
            return;
        if (!advice) {
            struct buf text = {0};
            buf_addf(&text,
                     "Pass the same object in every call, if one will do: `%.*s` was %zu different `%.*s` objects, and "
                     "a version fits "
                     "only the one that it was compiled for.",
                     SLICE_ARG(cause->subject), count, SLICE_ARG(class_short_name(type)));
            advice = advice_add(a, cause->type, &text);
        }
        advice_cite_step(a, advice, step);
    }
}

/* Whether the step's only other change is that the source's object was replaced. */
static bool is_replaced_only(const struct step *step, struct slice source) {
    for (size_t i = 1; i < step->changes.count; i++)
        if (step->changes.items[i].type != GUARD_IDENTITY ||
            !slice_eq(guard_key_read(step->changes.items[i].key).source, source))
            return false;
    return step->change_count == step->changes.count;
}

/* Adds the classes of the objects that were replaced. Returns their number. */
static size_t add_classes(struct buf *text, const struct advising *a, const struct cause *cause, struct slice source) {
    struct slice names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (!step_is_of(step, cause) || !is_replaced_only(step, source) || step->nearest == NO_VERSION)
            continue;
        struct slice name = class_short_name(object_class(a->model, a->model->compiles.items[step->nearest], source));
        bool known = !name.ptr || count == NAMES_MAX;
        for (size_t n = 0; n < count && !known; n++)
            known = slice_eq(names[n], name);
        if (!known)
            names[count++] = name;
    }
    for (size_t n = 0; n < count; n++)
        buf_addf(text, "%s`%.*s`", n == 0 ? "" : n + 1 < count ? ", " : " and ", SLICE_ARG(names[n]));
    return count;
}

/* "Create the `SGD` object once and keep it". Returns false if the user knows no such object by name. */
static bool add_creation(struct buf *text, const struct advising *a, const struct cause *cause, struct slice source) {
    AUTO_BUF classes = {0}, name = {0};
    size_t count = add_classes(&classes, a, cause, source);
    bool library = is_library_file(a->chain->frame.file);
    guard_readable_add(&name, source);
    buf_add_lit(text, "Create ");
    if (library || count > 1)
        buf_addf(text, count > 1 ? "each of the %.*s objects" : "the %.*s object", SLICE_ARG(buf_slice(&classes)));
    buf_add_str(text, !library && count > 1 ? " in " : "");
    if (!library)
        advice_add_argument(text, buf_slice(&name));
    buf_add_lit(text, " once and keep it");
    return !library || count;
}

/* "Cache line invalidated because L['optimizer'] got deallocated": the next call has another object. */
void advise_deallocated(struct advising *a, const struct cause *cause) {
    struct slice source =
        text_between(cause->first, SLICE("Cache line invalidated because "), SLICE(" got deallocated"));
    struct advice *advice = NULL;
    if (!source.len || slice_find(source, SLICE("___stack")) != SIZE_MAX) /* the advice on the graph break covers it */
        return;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (!step_is_of(step, cause) || !is_replaced_only(step, source))
            continue;
        AUTO_BUF text = {0};
        if (!advice && !add_creation(&text, a, cause, source)) {
            return;
        }
        if (!advice) {
            buf_add_lit(&text, ": PyTorch drops a version when the object that it was compiled for is deallocated, and "
                               "the next call, with another object, compiles again.");
            advice = advice_add(a, cause->type, &text);
        }
        advice_cite_step(a, advice, step);
    }
}

static bool has_other_module(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (step->changes.items[i].type == GUARD_TYPE && slice_is(step->changes.items[i].source, "type(fn)"))
            return true;
    return false;
}

/* If torch.compile() got a module of a library, PyTorch calls it from the function `inner`, whose versions all such
 * calls share. `fn` is always the same for one torch.compile(). */
void advise_isolation(struct advising *a) {
    struct advice *advice = NULL;
    if (!slice_ends(a->chain->frame.file, SLICE("/torch/_dynamo/external_utils.py")) ||
        !slice_is(a->chain->frame.function, "inner") || version_of(a) < ISOLATION_SINCE)
        return;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        if (!has_other_module(&a->chain->steps.items[i]))
            continue;
        if (!advice) {
            struct buf text = {0};
            buf_add_lit(&text,
                        "Call `torch.compile(…, isolate_recompiles=True)`: PyTorch runs modules of libraries, each "
                        "of which was compiled by itself, in one function, whose versions and limit they share.");
            advice = advice_add(a, GUARD_TYPE, &text);
        }
        advice_cite_step(a, advice, &a->chain->steps.items[i]);
    }
}

/* Whether the step differs only in integer attributes. */
static bool has_integers_only(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool attribute = slice_rfind_byte(change->source, '.') != SIZE_MAX;
        if (change->type != GUARD_VALUE || (i && !attribute) || /* for the first one, PyTorch states that it is an
                                                                 * attribute */
            !is_integer(change->had) || (change->has.ptr && !is_integer(change->has)))
            return false;
    }
    return step->change_count == step->changes.count;
}

/* Whether the first step in which the integer changes has no other cause. Otherwise, that step needs a version anyway.
 */
static bool changes_alone_first(const struct chain *chain, const struct cause *cause) {
    for (size_t i = 0; i < chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        for (size_t c = 0; c < chain->steps.items[i].changes.count; c++)
            if (slice_eq(chain->steps.items[i].changes.items[c].source, cause->subject))
                return has_integers_only(&chain->steps.items[i]);
    return true;
}

static size_t add_attributes(struct slice names[NAMES_MAX], size_t count, const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        bool known = false;
        for (size_t n = 0; n < count && n < NAMES_MAX; n++)
            known |= slice_eq(names[n], step->changes.items[i].source);
        if (!known && count++ < NAMES_MAX)
            names[count - 1] = step->changes.items[i].source;
    }
    return count;
}

/* "Make `self.n` and `self.k` buffers" */
static void add_buffers(struct buf *text, const struct slice *names, size_t count) {
    size_t dot = slice_rfind_byte(names[0], '.');
    for (size_t i = 0; i < count; i++)
        buf_addf(text, "%s`%.*s`", i == 0 ? "Make " : i + 1 == count ? " and " : ", ", SLICE_ARG(names[i]));
    buf_add_str(text, count == 1 ? " a buffer" : " buffers");
    if (dot != SIZE_MAX && count == 1)
        buf_addf(text, " (`self.register_buffer(\"%.*s\", torch.tensor(…))`)",
                 SLICE_ARG(slice_from(names[0], dot + 1)));
}

/* Whether a compile of the process reads the attribute under a torch.func transform, according to a reason. */
static bool is_transformed(const struct advising *a, struct slice source) {
    const struct compile *own = a->model->compiles.items[a->chain->compiles.items[0]];
    for (size_t i = 0; i < a->model->compiles.count; i++) {
        const struct compile *compile = a->model->compiles.items[i];
        for (size_t r = 0; compile->process == own->process && r < compile->reasons.count && r < NAMES_MAX; r++)
            if (slice_find(compile->reasons.items[r], SLICE("/torch/_functorch/")) != SIZE_MAX &&
                slice_starts(guard_failure_read(compile->reasons.items[r]).source, source))
                return true;
    }
    return false;
}

/* For that case: a buffer cannot be changed in place there. */
static void advise_outside(struct advising *a, const struct cause *cause, struct slice name) {
    struct buf text = {0};
    buf_addf(&text, "Change `%.*s` outside of the compiled code, and do not read it there", SLICE_ARG(name));
    buf_add_lit(&text, ": Dynamo treats integer attributes of an `nn.Module` as constants, and under a transform of "
                       "`torch.func`, such as `vmap`, a buffer cannot be changed.");
    struct advice *advice = advice_add(a, cause->type, &text);
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (step_is_of(&a->chain->steps.items[i], cause))
            advice_cite_part(a, advice, &a->chain->steps.items[i]);
}

/* Whether library code reads the subject of the cause, according to the reason: it belongs to a class of that library,
 * which determines how to keep it. */
static bool is_read_by_library(const struct cause *cause) {
    size_t trace = slice_find(cause->example, SLICE("User stack trace:"));
    struct frame frame = {0};
    if (trace != SIZE_MAX)
        traceback_last_frame(slice_from(cause->example, trace), &frame);
    return frame.file.len && is_library_file(frame.file);
}

/* Whether it is "self.meter.add": a method of an object's member. */
static bool is_of_member(struct slice called) {
    size_t first = slice_find(called, SLICE("."));
    return called.ptr && first != SIZE_MAX && slice_rfind_byte(called, '.') > first;
}

/* Whether it belongs to an object that is not a module, and a method of that object, which the function calls, changes
 * it in at least two steps: advise_own() has the advice. */
static bool is_of_meter(struct advising *a, const struct cause *cause) {
    uint32_t version;
    size_t changes = 0;
    if (slice_find(cause->source, SLICE("_modules[")) != SIZE_MAX)
        return false;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        const struct changed *changed =
            step_is_of(step, cause)
                ? step_changed(a->model, step, guard_key_read(step->changes.items[0].key).source, &version)
                : NULL;
        changes += changed && is_of_member(changed->called);
    }
    return changes > 1;
}

/* Handles PyTorch's own hint on integers of modules. Returns whether the cause is such an integer; adds the advice if
 * it saves a recompile. The setting makes an integer dynamic after its first change. */
bool advise_module_integer(struct advising *a, const struct cause *cause) {
    struct slice names[NAMES_MAX];
    size_t count = 0, steps = 0;
    bool library = is_library_file(a->chain->frame.file) || is_read_by_library(cause); /* not the user's module */
    if (slice_find(cause->example, SLICE("allow_unspec_int_on_nn_module")) == SIZE_MAX)
        return false;
    if (is_of_meter(a, cause))
        return true;
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (step_is_of(&a->chain->steps.items[i], cause) && has_integers_only(&a->chain->steps.items[i]) &&
            !loop_over(a, &a->chain->steps.items[i], &a->chain->steps.items[i].changes.items[0]).code.ptr) {
            count = add_attributes(names, count, &a->chain->steps.items[i]);
            steps++;
        }
    if ((a->chain->steps.count && !steps) || count > NAMES_MAX || (library && steps < 2))
        return true;
    if (!count)
        names[count++] = cause->subject;
    struct buf text = {0};
    bool global = slice_starts(cause->source, SLICE("G[")); /* such integers are constants with any setting */
    if (!library && is_transformed(a, cause->source)) {
        advise_outside(a, cause, names[0]);
        return true;
    }
    if (library && (global || is_transformed(a, cause->source)))
        return true;
    if (!library)
        add_buffers(&text, names, count);
    if (steps > 1 && !global)
        buf_addf(&text,
                 "%s `torch._dynamo.config.allow_unspec_int_on_nn_module = True`%s, with which only the first "
                 "change recompiles, unless an operator needs the number itself",
                 library ? "Set" : ", or set", is_in_thread(a) ? " in the thread that calls it" : "");
    buf_add_lit(&text, ": Dynamo treats integer attributes of an `nn.Module` as constants.");
    if (!library)
        buf_add_lit(&text,
                    " Where Python needs the number, as in a test or as the index of a list, a buffer breaks the "
                    "graph.");
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->but_first = library;
    advice->or_first = !library && steps > 1 && !global && changes_alone_first(a->chain, cause);
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (step_is_of(&a->chain->steps.items[i], cause) && has_integers_only(&a->chain->steps.items[i]))
            advice_cite_step(a, advice, &a->chain->steps.items[i]);
    return true;
}
