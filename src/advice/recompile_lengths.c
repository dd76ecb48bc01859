/* Notes on lengths: keyword arguments, lists that calls append to, and the state of optimizers. */
#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "scan/guard_text.h"
#include "scan/library.h"

enum { NAMES_MAX = 4, DICTS_SAID = 3 };
#define SAME_KEYWORDS "Pass the same keyword arguments in every call"

/* The key in a source that begins with "L['kwargs']['", for `of` = "L['kwargs']"; ptr NULL: another source. */
static struct slice key_in(struct slice source, struct slice of) {
    static const struct slice open = SLICE_INIT("['");
    if (!slice_starts(source, of) || !slice_starts(slice_from(source, of.len), open))
        return (struct slice){0};
    struct slice rest = slice_from(source, of.len + open.len);
    size_t end = slice_find(rest, SLICE("']"));
    return end == SIZE_MAX ? (struct slice){0} : slice_first(rest, end);
}

/* Adds the keys with guards to the map. Returns their number. */
static size_t find_keys(struct map *keys, const struct model *model, uint32_t compile, struct slice of) {
    struct slice fact, value;
    size_t count = 0;
    bool added = false;
    for (uint32_t i = 0; guard_set_fact(model, model->compiles.items[compile], i, &fact, &value); i++) {
        struct slice key = key_in(guard_key_read(fact).source, of);
        if (key.ptr)
            map_put(keys, key, 0, &added);
        count += key.ptr && added;
    }
    return count;
}

/* "`mask` and `labels`": keys with guards in one compile that have none in the other. Returns their number. */
static size_t add_keys(struct buf *text, const struct model *model, uint32_t in, uint32_t not_in, struct slice of) {
    struct slice names[NAMES_MAX], fact, value;
    AUTO_MAP others = {0};
    size_t count = 0;
    find_keys(&others, model, not_in, of);
    for (uint32_t i = 0; guard_set_fact(model, model->compiles.items[in], i, &fact, &value) && count < NAMES_MAX; i++) {
        struct slice key = key_in(guard_key_read(fact).source, of);
        bool known = !key.ptr || map_get(&others, key) != MAP_NONE;
        for (size_t n = 0; n < count && !known; n++)
            known = slice_eq(names[n], key);
        if (!known)
            names[count++] = key;
    }
    for (size_t n = 0; n < count; n++)
        buf_addf(text, "%s`%.*s`", n == 0 ? "" : n + 1 == count ? " and " : ", ", SLICE_ARG(names[n]));
    return count;
}

/* Whether the guards name every key of a dict with this many keys. */
static bool has_all_keys(const struct model *model, uint32_t compile, struct slice of, struct slice length) {
    AUTO_MAP keys = {0};
    uint64_t all;
    size_t count = find_keys(&keys, model, compile, of);
    return slice_to_u64(length, &all) && count == all;
}

/* "In 0/1, `batch` has `mask`, unlike in 0/0", if the guards of the version without a key name all of its keys. */
static bool add_other_keys(struct buf *out, const struct model *model, const struct step *step, struct slice of,
                           struct slice had, struct slice has, const char *before) {
    AUTO_BUF more = {0}, less = {0};
    bool adds = has_all_keys(model, step->nearest, of, had) && add_keys(&more, model, step->compile, step->nearest, of);
    bool drops =
        has_all_keys(model, step->compile, of, has) && add_keys(&less, model, step->nearest, step->compile, of);
    if (adds || drops) {
        buf_addf(out, "%sIn %.*s, `", before, SLICE_ARG(model->compiles.items[step->compile]->key));
        guard_readable_add(out, of);
        buf_addf(out, "` has%s%.*s%s%.*s, unlike in %.*s", adds ? " " : "", SLICE_ARG(buf_slice(&more)),
                 !drops ? ""
                 : adds ? " and not "
                        : " no ",
                 SLICE_ARG(buf_slice(&less)), SLICE_ARG(model->compiles.items[step->nearest]->key));
    }
    return adds || drops;
}

static bool has_note_on_keywords(const struct chain *chain) {
    for (size_t i = 0; i < chain->advice.count; i++)
        if (slice_starts(chain->advice.items[i].text, SLICE(SAME_KEYWORDS)))
            return true;
    return false;
}

/* Whether the change is in the length of a dict with meaningful keys: not one that a library keeps in its objects, and
 * not the numbers of modules in a list. */
static bool is_of_dict(const struct chain *chain, const struct guard_change *change) {
    struct slice of = guard_key_read(change->key).source;
    bool kept = is_library_file(chain->frame.file) && slice_rfind_byte(of, '.') != SIZE_MAX;
    return change->type == GUARD_LENGTH && change->key.ptr && !kept && !slice_ends(of, SLICE("._modules"));
}

static struct slice length_of(const struct model *model, uint32_t compile, struct slice of) {
    return guard_set_get(model, model->compiles.items[compile], ASPECT_LENGTH, (struct slice){0}, of);
}

/* Adds a note on calls with the same number of keyword arguments, but different ones: no guard compares their names. */
static bool add_exchanged(struct buf *out, const struct model *model, const struct step *step, const char *before) {
    static const struct slice of = SLICE_INIT("L['kwargs']");
    struct slice had = step->nearest == NO_VERSION ? (struct slice){0} : length_of(model, step->nearest, of),
                 has = had.ptr ? length_of(model, step->compile, of) : (struct slice){0};
    return had.ptr && slice_eq(had, has) && add_other_keys(out, model, step, of, had, has, before);
}

void chain_add_keys(struct buf *out, const struct model *model, const struct chain *chain) {
    size_t said = 0;
    bool noted = has_note_on_keywords(chain);
    for (size_t i = 0; i < chain->steps.count && i < STEPS_COMPARED_MAX && said < DICTS_SAID; i++) {
        const struct step *step = &chain->steps.items[i];
        bool done = step->nearest == NO_VERSION;
        for (size_t c = 0; c < step->changes.count && !done; c++) {
            const struct guard_change *change = &step->changes.items[c];
            done = is_of_dict(chain, change) &&
                   !(noted && slice_is(guard_key_read(change->key).source, "L['kwargs']")) &&
                   add_other_keys(out, model, step, guard_key_read(change->key).source, change->had, change->has,
                                  said ? ". " : " ");
            said += done;
        }
        said += !done && add_exchanged(out, model, step, said ? ". " : " ");
    }
    buf_add_str(out, said ? "." : "");
}

/* "L['kwargs']['attention_mask']:0,L['kwargs']['attention_mask']:1": the sizes of tensors that only the new version's dict has.
 * Returns their number. */
static size_t add_sizes(struct buf *out, const struct model *model, const struct step *step, struct slice of) {
    struct slice fact, value;
    AUTO_MAP others = {0};
    size_t count = 0;
    find_keys(&others, model, step->nearest, of);
    for (uint32_t i = 0; guard_set_fact(model, model->compiles.items[step->compile], i, &fact, &value); i++) {
        struct guard_fact size = guard_key_read(fact);
        struct slice key = key_in(size.source, of);
        if (size.aspect != ASPECT_SIZE || !key.ptr || map_get(&others, key) != MAP_NONE || count == NAMES_MAX)
            continue;
        buf_add_str(out, count++ ? "," : "");
        dynamic_add_source(out, size.source);
        buf_addf(out, ":%.*s", SLICE_ARG(size.detail));
    }
    return count;
}

/* Adds the sizes that the variable's value leaves constant, together with sizes of other inputs that must be equal. */
static void add_constant_sizes(struct buf *text, const struct advising *a, const struct step *step, struct slice of) {
    const struct compile *compile = a->model->compiles.items[step->compile];
    AUTO_BUF sizes = {0};
    if (a->dynamic_count && version_of(a) >= DIMENSION_SINCE && compile->shapes[SHAPE_SPECIALIZATION].count &&
        add_sizes(&sizes, a->model, step, of))
        buf_addf(
            text,
            " If they all pass it, add its sizes to `TORCH_COMPILE_DYNAMIC_SOURCES`, too (`%.*s`): a size that must "
            "equal a constant size becomes constant.",
            SLICE_ARG(buf_slice(&sizes)));
}

/* Adds a note on calls with different keyword arguments. */
static void note_keywords(struct advising *a, const struct cause *cause, const struct step *step, struct slice of) {
    struct buf text = {0}, more = {0}, less = {0};
    bool adds = step->nearest != NO_VERSION && add_keys(&more, a->model, step->compile, step->nearest, of);
    bool drops = step->nearest != NO_VERSION && add_keys(&less, a->model, step->nearest, step->compile, of);
    buf_add_lit(&text, SAME_KEYWORDS);
    if (adds || drops)
        buf_addf(&text, ": %.*s has%s%.*s%s%.*s, unlike %.*s", SLICE_ARG(compile_key(a, step->compile)),
                 adds ? " " : "", SLICE_ARG(buf_slice(&more)),
                 !drops ? ""
                 : adds ? " and not "
                        : " no ",
                 SLICE_ARG(buf_slice(&less)), SLICE_ARG(compile_key(a, step->nearest)));
    buf_add_lit(&text, ".");
    if (adds)
        add_constant_sizes(&text, a, step, of);
    note_cite(a, cause, advice_add(a, cause->type, &text));
    buf_free(&more);
    buf_free(&less);
}

bool note_is_growing(const struct advising *a, const struct cause *cause) {
    size_t steps = 0;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        uint64_t had = 0, has = 0;
        bool grows = false;
        for (size_t c = 0; c < step->changes.count && !grows; c++)
            grows = step->changes.items[c].type == GUARD_LENGTH &&
                    slice_eq(step->changes.items[c].source, cause->subject) &&
                    slice_to_u64(step->changes.items[c].had, &had) && slice_to_u64(step->changes.items[c].has, &has) &&
                    had < has;
        if (!grows && !a->model->compiles.items[step->compile]->failed)
            return false;
        steps += grows;
    }
    return steps > 1;
}

/* Whether the compiled line that reads the list also appends to it: "seen.append(o.shape)" for `G['seen']`. */
static bool is_added_to(const struct cause *cause, struct slice name) {
    static const char *const calls[] = {"append(", "extend(", "insert(", "add("};
    size_t quote = slice_rfind_byte(name, '\''), dot = slice_rfind_byte(name, '.');
    struct slice last = dot != SIZE_MAX ? slice_from(name, dot + 1) : name;
    if (slice_ends(name, SLICE("']")) && quote != SIZE_MAX) {
        last = slice_first(name, quote);
        last = slice_from(last, slice_rfind_byte(last, '\'') + 1);
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        AUTO_BUF call = {0};
        buf_addf(&call, "%.*s.%s", SLICE_ARG(last), calls[i]);
        bool found = slice_find(cause->code, buf_slice(&call)) != SIZE_MAX;
        if (found)
            return true;
    }
    return false;
}

bool note_is_changed(const struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct slice source = step ? guard_key_read(step->changes.items[0].key).source : (struct slice){0};
    uint32_t version;
    return step && step_changed(a->model, step, source, &version);
}

/* A later version for the step's length, so a later call did not append what this call appended. NULL: none. */
static const struct compile *length_again(const struct advising *a, const struct step *step) {
    struct slice source = guard_key_read(step->changes.items[0].key).source,
                 length = guard_set_get(a->model, a->model->compiles.items[step->compile], ASPECT_LENGTH,
                                        (struct slice){0}, source);
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX && length.ptr; i++) {
        const struct compile *later = a->model->compiles.items[a->chain->steps.items[i].compile];
        if (later->index > step->compile &&
            slice_eq(guard_set_get(a->model, later, ASPECT_LENGTH, (struct slice){0}, source), length))
            return later;
    }
    return NULL;
}

/* Adds a note on a dict to which only the first call adds a key, which it has from then on. */
static bool note_added_once(struct advising *a, const struct cause *cause, struct slice name) {
    const struct step *step = note_step(a, cause);
    const struct compile *later = step && cause->count == 1 ? length_again(a, step) : NULL;
    struct buf text = {0};
    if (!later || step->nearest == NO_VERSION || !note_is_changed(a, cause))
        return false;
    buf_addf(&text,
             "Add to `%.*s` before the first call what %.*s adds: later versions, such as %.*s, have the same length.",
             SLICE_ARG(name), SLICE_ARG(compile_key(a, step->nearest)), SLICE_ARG(later->key));
    note_cite(a, cause, advice_add(a, cause->type, &text));
    return true;
}

/* Adds a note on a list that outlives the call and to which each call appends: no call matches an earlier version. */
static bool note_growing(struct advising *a, const struct cause *cause, struct slice name) {
    bool kept = note_is_attribute(name) || slice_starts(name, SLICE("G['")),
         added = is_added_to(cause, name) || note_is_changed(a, cause);
    if (!kept || note_is_hidden(a, cause) || !(added || note_is_growing(a, cause)))
        return false;
    if (note_added_once(a, cause, name))
        return true;
    struct buf text = {0};
    BUF_ADD(&text, "Add to `", name,
            "` outside of the compiled code, after the call or in a function under `torch.compiler.disable()`, which "
            "breaks the graph, and read its length there, too: ",
            added ? "the compiled code adds to it, so the next call fits no version."
                  : "it is longer in each version, so if a call adds to it, the next one fits no version.");
    struct advice *advice = advice_add(a, cause->type, &text);
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        /* tried: if the line that appends also reads the list, none of these recompiles remains */
        if (note_is_open(a, i, cause) && is_added_to(cause, name) && step->change_count == 1)
            advice_cite_step(a, advice, step);
        else if (note_is_open(a, i, cause))
            advice_cite_part(a, advice, step);
    }
    return true;
}

bool note_is_first_state(struct slice frame, const struct cause *cause) {
    return slice_find(frame, SLICE("/torch/optim/")) != SIZE_MAX && slice_is(cause->had, "0") &&
           slice_find(cause->source, SLICE("self.state[")) != SIZE_MAX;
}

/* Whether each recompile of the cause without advice also had a different string in the list. */
static bool has_other_strings(const struct advising *a, const struct cause *cause, struct slice list) {
    size_t steps = 0;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        bool found = false;
        if (!note_is_open(a, i, cause))
            continue;
        for (size_t c = 0; c < step->changes.count && !found; c++) {
            const struct guard_change *change = &step->changes.items[c];
            bool text = change->had.len && (change->had.ptr[0] == '\'' || change->had.ptr[0] == '"');
            found = change->type == GUARD_VALUE && text && change->source.len > list.len &&
                    slice_starts(change->source, list) && change->source.ptr[list.len] == '[';
        }
        if (!found)
            return false;
        steps++;
    }
    return steps;
}

void note_length(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct slice of = step ? guard_key_read(step->changes.items[0].key).source : (struct slice){0};
    if (slice_is(of, "L['kwargs']") && is_at_hand(a, SLICE("kwargs"))) {
        note_keywords(a, cause, step, of);
        return;
    }
    struct buf text = {0}, name = {0};
    if (slice_is(of, "L['kwargs']")) {
        buf_add_lit(&text, "A version fits only one set of keyword arguments: one for each set is expected.");
        note_explain(a, cause, &text);
        return;
    }
    note_name_add(&name, a, cause);
    if (name.len && note_is_first_state(a->chain->frame.file, cause)) {
        buf_add_lit(&text, NOTE_FIRST_STATE);
        note_explain(a, cause, &text);
    } else if (name.len && !note_growing(a, cause, buf_slice(&name))) {
        bool loop = slice_find(cause->code, SLICE("for ")) != SIZE_MAX;
        if (has_other_strings(a, cause, buf_slice(&name)))
            buf_addf(&text,
                     "A version fits only one length and the same strings in `%.*s`: one for each combination is "
                     "expected.",
                     SLICE_ARG(buf_slice(&name)));
        else
            buf_addf(&text, "A version fits only one length of `%.*s`%s: one for each length is expected.",
                     SLICE_ARG(buf_slice(&name)), loop ? ", because Dynamo unrolls loops over it" : "");
        note_explain(a, cause, &text);
    }
    buf_free(&name);
}
