
#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "recompiles/chains.h"
#include "scan/guard_prose.h"
#include "scan/library.h"

enum { CAUSES_SAID = 8, CAUSES_LONG = 3, VALUES_SAID = 4, TEXT_MAX = 120, WHY_LONG = 1000, RECORDS_SAID = 3 };

/* Adds the text on one line, truncated to a readable length. */
static void add_text(struct buf *out, struct slice text) {
    size_t len = text.len < TEXT_MAX ? text.len : TEXT_MAX;
    while (len && len < text.len && ((unsigned char)text.ptr[len] & 0xc0) == 0x80)
        len--;
    for (size_t i = 0; i < len; i++)
        buf_add_byte(out, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
    if (len < text.len)
        buf_add_lit(out, "…");
}

/* The number of values in the row at `at`. */
static size_t row_length(const struct cause *cause, size_t at) {
    size_t end = at + 1;
    while (end < cause->value_count && !cause->values[end].starts)
        end++;
    return end - at;
}

/* Whether an earlier row has the same values. */
static bool is_said(const struct cause *cause, size_t at, size_t length) {
    for (size_t row = 0, n; row < at; row += n) {
        n = row_length(cause, row);
        bool same = n == length;
        for (size_t i = 0; i < n && same; i++)
            same = slice_eq(cause->values[row + i].text, cause->values[at + i].text);
        if (same)
            return true;
    }
    return false;
}

/* "3 → 4 → 5", or "to 5" if the log does not have the previous value. */
static void add_row(struct buf *out, const struct cause_value *values, size_t count) {
    if (!values[0].text.ptr)
        buf_add_lit(out, "to ");
    for (size_t i = values[0].text.ptr ? 0 : 1; i < count; i++) {
        buf_add_str(out, i > 1 || (i && values[0].text.ptr) ? " → " : "");
        add_text(out, values[i].text);
    }
}

/* Whether the values of the steps differ. */
static bool has_other_rows(const struct cause *cause) {
    bool other = false;
    for (size_t at = 0, length; at < cause->value_count && !other; at += length) {
        length = row_length(cause, at);
        other = length > 2 || (at && !is_said(cause, at, length));
    }
    return other;
}

/* "the dispatch keys of `x` changed (−AutogradCPU): the call ran under `torch.inference_mode()`, …". A guard compares
 * the tensor's keys plus and minus those of the thread, which the user cannot print. Inference mode removes the
 * thread's Autograd keys, and tensors created in it do not have them. */
static void add_keys(struct buf *out, const struct cause *cause) {
    static const struct slice call = SLICE_INIT("torch._C._dispatch_keys(");
    bool named = slice_starts(cause->subject, call) && slice_ends(cause->subject, SLICE(")"));
    struct slice tensor =
        named ? slice_make(cause->subject.ptr + call.len, cause->subject.len - call.len - 1) : (struct slice){0};
    AUTO_BUF differs = {0};
    guard_keys_differ(&differs, cause->had, cause->has);
    struct slice keys = buf_slice(&differs);
    buf_add_str(out, named ? "the dispatch keys of `" : "the dispatch keys of a tensor");
    add_text(out, tensor);
    buf_addf(out, "%s changed (%.*s%s)", named ? "`" : "", SLICE_ARG(keys), has_other_rows(cause) ? " …" : "");
    if (guard_keys_are_of_inference(keys)) {
        bool lost = slice_find(keys, SLICE("+")) == SIZE_MAX, gained = slice_starts(keys, SLICE("+"));
        buf_add_str(out, lost ? ": the call ran under `torch.inference_mode()`, or the tensor was made under it"
                         : gained
                             ? ": the earlier version is for a call under `torch.inference_mode()`, or for a tensor "
                               "made under it"
                             : "");
    }
}

static void add_values(struct buf *out, const struct cause *cause) {
    size_t said = 0;
    bool more = cause->values_end;
    for (size_t at = 0, length; at < cause->value_count; at += length) {
        length = row_length(cause, at);
        if (length < 2) { /* the new value is not logged */
            more |= said && cause->values[at].text.ptr;
            continue;
        }
        if (is_said(cause, at, length))
            continue;
        size_t fit = said + 2 > VALUES_SAID ? 0 : VALUES_SAID - said, count = length < fit ? length : fit;
        more |= count < length;
        if (!count)
            break;
        buf_add_str(out, said ? ", " : " ");
        add_row(out, cause->values + at, count);
        said += count;
    }
    if (said && more)
        buf_add_lit(out, " …");
}

/* ", with `x.size()[2]` 8 → 16 and `x.size()[3]` 8 → 16": the changes in all steps of the cause, or the others. */
static void add_beside(struct buf *out, const struct cause *cause, bool once) {
    size_t left = 0, said = 0;
    for (size_t i = 0; i < cause->beside_count; i++)
        left += cause->beside_once[i] == once;
    for (size_t i = 0; i < cause->beside_count; i++) {
        const struct guard_change *change = &cause->beside[i];
        if (cause->beside_once[i] != once)
            continue;
        bool last = !--left && (once || !cause->beside_more);
        buf_add_str(out, !said++ ? once ? " with `" : ", with `" : last ? " and `" : ", `");
        add_text(out, change->source);
        buf_add_lit(out, "` ");
        add_text(out, change->had);
        buf_add_lit(out, " → ");
        add_text(out, change->has);
    }
    if (cause->beside_more && !once)
        buf_addf(out, "%s%zu more", said ? " and " : ", with ", cause->beside_more);
}

static bool has_once(const struct cause *cause) {
    for (size_t i = 0; i < cause->beside_count; i++)
        if (cause->beside_once[i])
            return true;
    return false;
}

static bool is_condition(enum guard_type type) {
    return type == GUARD_RELATION || type == GUARD_DIVISIBILITY;
}

/* Whether the value adds information beyond the failed condition, and no earlier value is equal. */
static bool is_new_fact(const struct cause *cause, size_t at) {
    const struct cause_value *value = &cause->values[at];
    bool new = !value->starts && value->text.ptr && !slice_is(value->text, "False") && !slice_is(value->text, "True");
    for (size_t i = 0; i < at && new; i++)
        new = cause->values[i].starts || !slice_eq(cause->values[i].text, value->text);
    return new;
}

/* " failed: n = 3, n = 7": the values in each recompile for which the condition did not hold. */
static void add_failed(struct buf *out, const struct cause *cause) {
    size_t said = 0;
    bool more = cause->values_end;
    buf_add_lit(out, " failed");
    for (size_t i = 0; i < cause->value_count; i++) {
        if (!is_new_fact(cause, i))
            continue;
        more |= said == VALUES_SAID;
        if (said == VALUES_SAID)
            break;
        buf_add_str(out, said++ ? ", " : ": ");
        add_text(out, cause->values[i].text);
    }
    if (said && more)
        buf_add_lit(out, " …");
}

static void add_cause(struct buf *out, const struct cause *cause) {
    if (cause->type == GUARD_OTHER && guard_prose_add(out, cause->first)) {
        add_values(out, cause);
        return;
    }
    if (cause->type == GUARD_DISPATCH_KEY && cause->had.ptr && cause->has.ptr) {
        add_keys(out, cause);
        add_beside(out, cause, false);
        return;
    }
    bool condition = is_condition(cause->type);
    buf_add_byte(out, '`');
    struct buf readable = {0};
    guard_readable_add(&readable, !cause->subject.ptr ? cause->first : (struct slice){0});
    add_text(out, cause->subject.ptr ? cause->subject : buf_slice(&readable));
    buf_free(&readable);
    buf_add_byte(out, '`');
    if (condition) {
        add_failed(out, cause);
        return;
    }
    buf_add_str(out, cause->subject.ptr ? " changed" : " failed");
    add_values(out, cause);
    add_beside(out, cause, false);
}

/* "; for 0/2, 0/0 is equally near, where `y.dtype` differs: torch.float32 → torch.float64" */
static void add_near(struct buf *out, const struct model *model, const struct cause *cause) {
    const struct guard_change *change = &cause->near.change;
    if (!change->source.ptr)
        return;
    buf_addf(out, "; for %.*s, %.*s is equally near, where `", SLICE_ARG(model->compiles.items[cause->near_step]->key),
             SLICE_ARG(model->compiles.items[cause->near.compile]->key));
    add_text(out, change->source);
    bool condition = is_condition(change->type);
    buf_add_str(out, condition ? "` fails" : "` differs");
    if (change->had.ptr && change->has.ptr && !condition && change->type != GUARD_DISPATCH_KEY) {
        buf_add_lit(out, ": ");
        add_text(out, change->had);
        buf_add_lit(out, " → ");
        add_text(out, change->has);
    }
}

/* " (2 of 3 recompiles, in 0/1 with `stage` 'val' → 'train'; it also changed in 1 other)" */
static void add_share(struct buf *out, const struct model *model, const struct cause *cause, size_t steps) {
    buf_addf(out, " (%" PRIu64 " of %zu recompiles", (cause->count - cause->refused), steps);
    if (has_once(cause)) {
        buf_addf(out, ", in %.*s", SLICE_ARG(model->compiles.items[cause->compile]->key));
        add_beside(out, cause, true);
    }
    if (cause->also)
        buf_addf(out, "; it also changed in %" PRIu64 " %s", cause->also, cause->also == 1 ? "other" : "others");
    buf_add_byte(out, ')');
}

/* Whether the sentence on the causes includes the change. */
static bool is_in_causes(const struct chain *chain, const struct guard_change *change) {
    bool weight = change->type == GUARD_SIZE && is_weight(change->key); /* one weight represents all of a module's */
    for (size_t i = 0; i < chain->causes.count; i++) {
        const struct cause *cause = &chain->causes.items[i];
        bool named = slice_eq(cause->subject, change->source) || slice_eq(cause->near.change.source, change->source);
        for (size_t b = 0; b < cause->beside_count && !named; b++)
            named = slice_eq(cause->beside[b].source, change->source) || (weight && is_weight(cause->beside[b].key));
        if (named)
            return true;
    }
    return false;
}

/* Whether the condition is on a size or number that changed in the step, or on the data of a tensor. */
static bool is_of_number(const struct step *step, const struct guard_change *condition) {
    bool of = slice_find(condition->source, SLICE(".item()")) != SIZE_MAX;
    for (size_t i = 0; i < step->changes.count && !of; i++) {
        const struct guard_change *change = &step->changes.items[i];
        of = !is_condition(change->type) && change->source.ptr &&
             slice_find(condition->source, change->source) != SIZE_MAX;
    }
    return of;
}

/* Whether the change is independent of others, and no sentence mentions it. Changes in strides, in dispatch keys and in
 * members of a replaced object follow from others, and values from before a graph break have their own sentence. */
static bool is_unsaid(const struct chain *chain, const struct step *step, size_t nth) {
    const struct guard_change *change = &step->changes.items[nth];
    bool follows = change->type == GUARD_STRIDE || change->type == GUARD_IDENTITY ||
                   change->type == GUARD_DISPATCH_KEY || slice_find(change->source, SLICE(".stride()[")) != SIZE_MAX ||
                   slice_find(change->source, SLICE("___stack")) != SIZE_MAX || step_is_of_replaced(step, nth) ||
                   (is_condition(change->type) && is_of_number(step, change));
    return change->source.ptr && !follows && !is_in_causes(chain, change);
}

/* Whether the sentence on the step's cause lists only some of the other changes: "and 3 more". */
static bool has_more(const struct chain *chain, const struct step *step) {
    for (size_t i = 0; i < chain->causes.count; i++)
        if (chain->causes.items[i].compile == step->compile && chain->causes.items[i].beside_more)
            return true;
    return false;
}

/* " In 0/2, `type(stop)` changed, too: None → str.": a change that alone would have caused the recompile. */
static void add_unsaid(struct buf *out, const struct model *model, const struct chain *chain) {
    size_t said = 0;
    for (size_t i = 0; i < chain->steps.count && said < CAUSES_LONG; i++) {
        const struct step *step = &chain->steps.items[i];
        const struct guard_change *first = NULL;
        size_t more = 0;
        for (size_t c = 1; c < step->changes.count && !has_more(chain, step); c++)
            if (is_unsaid(chain, step, c)) {
                more += first != NULL;
                first = first ? first : &step->changes.items[c];
            }
        if (!first)
            continue;
        buf_addf(out, "%s %.*s, `", said++ ? "; in" : " In", SLICE_ARG(model->compiles.items[step->compile]->key));
        add_text(out, first->source);
        buf_add_str(out, is_condition(first->type) ? "` failed, too" : "` changed, too");
        if (first->had.ptr && first->has.ptr && !is_condition(first->type)) {
            buf_add_lit(out, ": ");
            add_text(out, first->had);
            buf_add_lit(out, " → ");
            add_text(out, first->has);
        }
        if (more)
            buf_addf(out, ", with %zu more", more);
    }
    buf_add_str(out, said ? "." : "");
}

/* " 0/4 did not compile.": another issue explains why. */
static void add_failed_steps(struct buf *out, const struct model *model, const struct chain *chain) {
    size_t said = 0, more = 0;
    for (size_t i = 0; i < chain->steps.count; i++) {
        uint32_t compile = chain->steps.items[i].compile;
        if (!recompile_failed(model, compile))
            continue;
        more += said == CAUSES_LONG;
        if (said < CAUSES_LONG)
            buf_addf(out, "%s%.*s", said++ ? ", " : " ", SLICE_ARG(model->compiles.items[compile]->key));
    }
    if (more)
        buf_addf(out, " and %zu more", more);
    buf_add_str(out, said ? " did not compile." : "");
}

/* "___stack0" in the text; ptr NULL: there is none. */
static struct slice stack_name(struct slice text) {
    static const struct slice stack = SLICE_INIT("___stack");
    size_t at = slice_find(text, stack), end = at == SIZE_MAX ? 0 : at + stack.len;
    while (end && end < text.len && is_digit(text.ptr[end]))
        end++;
    return end ? slice_make(text.ptr + at, end - at) : (struct slice){0};
}

/* " `___stack0` is …": explains Dynamo's names for values on the interpreter's stack, in the rest of a function that a
 * graph break splits. */
static void explain_stack(struct buf *out, const struct chain *chain, size_t said) {
    struct slice function = chain->frame.function, name = {0};
    size_t at = slice_rfind_byte(function, '_');
    if (!slice_starts(function, SLICE("torch_dynamo_resume_in_")) || at == SIZE_MAX)
        return;
    for (size_t i = 0; i < said && !name.ptr; i++) {
        const struct cause *cause = &chain->causes.items[i];
        name = stack_name(cause->subject);
        for (size_t n = 0; n < cause->beside_count && !name.ptr; n++)
            name = stack_name(cause->beside[n].source);
    }
    if (name.ptr)
        buf_addf(out,
                 " `%.*s` is a value from before the graph break at %.*s:%.*s, such as the result of the call there.",
                 SLICE_ARG(name), SLICE_ARG(path_last(chain->frame.file)), SLICE_ARG(slice_from(function, at + 1)));
}

/* " `log` is at lightning/pytorch/core/module.py:386.": for a function of a library, the finding's place is the user's
 * line that calls it. Labels have the file or the class. */
static void add_library(struct buf *out, const struct model *model, const struct chain *chain) {
    static const struct slice packages = SLICE_INIT("-packages/");
    const struct place *frame = &chain->frame;
    if (!is_library_file(frame->file) || !frame->file.len || frame->file.ptr[0] == '<' || !frame->line ||
        model->compiles.items[chain->compiles.items[0]]->label.ptr)
        return;
    size_t at = slice_find(frame->file, packages);
    buf_addf(out, " `%.*s` is at %.*s:%" PRIu64 ".", SLICE_ARG(frame->function),
             SLICE_ARG(at == SIZE_MAX ? path_last(frame->file) : slice_from(frame->file, at + packages.len)),
             frame->line);
}

void chain_add_why(struct buf *out, const struct model *model, const struct chain *chain) {
    size_t said = 0, steps = chain->recompiles, start = out->len;
    if (!chain->causes.count) {
        buf_add_lit(out, "The log does not say why.");
        return;
    }
    for (; said < chain->causes.count && said < CAUSES_SAID; said++) {
        size_t i = said;
        if (i >= CAUSES_LONG && out->len - start > WHY_LONG)
            break;
        buf_add_str(out, i ? "; " : "");
        const struct cause *cause = &chain->causes.items[i];
        size_t begin = out->len;
        add_cause(out, cause);
        if (i == 0 && begin < out->len && out->ptr[begin] >= 'a' && out->ptr[begin] <= 'z')
            out->ptr[begin] = (char)(out->ptr[begin] - 'a' + 'A');
        if (steps > 1 && cause->count > cause->refused)
            add_share(out, model, cause, steps);
        add_near(out, model, cause);
    }
    if (chain->causes.count > said)
        buf_addf(out, "; %zu more %s", chain->causes.count - said,
                 chain->causes.count - said == 1 ? "cause" : "causes");
    buf_add_byte(out, '.');
    add_unsaid(out, model, chain);
    chain_add_keys(out, model, chain);
    chain_add_along(out, model, chain);
    add_failed_steps(out, model, chain);
    if (chain->refused && steps)
        buf_addf(out, " The limit refused %zu more %s.", chain->refused,
                 chain->refused == 1 ? "recompile" : "recompiles");
    if (chain->recompiles + chain->refused == chain->compiles.count)
        buf_add_lit(out, " The log does not hold the earlier version.");
    explain_stack(out, chain, said);
    add_library(out, model, chain);
}

static bool is_mode(enum guard_type type) {
    return type == GUARD_MODULE_MODE || type == GUARD_GRAD_MODE;
}

/* Whether notes explain most of the recompiles. */
static bool are_mostly_expected(const struct chain *chain) {
    size_t steps = 0;
    for (size_t i = 0; i < chain->advice.count; i++)
        steps += chain->advice.items[i].expected ? chain->advice.items[i].steps : 0;
    return steps * 2 >= chain->recompiles + chain->refused;
}

const struct advice *chain_advice(const struct chain *chain) {
    const struct advice *fix = NULL;
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        bool mostly = !advice->expected && advice->steps * 2 >= chain->recompiles + chain->refused;
        if (advice->saves || advice->of_limit || mostly)
            return advice;
        fix = fix || advice->expected ? fix : advice;
    }
    if (fix)
        return fix;
    return chain->advice.count && are_mostly_expected(chain) ? &chain->advice.items[0] : NULL;
}

/* Whether the advice is known to save recompiles in some cases: a float may become a tensor, unless an operator needs
 * the number. */
static bool may_save(const struct advice *advice) {
    return advice->saves || advice->of_break ||
           (!advice->expected && (advice->may_save || advice->type == GUARD_FLOAT));
}

/* Whether the steps of the advice count in the upper bound of savings: if one fix saves some, all others may, too. So
 * does advice on the graph break from which the values come. */
static bool counts(const struct advice *advice, bool known, bool surely) {
    return advice->saves || (!surely && known && !advice->expected && !advice->of_limit);
}

bool advice_may_save_first(const struct advice *advice) {
    return advice->but_first && advice->saves && advice_has_variable(advice) && advice->dynamic->either;
}

/* Whether the variable alone saves the steps, because nothing else changed in them. */
static bool needs_only_variable(const struct advice *advice) {
    return advice_has_variable(advice) && !advice->dynamic->tail.len;
}

/* Adds the compile's time unless it was already counted. */
static void count_time(struct map *seen, const struct model *model, uint32_t place, bool skip, int64_t *sum) {
    bool added = false;
    map_put(seen, slice_make((const char *)&place, sizeof place), 0, &added);
    if (added && !skip && model->compiles.items[place]->time_us > 0)
        *sum += model->compiles.items[place]->time_us;
}

/* The time of the recompiles only, because the remaining version costs at least as much as the first one. `variable`:
 * only by advice on TORCH_COMPILE_DYNAMIC_SOURCES. Adds these compiles to `seen`. */
static int64_t saves_us(const struct model *model, const struct chain *chain, bool variable, struct map *seen) {
    int64_t sum = 0;
    bool known = false;
    for (size_t i = 0; i < chain->advice.count; i++)
        known |= may_save(&chain->advice.items[i]);
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        size_t skip = advice->but_first;
        if (variable && !needs_only_variable(advice))
            continue;
        for (size_t e = 0; e < advice->evidence_count && counts(advice, known, variable); e++) {
            uint32_t place = advice->evidence[e].compile;
            if (advice->evidence[e].record ==
                EVIDENCE_METRICS) /* evidence for a setting: not a recompile that is saved */
                continue;
            bool left = skip && skip-- && !advice_may_save_first(advice);
            count_time(seen, model, place, left || place == chain->compiles.items[0], &sum);
        }
        if (advice->evidence_more && counts(advice, known, variable)) /* not all are listed */
            return chain->time_us;
    }
    return sum;
}

int64_t chain_saves_us(const struct model *model, const struct chain *chain) {
    AUTO_MAP seen = {0};
    int64_t us = saves_us(model, chain, false, &seen);
    return us;
}

int64_t chain_variable_saves_us(const struct model *model, const struct chains *chains, size_t nth,
                                size_t *recompiles) {
    const struct chain *chain = &chains->list.items[nth];
    AUTO_MAP seen = {0};
    int64_t us = saves_us(model, chain, true, &seen);
    bool whole = us == chain->time_us;
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        if (needs_only_variable(advice) && advice->saves) /* the alternative does not save the first step */
            *recompiles += advice->saves + advice_may_save_first(advice);
    }
    for (size_t s = 0; s < chain->steps.count && s < STEPS_COMPARED_MAX && !whole; s++) {
        const struct step *step = &chain->steps.items[s];
        if (map_get(&seen, slice_make((const char *)&step->compile, sizeof step->compile)) != MAP_NONE ||
            !recompile_is_covered(model, chains, step))
            continue;
        *recompiles += !recompile_is_refused(model, step->compile);
        count_time(&seen, model, step->compile, false, &us);
    }
    return us;
}

const char *evidence_record_name(enum evidence_record record) {
    static const char *const names[EVIDENCE_RECORDS] = {
        [EVIDENCE_REASONS] = "recompile_reasons",
        [EVIDENCE_GUARDS] = "dynamo_cpp_guards_str",
        [EVIDENCE_SYMBOL] = "create_symbol",
        [EVIDENCE_METRICS] = "compilation_metrics",
    };
    return names[record];
}

/* Whether an earlier item cites the same record. */
static bool is_named(const struct advice *advice, size_t nth) {
    for (size_t i = 0; i < nth; i++)
        if (advice->evidence[i].record == advice->evidence[nth].record)
            return true;
    return false;
}

void advice_add_evidence(struct buf *out, const struct model *model, const struct advice *advice) {
    for (size_t i = 0; i < advice->evidence_count; i++) {
        if (is_named(advice, i))
            continue;
        size_t said = 0, all = 0;
        buf_addf(out, "%s%s of", i ? "; " : "", evidence_record_name(advice->evidence[i].record));
        for (size_t n = i; n < advice->evidence_count; n++) {
            const struct evidence *item = &advice->evidence[n];
            if (item->record != advice->evidence[i].record || all++ >= RECORDS_SAID)
                continue;
            buf_addf(out, "%s%.*s", said++ ? ", " : " ", SLICE_ARG(model->compiles.items[item->compile]->key));
            if (item->says.ptr) {
                buf_add_lit(out, " (");
                add_text(out, item->says);
                buf_add_lit(out, ")");
            }
        }
        if (all > said || (advice->evidence_more && advice->evidence[i].record == EVIDENCE_REASONS))
            buf_add_lit(out, " …");
    }
}

bool chain_is_expected(const struct chain *chain) {
    for (size_t i = 0; i < chain->causes.count; i++) {
        const struct cause *cause = &chain->causes.items[i];
        if (!is_mode(cause->type))
            return false;
        for (size_t b = 0; b < cause->beside_count; b++)
            if (cause->beside[b].type == GUARD_GLOBAL_STATE) /* another mode */
                return false;
    }
    return chain->causes.count > 0 && !chain->limit_hit;
}
