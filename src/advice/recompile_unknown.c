/* Recompiles for which the log shows no fix: the text in place of advice. */
#include "advice/advice.h"
#include "advice/recompile_advice.h"

/* Whether the chain is a backward that Compiled Autograd captures, which the program does not call. */
static bool is_captured(const struct model *model, const struct chain *chain) {
    return slice_starts(chain->frame.file, SLICE("<")) &&
           model->compiles.items[chain->compiles.items[0]]->autograd_id != PART_MISSING;
}

void chain_add_unknown(struct buf *out, const struct model *model, const struct chain *chain) {
    const struct step *open = NULL;
    for (size_t i = 0; i < chain->steps.count && !open; i++) {
        const struct step *step = &chain->steps.items[i];
        if (!recompile_failed(model, step->compile) && step->nearest != NO_VERSION && step->changes.count)
            open = step;
    }
    const struct guard_change *change = open ? &open->changes.items[0] : NULL;
    if (!chain->causes.count) /* the log has no reason */
        return;
    if (!open && chain->steps.count) { /* chain_add_why() names the steps that did not compile */
        buf_add_str(out, chain->steps.count == 1 ? " Look at its error first." : " Look at their errors first.");
        return;
    }
    buf_add_lit(out, " The log shows no fix");
    if (change && change->source.ptr) {
        buf_addf(out, ": `%.*s` differs in %.*s", SLICE_ARG(change->source),
                 SLICE_ARG(model->compiles.items[open->compile]->key));
        if (is_captured(model, chain))
            buf_add_lit(out, ", and Compiled Autograd, not the program, passes it");
    }
    buf_add_byte(out, '.');
}
