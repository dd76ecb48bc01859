/* Helpers for notes on a cause: steps, evidence, and the name of the changed value. */
#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "scan/library.h"

/* Whether the version that was compiled for the size matches other sizes, too. */
static bool became_dynamic(const struct advising *a, const struct cause *cause) {
    const struct step *step = cause->type == GUARD_SIZE ? note_step(a, cause) : NULL;
    return step && step->changes.items[0].symbol.ptr;
}

/* Whether a line of the user's that the function calls, such as a hook's, changes a member of a global. */
static bool is_changed_global(const struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct slice source = step ? guard_key_read(step->changes.items[0].key).source : (struct slice){0};
    uint32_t version;
    const struct changed *changed =
        slice_starts(source, SLICE("G['")) ? step_changed(a->model, step, source, &version) : NULL;
    return changed && changed->place.file.ptr && !is_library_file(changed->place.file);
}

/* Whether the cause is an internal value of a library's object: an attribute in a function of the library, which the
 * user does not set. */
bool note_is_state(const struct advising *a, const struct cause *cause) {
    return !became_dynamic(a, cause) && is_library_file(a->chain->frame.file) && cause->type != GUARD_GLOBAL_STATE &&
           cause->source.ptr && cause->subject.ptr && slice_rfind_byte(cause->source, '.') != SIZE_MAX &&
           !is_changed_global(a, cause);
}

bool note_is_open(const struct advising *a, size_t nth, const struct cause *cause) {
    const struct step *step = &a->chain->steps.items[nth];
    return step_is_of(step, cause) && !recompile_failed(a->model, step->compile) &&
           (nth >= STEPS_COMPARED_MAX || (!a->said[nth] && !a->fixed[nth]));
}

void note_cite(struct advising *a, const struct cause *cause, struct advice *advice) {
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (note_is_open(a, i, cause))
            advice_cite_part(a, advice, &a->chain->steps.items[i]);
}

void note_explain(struct advising *a, const struct cause *cause, struct buf *text) {
    struct advice *advice = advice_add(a, cause->type, text);
    advice->expected = true;
    note_cite(a, cause, advice);
}

const struct step *note_step(const struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (note_is_open(a, i, cause))
            return &a->chain->steps.items[i];
    return NULL;
}

void note_name_add(struct buf *out, const struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct slice source = step ? guard_key_read(step->changes.items[0].key).source : (struct slice){0};
    if (source.ptr)
        guard_readable_add(out, source);
    else if (cause->source.ptr)
        guard_readable_add(out, cause->source);
}

bool note_is_hidden(const struct advising *a, const struct cause *cause) {
    return note_is_state(a, cause) || slice_starts(cause->subject, SLICE("___")) ||
           slice_find(cause->subject, SLICE("(___")) != SIZE_MAX;
}

bool note_is_attribute(struct slice readable) {
    return slice_rfind_byte(readable, '.') != SIZE_MAX;
}
