/* The recompiles of a frame that remain after the fixes. */
#include "advice/advice.h"
#include "findings/findings_make.h"

/* After the limit, the log has no recompiles; the refused ones may have causes that are fixed. */
void findings_add_left(struct buf *text, const struct chain *chain) {
    size_t saves = 0, first = 0, further = 0, all = chain->recompiles + chain->refused;
    for (size_t i = 0; i < chain->advice.count; i++) {
        saves += chain->advice.items[i].saves;
        further += advice_may_save_first(&chain->advice.items[i]);
        first += chain->advice.items[i].or_first && chain->advice.items[i].saves;
    }
    if (!saves || saves >= chain->recompiles)
        return;
    if (chain->limit_hit && saves * 2 >= all)
        return;
    if (chain->limit_hit)
        buf_addf(text, " That leaves at most %zu of the %zu recompiles up to the limit", all - saves, all);
    else
        buf_addf(text, " That leaves %zu of %zu recompiles", chain->recompiles - saves, chain->recompiles);
    if (first)
        buf_addf(text, ", or %zu with the setting", (chain->limit_hit ? all : chain->recompiles) - saves + first);
    if (further)
        buf_addf(text, ", or %zu with the variable", (chain->limit_hit ? all : chain->recompiles) - saves - further);
    buf_add_byte(text, '.');
}

/* Advice to make floats 0-d tensors promises nothing, because an operator may need the number. A single fix may leave
 * recompiles that another one would save: a recompile for a size and a float needs both fixes. */
void findings_add_left_with_tensors(struct buf *text, const struct chain *chain) {
    size_t saves = 0, more = 0;
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        saves += advice->saves;
        more += advice->saves ? 0 : advice->may_save;
    }
    if (!saves || !more || chain->limit_hit || saves + more > chain->recompiles)
        return;
    if (saves + more == chain->recompiles)
        buf_add_lit(text, " With 0-d tensors, too, no recompile is left.");
    else
        buf_addf(text, " With 0-d tensors, too, at most %zu of %zu recompiles are left.",
                 chain->recompiles - saves - more, chain->recompiles);
}
