/* Compiles that were re-traced for several causes. The log has one sum for the time of all their discarded traces:
 * fixing one cause saves at most all of it, and only fixing all of them leaves a single trace. */
#include "findings/findings_failures.h"

enum { NAMED_MAX = 3 };

void failure_add_shared(struct findings *findings, struct finding *finding, const struct compile *compile) {
    size_t count = finding->shared.count;
    if (compile->restart_us <= 0 || (count && finding->shared.items[count - 1] == compile->index))
        return;
    ARENA_ADD(&findings->arena, &finding->shared, compile->index);
}

int64_t failure_shared_us(const struct model *model, const struct finding *finding) {
    int64_t us = 0;
    for (size_t i = 0; i < finding->shared.count; i++)
        us += model->compiles.items[finding->shared.items[i]]->restart_us;
    return us;
}

void failure_say_shared(struct findings *findings, struct finding *finding, const struct model *model) {
    struct buf why = {0};
    size_t count = finding->shared.count, restarts = 0;
    if (!count)
        return;
    for (size_t i = 0; i < count; i++)
        restarts += model->compiles.items[finding->shared.items[i]]->restarts.count;
    buf_add(&why, finding->why);
    failure_add_sentence(&why, "Other causes restarted the trace of ");
    for (size_t i = 0; i < count && i < NAMED_MAX; i++)
        buf_addf(&why, "%s%.*s",
                 i == 0           ? ""
                 : i + 1 == count ? " and "
                                  : ", ",
                 SLICE_ARG(model->compiles.items[finding->shared.items[i]]->key));
    if (count > NAMED_MAX)
        buf_addf(&why, " and %zu more", count - NAMED_MAX);
    buf_addf(&why, ", too: %s %zu restarts discarded ", count == 1 ? "its" : "their", restarts);
    finding_add_duration(&why, failure_shared_us(model, finding));
    buf_add_lit(&why, " of traces, which is saved only if all of the causes are gone.");
    finding->why = finding_keep(findings, &why);
}
