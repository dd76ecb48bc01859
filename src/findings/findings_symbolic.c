/* findings_symbolic.c - errors about dynamic sizes, which do not occur with constant sizes. */

#include "analysis/setting_values.h"
#include "findings/findings_failures.h"
#include "recompiles/dynamic.h"
#include "scan/guard_text.h"

bool failure_is_of_symbols(struct slice text) {
    static const char *const marks[] = {"Cannot convert expression to ", "Cannot convert symbols to ",
                                        "annot determine truth value of Relational", "Found symbolic SymInt at ",
                                        "on tensor with symbolic sizes/strides"};
    bool found = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        found |= slice_find(text, slice_str(marks[i])) != SIZE_MAX;
    return found;
}

const struct compile *failure_static_version(const struct model *model, const struct compile *compile) {
    enum { EARLIER_MAX = 1024 };
    if (!compile->shapes[SHAPE_SYMBOL].count)
        return NULL;
    for (uint32_t i = compile->index; i-- > 0 && compile->index - i < EARLIER_MAX;) {
        const struct compile *earlier = model->compiles.items[i];
        if (earlier->process == compile->process && earlier->frame_id == compile->frame_id &&
            earlier->epoch == compile->epoch && !earlier->failed && earlier->graph.graphs &&
            !earlier->shapes[SHAPE_SYMBOL].count)
            return earlier;
    }
    return NULL;
}

/* "[0/0] compiled with constant sizes. In [0/1], `x.size()[0]` is dynamic." */
static void add_versions(struct buf *why, const struct compile *earlier, const struct compile *compile) {
    enum { SIZES_MAX = 3 };
    size_t count = compile->shapes[SHAPE_SYMBOL].count, said = 0;
    buf_addf(why, "[%.*s] compiled with constant sizes. In [%.*s], ", SLICE_ARG(earlier->key), SLICE_ARG(compile->key));
    for (const struct shape_record *size = compile->shapes[SHAPE_SYMBOL].first; size && said < SIZES_MAX;
         size = size->next) {
        if (!size->source.len)
            continue;
        buf_add_str(why, !said ? "`" : said + 1 == count ? " and `" : ", `");
        guard_readable_add(why, size->source);
        buf_add_byte(why, '`');
        said++;
    }
    if (!said || said < count)
        buf_add_str(why, said ? " and others" : "sizes");
    buf_add_str(why, count == 1 && said ? " is dynamic." : " are dynamic.");
}

struct static_advice failure_static_sizes(struct findings *findings, const struct model *model,
                                          const uint32_t *compiles, size_t count, struct slice text) {
    struct static_advice said = {0};
    struct buf why = {0}, advice = {0}, limit = {0};
    const struct compile *marked = NULL;
    if (!failure_is_of_symbols(text))
        return said;
    for (size_t i = 0; i < count; i++) {
        const struct compile *compile = model->compiles.items[compiles[i]],
                             *earlier = failure_static_version(model, compile);
        if (compile->shapes[SHAPE_UNBACKED].count) /* it depends on data, so no option makes it constant */
            return said;
        for (const struct shape_record *size = compile->shapes[SHAPE_SYMBOL].first; size; size = size->next)
            if (dynamic_of(compile, size) == DYNAMIC_MARK)
                marked = compile;
        if (earlier && !why.len)
            add_versions(&why, earlier, compile);
    }
    buf_add_lit(&advice, "Compile with `dynamic=False`");
    if (marked)
        buf_addf(&advice, ", and without `mark_dynamic()` as in [%.*s]", SLICE_ARG(marked->key));
    buf_add_lit(&advice, ": PyTorch cannot compute this with dynamic sizes. Each size then gets a version of its own");
    if (count && compile_setting(&limit, model, compiles[0], "recompile_limit"))
        buf_addf(&advice, ", up to %.*s of a function (`recompile_limit`)", SLICE_ARG(buf_slice(&limit)));
    buf_add_byte(&advice, '.');
    said = (struct static_advice){.why = finding_keep(findings, &why),
                                  .advice = finding_keep(findings, &advice),
                                  .evidence = SLICE("the error's message")};
    if (said.why.len)
        said.evidence = SLICE("the error's message, and the symbols of the compiles");
    buf_free(&limit);
    return said;
}

/* "t > 1" in "f(x, is_causal=t > 1)"; empty: the argument is not passed by name, or the line continues. */
static struct slice passed_as(struct slice code, struct slice name) {
    struct slice passed = {0};
    for (size_t i = 0; i + name.len < code.len && !passed.ptr; i++)
        if (slice_starts(slice_from(code, i), name) && code.ptr[i + name.len] == '=' &&
            (!i || !is_word(code.ptr[i - 1])))
            passed = slice_from(code, i + name.len + 1);
    for (size_t i = 0, depth = 0; i < passed.len; i++) {
        bool closes = passed.ptr[i] == ')' || passed.ptr[i] == ']';
        if (!depth && (closes || passed.ptr[i] == ','))
            return slice_trim(slice_first(passed, i));
        depth += passed.ptr[i] == '(' || passed.ptr[i] == '[';
        depth -= closes;
    }
    return (struct slice){0};
}

struct slice failure_symbolic_bool(struct findings *findings, const struct graph_break *found) {
    enum { SAID_MAX = 80 };
    struct slice name = break_symbolic_bool(found),
                 code = found->stack.count ? found->stack.items[found->stack.count - 1].code : (struct slice){0};
    if (!name.len || found->library)
        return (struct slice){0};
    struct slice condition = passed_as(code, name);
    bool known = condition.len && condition.len <= SAID_MAX;
    return finding_say(
        findings,
        "Pass `True if %.*s else False` as `%.*s`: with a dynamic size, the condition is symbolic, and the "
        "operator takes only a bool. `bool(…)` does not change that.",
        SLICE_ARG(known ? condition : SLICE("…")), SLICE_ARG(name));
}

struct slice failure_without_frames(struct findings *findings, struct slice text) {
    size_t at = slice_find(text, SLICE("Exception raised from "));
    if (at == SIZE_MAX || slice_find(slice_from(text, at), SLICE("(most recent call first)")) == SIZE_MAX)
        return text;
    struct slice kept = slice_trim(slice_first(text, at));
    if (slice_ends(kept, SLICE("\\n")))
        kept = slice_trim(slice_first(kept, kept.len - 2));
    bool quoted = slice_find(kept, SLICE("('")) != SIZE_MAX || slice_find(kept, SLICE("(\"")) != SIZE_MAX;
    return quoted ? finding_say(findings, "%.*s…", SLICE_ARG(kept)) : kept;
}
