/* Sizes and values: dynamic dimensions that were specialized, decisions based on tensor values. */

#include "analysis/advice_words.h"
#include "findings/findings_make.h"
#include "model/export_calls.h"
#include "recompiles/dynamic.h"

enum { CALLS_MAX = 1000, EXPR_MAX = 300, STEPS_SEARCHED_MAX = 16, CITED_MAX = 3, VIOLATION_MAX = 1 << 16 /* bytes */ };

static struct place innermost(const struct stack_node *stack) {
    if (!stack)
        return (struct place){0};
    struct place place = {.file = stack->frame->file, .function = stack->frame->function, .line = stack->frame->line};
    return finding_place(place, stack);
}

/* Why the symbols of a compile are dynamic, if that is logged. */
struct makers {
    struct arena *arena;
    struct map by_symbol;          /* folder, symbol → enum dynamic_by */
    const struct compile *compile; /* whose symbols were added most recently */
};

static void add_symbol_key(struct buf *key, const struct shape_record *fact) {
    buf_addf(key, "%" PRIu32 " ", fact->folder); /* a folder belongs to one compile */
    buf_add(key, fact->symbol);
}

static void add_makers(struct makers *makers, const struct compile *compile) {
    AUTO_BUF key = {0};
    for (const struct shape_record *made = compile->shapes[SHAPE_SYMBOL].first; made; made = made->next) {
        enum dynamic_by by = dynamic_of(compile, made);
        bool added;
        if (by == DYNAMIC_UNKNOWN)
            continue;
        key.len = 0;
        add_symbol_key(&key, made);
        map_put_in(makers->arena, &makers->by_symbol, buf_slice(&key), by, &added);
    }
    makers->compile = compile;
}

static enum dynamic_by maker(struct makers *makers, const struct compile *compile, const struct shape_record *fixed) {
    AUTO_BUF key = {0};
    if (makers->compile != compile)
        add_makers(makers, compile);
    add_symbol_key(&key, fixed);
    uint32_t by = map_get(&makers->by_symbol, buf_slice(&key));
    return by == MAP_NONE ? DYNAMIC_UNKNOWN : (enum dynamic_by)by;
}

/* Adds what had made the size, or several sizes, dynamic; nothing if it is not logged. */
static void add_maker(struct buf *out, enum dynamic_by by, bool several) {
    static const char *const makers[DYNAMICS] = {
        [DYNAMIC_MARK] = "`torch._dynamo.mark_dynamic`",
        [DYNAMIC_COMPILE] =
            "`torch.compile(dynamic=True)`, or `torch._dynamo.config.assume_static_by_default = False`,",
        [DYNAMIC_EXPORT] = "`torch._dynamo.export`",
        [DYNAMIC_SHAPES] = "`dynamic_shapes` of the export",
        [DYNAMIC_AUTOMATIC] = "PyTorch",
    };
    if (by != DYNAMIC_UNKNOWN)
        buf_addf(out, " %s had made %s dynamic%s.", makers[by], several ? "them" : "it",
                 by == DYNAMIC_AUTOMATIC ? " automatically" : "");
}

/* "0.500000000000000" → "0.5", "1.00000000000000e-5" → "1.0e-5", as in the program. */
static struct slice shortest(struct findings *findings, struct slice number) {
    size_t dot = slice_rfind_byte(number, '.'), exponent = slice_rfind_byte(number, 'e');
    size_t end = exponent == SIZE_MAX ? number.len : exponent, len = end;
    if (dot == SIZE_MAX || end < dot || digits_length(slice_from(number, dot + 1)) != end - dot - 1)
        return number;
    while (len > dot + 2 && number.ptr[len - 1] == '0')
        len--;
    return exponent == SIZE_MAX ? slice_first(number, len)
                                : finding_say(findings, "%.*s%.*s", SLICE_ARG(slice_first(number, len)),
                                              SLICE_ARG(slice_from(number, end)));
}

/* "`x.size()[0]` and `y.size()[0]` were dynamic and are specialized to 4": sizes that were equal are one symbol. */
static struct slice specialization_title(struct findings *findings, const struct shape_record *fact) {
    struct buf title = {0};
    struct slice rest = fact->source;
    bool several = false;
    while (rest.len) {
        size_t comma = slice_find(rest, SLICE(", L["));
        buf_add_str(&title, several ? " and `" : "`");
        guard_readable_add(&title, slice_first(rest, comma));
        buf_add_byte(&title, '`');
        rest = comma == SIZE_MAX ? (struct slice){0} : slice_from(rest, comma + 2);
        several |= rest.len > 0;
    }
    buf_addf(&title, " %s to %.*s", several ? "were dynamic and are specialized" : "was dynamic and is specialized",
             SLICE_ARG(shortest(findings, fact->value)));
    return finding_keep(findings, &title);
}

/* The consequence of the specialization. A program is mentioned only if the log has one: most exports log none, and a
 * failed export produces none. */
static const char *consequence(const struct model *model, const struct compile *compile) {
    if (!exports_has_traced(model, compile))
        return "The graph is valid for this value only; another value recompiles it.";
    return model->exports->programs.count ? "The exported program is valid for this value only."
                                          : "The export traced the code for this value only.";
}

/* Whether this is a number that an object holds, such as `self.norm.eps`, and not a size: it is a constant in most
 * programs. */
static bool is_attribute(struct slice source) {
    return slice_find(source, SLICE("].")) != SIZE_MAX && slice_find(source, SLICE(".size()[")) == SIZE_MAX &&
           slice_find(source, SLICE(".stride()[")) == SIZE_MAX;
}

/* Advice if the user declared the size of an export with a range, so the export fails. ptr NULL: no range. */
static struct slice advise_declared(struct findings *findings, const struct compile *compile,
                                    const struct shape_record *fact, struct slice *evidence) {
    const struct shape_record *made = compile->shapes[SHAPE_SYMBOL].first;
    while (made && (!slice_eq(made->symbol, fact->symbol) || made->line > fact->line))
        made = made->next;
    if (!made || slice_find(made->source, SLICE(".size()[")) == SIZE_MAX || !slice_ends(made->range, SLICE("]")) ||
        slice_find(made->range, SLICE("oo")) != SIZE_MAX)
        return (struct slice){0};
    *evidence = finding_say(findings, "create_symbol of %.*s (%.*s %.*s)", SLICE_ARG(compile->key),
                            SLICE_ARG(made->symbol), SLICE_ARG(made->range));
    return SLICE(
        "A size that is declared with a range must not be constant, or the export is an error: take it from the "
        "input at this line (`x.shape[0]`, or -1 for `reshape`), or declare it `Dim.AUTO` or `Dim.STATIC`.");
}

/* The same for a size that must equal the size of another tensor. */
static struct slice advise_equal(struct findings *findings, const struct model *model, const struct compile *compile,
                                 const struct shape_record *fact, struct finding *finding,
                                 const struct equal_size *equal) {
    struct buf text = {0}, sizes = {0};
    size_t count = export_add_static(&sizes, model, compile, fact->line, fact->value);
    struct slice evidence = {0};
    export_add_equal_advice(&text, buf_slice(&sizes), count);
    buf_free(&sizes);
    if (advise_declared(findings, compile, fact, &evidence).ptr)
        buf_add_lit(&text, " A size that is declared with a range must not be constant, or the export is an error.");
    finding->evidence = finding_say(findings, "guard_added_fast of %.*s (%.*s)", SLICE_ARG(compile->key),
                                    SLICE_ARG(equal->guard->text));
    return finding_keep(findings, &text);
}

static void add_specialization(struct findings *findings, struct makers *makers, const struct model *model,
                               const struct compile *compile, const struct shape_record *fact) {
    struct finding *finding = finding_add(findings, FINDING_SPECIALIZATION, SEVERITY_WARNING, IMPACT_COMPILE_TIME);
    struct equal_size equal = equal_size_of(compile, fact, &findings->scratch);
    struct buf why = {0};
    finding->title = specialization_title(findings, fact);
    enum dynamic_by by = maker(makers, compile, fact);
    /* with dynamic=True, only weights, buffers and constants are static: no program chose this size to be dynamic */
    bool unchosen = by == DYNAMIC_COMPILE && !exports_has_traced(model, compile);
    if (unchosen && equal.guard)
        buf_add_lit(&why, "The graph is valid for this value only.");
    else if (unchosen)
        buf_add_lit(&why, "The graph is valid for this value only; another value recompiles it, or is an error if a "
                          "weight needs this one.");
    else
        buf_add_str(&why, consequence(model, compile));
    add_maker(&why, by, false);
    if (equal.guard) {
        equal_size_add(&why, &equal);
        finding->advice = exports_has_traced(model, compile)
                            ? advise_equal(findings, model, compile, fact, finding, &equal)
                            : finding_partner_advice(findings, compile, &equal, &finding->evidence);
    } else if (exports_has_traced(model, compile))
        finding->advice = advise_declared(findings, compile, fact, &finding->evidence);
    finding->why = finding_keep(findings, &why);
    finding->place = innermost(specialization_stack(compile, fact));
    if (!finding->place.file.ptr)
        finding->place = finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    if (finding->library || is_attribute(fact->source) || unchosen)
        finding->severity = SEVERITY_INFO;
    finding->link = finding_link(findings, compile);
}

/* Whether the size belongs to an internal tensor of PyTorch, which has no name for users: a fake tensor, a tensor that
 * exists only during tracing (EphemeralSource), or one that Compiled Autograd passes to its graph. */
static bool is_own_size(const struct compile *compile, const struct shape_record *fact) {
    return !fact->source.len || slice_find(fact->source, SLICE("__meta_utils_unknown_tensor")) != SIZE_MAX ||
           slice_starts(fact->source, SLICE("<ephemeral: ")) ||
           (compile->autograd_id != PART_MISSING && slice_starts(fact->source, SLICE("L['sizes'][")));
}

/* Whether the size belongs to the state or parameters of an optimizer, whose `state` has parameters as keys: these
 * sizes never change. Another optimizer has its own versions. */
static bool is_of_optimizer(const struct compile *compile, const struct shape_record *fact) {
    bool step = slice_find(compile->frame.file, SLICE("/torch/optim/")) != SIZE_MAX;
    return (step && slice_find(fact->source, SLICE(".size()[")) != SIZE_MAX) ||
           slice_find(fact->source, SLICE(".state[list(")) != SIZE_MAX ||
           slice_find(fact->source, SLICE(".param_groups[")) != SIZE_MAX;
}

/* Whether another finding covers it: the compile failed because the size was declared dynamic. */
static bool is_violation(const struct model *model, const struct compile *compile, const struct shape_record *fact) {
    const struct failure *failure = compile->failure < 0 ? NULL : &model->failures.items[compile->failure];
    return failure && slice_is(failure->type, "ConstraintViolationError") &&
           slice_find(slice_first(failure->reason, VIOLATION_MAX), fact->source) != SIZE_MAX;
}

/* Whether the call failed because the code needs a constant, or, with a value, this constant. */
static bool needs_constant(const struct model *model, const struct export_call *call, const struct slice *value) {
    const struct export_failure *failure = call->failure < 0 ? NULL : model->exports->failures.items[call->failure];
    bool found = failure && failure->kind == EXPORT_CONSTRAINT && !value;
    for (uint32_t i = 0; failure && value && i < failure->limit_count && !found; i++)
        found = failure->limits[i].says.kind == CONSTRAINT_CONSTANT && slice_eq(failure->limits[i].says.expr, *value);
    return found;
}

/* Whether a constraint violation reports it: for the export of this trace, or for another call on the same line, such
 * as one with a different `strict`. */
static bool export_is_violated(const struct model *model, const struct compile *compile,
                               const struct shape_record *fact) {
    const struct export_call *call = exports_shown(model) ? export_call_at(model, compile, fact->line) : NULL;
    bool found = call && needs_constant(model, call, NULL);
    for (size_t i = 0; call && !found && i < model->exports->calls.count && i < CALLS_MAX; i++) {
        const struct export_call *other = &model->exports->calls.items[i];
        found = other->place.line == call->place.line && slice_eq(other->place.file, call->place.file) &&
                needs_constant(model, other, &fact->value);
    }
    return found;
}

/* Per compile: the finding of its chain, its step, and the steps that were compared with it. */
struct in_chain {
    uint32_t finding; /* UINT32_MAX: none */
    const struct step *own;
    LIST(const struct step *) later;
};

static struct in_chain *place_chains(struct findings *findings, const struct model *model,
                                     const struct chains *chains) {
    struct in_chain *places = arena_zalloc(&findings->scratch, (model->compiles.count + 1) * sizeof *places);
    for (size_t i = 0; i < model->compiles.count; i++)
        places[i].finding = UINT32_MAX;
    for (size_t i = 0; i < chains->list.count; i++) {
        const struct chain *chain = &chains->list.items[i];
        for (size_t c = 0; c < chain->compiles.count; c++)
            places[chain->compiles.items[c]].finding = findings->of_chains.items[i];
        for (size_t s = 0; s < chain->steps.count; s++) {
            const struct step *step = &chain->steps.items[s];
            places[step->compile].own = step;
            struct in_chain *nearest = step->nearest == NO_VERSION ? NULL : &places[step->nearest];
            if (!nearest || nearest->later.count == STEPS_SEARCHED_MAX)
                continue;
            ARENA_ADD(&findings->scratch, &nearest->later, step);
        }
    }
    return places;
}

/* Whether the step is a recompile for the size or number that was specialized. */
static bool is_step_for(const struct step *step, const struct shape_record *fact) {
    for (size_t i = 0; i < step->changes.count; i++) {
        struct guard_fact changed = guard_key_read(step->changes.items[i].key);
        AUTO_BUF expression = {0};
        bool number = changed.aspect == ASPECT_VALUE || changed.aspect == ASPECT_SIZE;
        buf_add(&expression, changed.source);
        if (changed.aspect == ASPECT_SIZE)
            buf_addf(&expression, ".size()[%.*s]", SLICE_ARG(changed.detail));
        bool same = number && slice_eq(buf_slice(&expression), fact->source);
        if (!same && !step->changes.items[i].key.ptr &&
            step->changes.items[i].source.ptr) { /* known only from a reason */
            expression.len = 0;
            guard_readable_add(&expression, fact->source);
            same = slice_eq(buf_slice(&expression), step->changes.items[i].source);
        }
        if (same)
            return true;
    }
    return false;
}

/* The finding of the recompiles that the specialization caused; UINT32_MAX: none. */
static uint32_t recompiles_of(const struct in_chain *place, const struct shape_record *fact) {
    bool leads = place->own && is_step_for(place->own, fact);
    for (size_t i = 0; i < place->later.count && !leads; i++)
        leads = is_step_for(place->later.items[i], fact);
    return leads ? place->finding : UINT32_MAX;
}

/* Specializations of one source on one line, in the compiles of a chain, at least one of which caused a recompile. They
 * have one cause, and belong to the finding of the recompiles. */
struct cited {
    uint32_t finding;
    struct slice source;
    enum dynamic_by made_by;
    struct place place;
    struct value_at {
        uint32_t compile;
        struct slice value;
    } values[CITED_MAX];
    size_t value_count, compiles;
    uint32_t last; /* the compile that was counted last */
};

struct specializations {
    struct arena *arena;
    struct makers makers;
    struct in_chain *places;
    struct map groups; /* (finding of a chain, place, source) → index in cited */
    LIST(struct cited) cited;
};

/* The key that equal specializations share, after `finding`; with `value`, including their value. */
static void add_alike(struct buf *key, uint32_t finding, const struct compile *compile, const struct shape_record *fact,
                      bool value) {
    struct place place = innermost(specialization_stack(compile, fact));
    buf_addf(key, "%" PRIu32 " %" PRIu64 " ", finding, place.line);
    buf_add(key, place.file);
    buf_add_byte(key, 0);
    buf_add(key, fact->source);
    if (value) {
        buf_add_byte(key, 0);
        buf_add(key, fact->value);
    }
}

/* Finds the specializations that caused a recompile. */
static void find_leading(struct specializations *all, const struct model *model, uint32_t index,
                         const struct shape_record *fact) {
    const struct compile *compile = model->compiles.items[index];
    struct buf key = {0};
    bool added;
    uint32_t finding = recompiles_of(&all->places[index], fact);
    if (finding == UINT32_MAX)
        return;
    add_alike(&key, finding, compile, fact, false);
    map_put_in(all->arena, &all->groups, buf_slice(&key), (uint32_t)all->cited.count, &added);
    buf_free(&key);
    if (!added)
        return;
    ARENA_ADD(all->arena, &all->cited,
              (struct cited){.finding = finding,
                             .source = fact->source,
                             .place = innermost(specialization_stack(compile, fact)),
                             .last = UINT32_MAX});
}

/* Whether a specialization of this source with a place is cited in the same finding: this one has no stack, so it adds
 * nothing. */
static bool is_repeated(const struct specializations *all, const struct model *model, uint32_t compile,
                        const struct shape_record *fact) {
    bool repeated = false;
    if (specialization_stack(model->compiles.items[compile], fact))
        return false;
    for (size_t i = 0; i < all->cited.count && !repeated; i++)
        repeated = all->cited.items[i].finding == all->places[compile].finding &&
                   slice_eq(all->cited.items[i].source, fact->source);
    return repeated;
}

/* Whether the specialization is one of those. Includes versions without a later recompile. */
static bool join_cited(struct specializations *all, const struct model *model, uint32_t compile,
                       const struct shape_record *fact) {
    struct buf key = {0};
    add_alike(&key, all->places[compile].finding, model->compiles.items[compile], fact, false);
    uint32_t index = map_get(&all->groups, buf_slice(&key));
    buf_free(&key);
    if (index == MAP_NONE)
        return is_repeated(all, model, compile, fact);
    assert(index < all->cited.count && all->cited.items);
    struct cited *cited = &all->cited.items[index];
    if (cited->made_by == DYNAMIC_UNKNOWN)
        cited->made_by = maker(&all->makers, model->compiles.items[compile], fact);
    if (cited->last == compile) /* a restarted trace repeats it */
        return true;
    cited->last = compile;
    cited->compiles++;
    if (cited->value_count < CITED_MAX)
        cited->values[cited->value_count++] = (struct value_at){compile, fact->value};
    return true;
}

/* Adds to a finding of recompiles why its size or number stays constant. What had made it dynamic is added later. */
static void say_cited(struct findings *findings, const struct model *model, const struct cited *cited) {
    struct finding *finding = &findings->list.items[cited->finding];
    struct buf why = {0};
    buf_add(&why, finding->why);
    for (size_t i = 0; i < cited->value_count; i++) {
        buf_addf(&why, "%s [%.*s] ",
                 i == 0                                                                 ? " In"
                 : i + 1 == cited->value_count && cited->compiles == cited->value_count ? ", and in"
                                                                                        : ", in",
                 SLICE_ARG(model->compiles.items[cited->values[i].compile]->key));
        if (i == 0) {
            buf_add_byte(&why, '`');
            guard_readable_add(&why, cited->source);
            buf_add_lit(&why, "` was dynamic and is specialized ");
        }
        buf_addf(&why, "to %.*s", SLICE_ARG(shortest(findings, cited->values[i].value)));
    }
    if (cited->compiles > cited->value_count)
        buf_addf(&why, ", and in %zu more", cited->compiles - cited->value_count);
    if (cited->place.file.ptr)
        buf_addf(&why, ", at %.*s:%" PRIu64, SLICE_ARG(path_last(cited->place.file)), cited->place.line);
    buf_add_byte(&why, '.');
    finding->why = finding_keep(findings, &why);
}

/* What a finding of recompiles reports about its specializations. */
struct said {
    uint8_t count, alike; /* count: all of them; alike: the last ones with the same maker, which is not yet mentioned */
    uint32_t more;        /* that are not listed */
    enum dynamic_by made_by;
};

static void say_more(struct findings *findings, uint32_t nth, const struct said *said) {
    if (said->more)
        findings->list.items[nth].why = finding_say(findings, "%.*s The page of shapes has %" PRIu32 " more.",
                                                    SLICE_ARG(findings->list.items[nth].why), said->more);
}

static void say_maker(struct findings *findings, uint32_t nth, struct said *said) {
    struct buf why = {0};
    if (said->alike && said->made_by != DYNAMIC_UNKNOWN) {
        buf_add(&why, findings->list.items[nth].why);
        add_maker(&why, said->made_by, said->alike > 1);
        findings->list.items[nth].why = finding_keep(findings, &why);
    }
    said->alike = 0;
}

static bool is_told(const struct model *model, const struct compile *compile, const struct shape_record *fact) {
    return !export_is_violated(model, compile, fact) && !is_own_size(compile, fact) &&
           !is_of_optimizer(compile, fact) && !is_violation(model, compile, fact);
}

/* Specializations with the same source, value and place are one finding. If they caused recompiles, they are part of
 * that finding. */
static void add_specializations(struct findings *findings, const struct model *model, const struct chains *chains) {
    struct map seen = {0};
    struct specializations all = {.arena = &findings->scratch,
                                  .makers = {.arena = &findings->scratch},
                                  .places = place_chains(findings, model, chains)};
    struct said *said = arena_zalloc(&findings->scratch, (findings->list.count + 1) * sizeof *said);
    for (size_t i = 0; i < model->compiles.count; i++)
        for (const struct shape_record *fact = model->compiles.items[i]->shapes[SHAPE_SPECIALIZATION].first; fact;
             fact = fact->next)
            if (is_told(model, model->compiles.items[i], fact))
                find_leading(&all, model, (uint32_t)i, fact);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        for (const struct shape_record *fact = compile->shapes[SHAPE_SPECIALIZATION].first; fact; fact = fact->next) {
            AUTO_BUF key = {0};
            bool added;
            if (!is_told(model, compile, fact) || join_cited(&all, model, (uint32_t)i, fact) ||
                compile_status(compile) == STATUS_ERROR) /* it has no graph */
                continue;
            add_alike(&key, UINT32_MAX, compile, fact, true);
            uint32_t index =
                *map_put_in(&findings->scratch, &seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
            if (added)
                add_specialization(findings, &all.makers, model, compile, fact);
            /* The cost is the time of a later recompile, which the finding of that frame has. The time of this compile
             * does not count. */
            finding_name_compile(findings, &findings->list.items[index], (uint32_t)i);
        }
    }
    for (size_t i = 0; i < all.cited.count; i++) {
        const struct cited *cited = &all.cited.items[i];
        struct said *already = &said[cited->finding];
        if (already->count == CITED_MAX) {
            already->more++;
            continue;
        }
        if (already->count && already->made_by != cited->made_by)
            say_maker(findings, cited->finding, already);
        say_cited(findings, model, cited);
        already->count++;
        already->made_by = cited->made_by;
        already->alike++;
    }
    for (size_t i = 0; i < chains->list.count; i++)
        if (findings->of_chains.items[i] != UINT32_MAX) {
            struct said *of = &said[findings->of_chains.items[i]];
            say_maker(findings, findings->of_chains.items[i], of);
            say_more(findings, findings->of_chains.items[i], of);
            of->more = 0; /* joined chains share a finding */
        }
}

/* Data-dependent decisions of Dynamo. Those of an export belong to the export's findings. */
static void add_real_tensors(struct findings *findings, const struct model *model) {
    struct map seen = {0};
    for (size_t i = 0; model->exports && !exports_shown(model) && i < model->exports->failures.count; i++) {
        const struct export_failure *failure = model->exports->failures.items[i];
        const struct compile *compile = model->compiles.items[failure->compile];
        struct buf key = {0};
        bool added;
        if (failure->kind != EXPORT_DATA_DEPENDENT || !failure->line || !failure->result.ptr)
            continue;
        buf_addf(&key, "%u ", failure->compile);
        buf_add(&key, failure->expr);
        uint32_t index =
            *map_put_in(&findings->scratch, &seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added) {
            struct finding *finding = finding_add(findings, FINDING_REAL_TENSORS, SEVERITY_WARNING, IMPACT_INFORMATION);
            finding->title = finding_say(findings, "`%.*s` was decided with real data: `%.*s`",
                                         SLICE_ARG(slice_first(failure->expr, EXPR_MAX)), SLICE_ARG(failure->result));
            finding->why =
                SLICE("It depends on tensor values. With `fake_tensor_propagate_real_tensors` Dynamo used those "
                      "of this call, so the graph holds for this outcome only.");
            finding->advice = SLICE("If it always holds, state it before the line with `torch._check`; otherwise use "
                                    "`torch.where`, or " ADVICE_COND ".");
            finding->evidence = SLICE("propagate_real_tensors");
            /* A stack without the traced frame ends where that frame was called. */
            finding->place = failure->user_stack     ? innermost(failure->user_stack)
                           : compile->frame.file.ptr ? compile->frame
                                                     : failure->place;
            finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
            finding->link = finding_link(findings, compile);
        }
        finding_name_compile(findings, &findings->list.items[index],
                             failure->compile); /* the compile's time is not a cost */
    }
}

void findings_add_shapes(struct findings *findings, const struct model *model, const struct chains *chains) {
    add_specializations(findings, model, chains);
    add_real_tensors(findings, model);
}
