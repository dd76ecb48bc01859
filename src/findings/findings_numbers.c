/* findings_numbers.c - errors on a line that needs the value of a Python number that is a symbol. */
#include "advice/recompile_advice.h"
#include "analysis/setting_values.h"
#include "findings/findings_failures.h"
#include "scan/guard_text.h"

enum { STATIC_SINCE = 215, NUMBERS_MAX = 4 }; /* TORCH_COMPILE_STATIC_SOURCES, which older versions ignore */

/* "L['n']", but not a size or stride of a tensor. */
static bool is_number(const struct shape_record *symbol) {
    return symbol->source.len && slice_find(symbol->source, SLICE("(")) == SIZE_MAX;
}

static bool is_at(const struct shape_record *symbol, const struct place *place) {
    for (const struct stack_node *node = symbol->user_stack; node; node = node->parent)
        if (node->frame->line == place->line && slice_eq(node->frame->file, place->file))
            return true;
    return false;
}

static bool may_be_static(const struct compile *compile, const struct model *model) {
    struct slice only = model->process_count <= 1 ? model->torch : (struct slice){0};
    return version_number(compile->torch.ptr ? compile->torch : only) >= STATIC_SINCE;
}

bool failure_needs_static(struct findings *findings, const struct model *model, const struct compile *compile,
                          const struct failure *failure, const struct place *place, struct static_advice *said) {
    const struct shape_record *symbols[NUMBERS_MAX];
    size_t count = 0;
    if (slice_find(failure->reason, SLICE("SymNodeVariable() is not a constant")) == SIZE_MAX || !place->file.ptr)
        return false;
    for (const struct shape_record *fact = compile->shapes[SHAPE_SYMBOL].first; fact; fact = fact->next)
        if (is_number(fact) && is_at(fact, place)) {
            if (count == NUMBERS_MAX)
                return false;
            symbols[count++] = fact;
        }
    if (!count)
        return false;
    AUTO_BUF names = {0}, sources = {0}, evidence = {0};
    for (size_t i = 0; i < count; i++) {
        const char *between = !i ? "" : i + 1 == count ? " and " : ", ";
        buf_addf(&names, "%s`", between);
        guard_readable_add(&names, symbols[i]->source);
        buf_add_byte(&names, '`');
        buf_addf(&sources, "%s%.*s", i ? "," : "", SLICE_ARG(symbols[i]->source));
        buf_addf(&evidence, "%s%.*s", i ? ", " : "", SLICE_ARG(symbols[i]->symbol));
    }
    said->why = finding_say(findings, "The line needs the value of %.*s, which %s dynamic in %.*s.",
                            SLICE_ARG(buf_slice(&names)), count > 1 ? "are" : "is", SLICE_ARG(compile->key));
    struct buf advice = {0}, limit = {0};
    buf_addf(&advice, "Compile with `torch.compile(dynamic=False)`: each value of %.*s then gets a version",
             SLICE_ARG(buf_slice(&names)));
    if (compile_setting(&limit, model, compile->index, recompile_limit_name(LIMIT_RECOMPILE)))
        buf_addf(&advice, ", up to the recompile limit (%.*s)", SLICE_ARG(buf_slice(&limit)));
    buf_add_byte(&advice, '.');
    if (may_be_static(compile, model))
        buf_addf(&advice, " `TORCH_COMPILE_STATIC_SOURCES=\"%.*s\"` does that for %s alone.",
                 SLICE_ARG(buf_slice(&sources)), count > 1 ? "these numbers" : "this number");
    said->advice = finding_keep(findings, &advice);
    said->evidence =
        finding_say(findings, "create_symbol of %.*s (%.*s)", SLICE_ARG(compile->key), SLICE_ARG(buf_slice(&evidence)));
    buf_free(&limit);
    return true;
}
