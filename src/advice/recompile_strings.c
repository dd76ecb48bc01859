/* Strings with a different value in every version: either one of a few names, or data without end. */

#include "advice/recompile_advice.h"
#include "analysis/setting_values.h"

/* Fewer values are usually names: a few modes, or up to MANY_NAMES if none looks like a text. */
enum { MANY_TEXTS = 4, MANY_NAMES = 8, NAME_MAX_BYTES = 34 /* with quotes */, TRIED_MAX = 64 };

static bool is_text(struct slice value) {
    return value.len > NAME_MAX_BYTES || slice_find(value, SLICE(" ")) != SIZE_MAX;
}

/* The number of values that the string had in the steps of the cause; 0: a value repeats, or one is not logged.
 * `texts`: whether one of them looks like a text. */
static size_t different_values(const struct advising *a, const struct cause *cause, bool *texts) {
    struct slice values[TRIED_MAX + 1] = {cause->had};
    size_t count = 1;
    *texts = is_text(cause->had);
    for (size_t i = 0; i < a->chain->steps.count && count <= TRIED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (!step_is_of(step, cause) || recompile_is_refused(a->model, step->compile))
            continue;
        struct slice value = step->changes.items[0].has;
        if (!value.ptr)
            return 0;
        for (size_t k = 0; k < count; k++)
            if (slice_eq(values[k], value))
                return 0;
        values[count++] = value;
        *texts |= is_text(value);
    }
    return count;
}

bool note_many_strings(struct advising *a, const struct cause *cause) {
    bool texts;
    size_t count = different_values(a, cause, &texts);
    struct buf text = {0}, limit = {0};
    if (count < (size_t)(texts ? MANY_TEXTS : MANY_NAMES) || note_is_hidden(a, cause) ||
        note_is_attribute(cause->subject))
        return false;
    buf_addf(
        &text,
        "`%.*s` is a string, which Dynamo treats as a constant: it had %zu values in as many versions. One version "
        "for each is expected if it is one of a few names. If it is data, such as a text, every new value is a "
        "compile",
        SLICE_ARG(cause->subject), count);
    if (compile_setting(&limit, a->model, cause->last, recompile_limit_name(LIMIT_RECOMPILE)))
        buf_addf(&text, ", up to the recompile limit (%.*s)", SLICE_ARG(buf_slice(&limit)));
    buf_add_lit(&text, ": convert it before the call");
    if (cause->place.file.ptr)
        buf_addf(&text, " (%.*s:%" PRIu64 " reads it)", SLICE_ARG(path_last(cause->place.file)), cause->place.line);
    buf_add_lit(&text, ", and pass the result, such as token ids in a tensor.");
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->partial = true;
    note_cite(a, cause, advice);
    buf_free(&limit);
    return true;
}
