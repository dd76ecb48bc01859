/* TORCH_COMPILE_DYNAMIC_SOURCES has one value for all functions: the issue with the value shows the savings in all of
 * them. */
#include "advice/advice.h"
#include "findings/findings_make.h"
#include "recompiles/chains.h"

void findings_say_variable(struct findings *findings, const struct model *model, const struct chains *chains) {
    uint32_t index = chains->holder == SIZE_MAX ? UINT32_MAX : findings->of_chains.items[chains->holder];
    size_t recompiles = 0, functions = 0, own = 0;
    int64_t others_us = 0;
    if (index == UINT32_MAX)
        return;
    for (size_t i = 0; i < chains->list.count; i++) {
        size_t before = recompiles;
        int64_t us = chain_variable_saves_us(model, chains, i, &recompiles);
        functions += recompiles > before;
        if (findings->of_chains.items[i] == index)
            own += recompiles > before;
        else
            others_us += us;
    }
    struct finding *finding = &findings->list.items[index];
    if (functions < 2 || functions == own || finding->expected)
        return;
    struct buf advice = {0};
    buf_add(&advice, finding->advice);
    buf_addf(&advice, FINDING_IN_ALL "prevents %zu recompiles of %zu functions.", recompiles, functions);
    finding->advice = finding_keep(findings, &advice);
    finding->fix_us += others_us;
    finding->elsewhere_us = others_us;
}
