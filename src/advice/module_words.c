/* For which modules the versions of a chain were compiled, and what recompiled each of them, in words. */
#include "advice/advice.h"
#include "analysis/setting_values.h"
#include "modules/module_instances.h"
#include "recompiles/object_names.h"

enum { MODULES_SAID = 3, VALUE_SAID_MAX = 40 };

static bool is_own(const struct chain *chain, size_t place, uint32_t nearest) {
    for (size_t back = 1; back <= place && back <= NEAREST_MAX; back++)
        if (chain->compiles.items[place - back] == nearest)
            return chain->modules[place - back] == chain->modules[place];
    return false;
}

bool chain_step_is_own(const struct chain *chain, size_t nth) {
    const struct step *step = &chain->steps.items[nth];
    size_t place = chain->compiles.count - chain->steps.count + nth;
    return chain->modules[place] != MODULE_NONE && is_own(chain, place, step->nearest);
}

struct slice chain_module_class(const struct model *model, const struct chain *chain) {
    for (size_t i = 0; i < chain->compiles.count && i < NEAREST_MAX; i++) {
        const struct compile *compile = model->compiles.items[chain->compiles.items[i]];
        struct slice class = guard_set_get(model, compile, ASPECT_TYPE, SLICE(""), SLICE("L['self']"));
        if (chain->modules[i] != MODULE_NONE && class.len)
            return class;
    }
    return (struct slice){0};
}

/* " (`x.size()[0]` 2 → 3)": what changed first. */
static void add_change(struct buf *out, const struct guard_change *change) {
    if (!change->source.ptr)
        return;
    buf_addf(out, " (`%.*s`", SLICE_ARG(change->source));
    if (change->had.ptr && change->has.ptr && change->had.len <= VALUE_SAID_MAX && change->has.len <= VALUE_SAID_MAX)
        BUF_ADD(out, " ", change->had, " → ", change->has);
    buf_add_lit(out, ")");
}

/* " Recompiles of the same module: #2 in 0/3 (`x.size()[0]` 2 → 3), …" */
static void add_own(struct buf *out, const struct model *model, const struct chain *chain) {
    size_t own = 0;
    for (size_t i = 0; i < chain->steps.count; i++) {
        const struct step *step = &chain->steps.items[i];
        if (!chain_step_is_own(chain, i) || recompile_is_refused(model, step->compile))
            continue;
        if (++own > MODULES_SAID)
            continue;
        size_t place = chain->compiles.count - chain->steps.count + i;
        buf_addf(out, "%s#%" PRIu32 " in %.*s", own == 1 ? " Recompiles of the same module: " : ", ",
                 chain->modules[place] + 1, SLICE_ARG(model->compiles.items[step->compile]->key));
        if (step->changes.count)
            add_change(out, &step->changes.items[0]);
    }
    if (own > MODULES_SAID)
        buf_addf(out, " and %zu more", own - MODULES_SAID);
    buf_add_str(out, own ? "." : "");
}

/* The compiles whose module the log does not show, without those that the limit refused. */
static size_t count_unknown(const struct model *model, const struct chain *chain, struct slice *first) {
    size_t unknown = 0;
    for (size_t i = 0; i < chain->compiles.count; i++)
        if (chain->modules[i] == MODULE_NONE && !recompile_is_refused(model, chain->compiles.items[i]) && !unknown++)
            *first = model->compiles.items[chain->compiles.items[i]]->key;
    return unknown;
}

void chain_say_modules(struct buf *out, const struct model *model, const struct chain *chain) {
    if (chain->module_count < 2)
        return;
    uint32_t firsts = chain->module_count - (chain->modules[0] == 0);
    bool whole = module_instances_are_whole(model, chain->compiles.items, chain->compiles.count);
    struct slice class = class_short_name(chain_module_class(model, chain));
    struct slice open = {0};
    size_t unknown = count_unknown(model, chain, &open);
    AUTO_BUF limit = {0};
    buf_addf(out, " Its versions were compiled for %s%" PRIu32 " different ", unknown ? "at least " : "",
             chain->module_count);
    if (class.len)
        buf_addf(out, "`%.*s` ", SLICE_ARG(class));
    buf_addf(out, "modules, which %sshare them and their limit", whole ? "by default " : "");
    if (compile_setting(&limit, model, chain->compiles.items[0], recompile_limit_name(LIMIT_RECOMPILE)) ||
        compile_setting(&limit, model, chain->compiles.items[0], recompile_limit_name(LIMIT_CACHE_SIZE)))
        BUF_ADD(out, " of ", buf_slice(&limit));
    buf_addf(out, ": %" PRIu32 " %s the first compile of a module.", firsts,
             firsts == 1 ? "recompile is" : "recompiles are");
    add_own(out, model, chain);
    if (unknown)
        buf_addf(out, " For %.*s", SLICE_ARG(open));
    if (unknown > 1)
        buf_addf(out, " and %zu more", unknown - 1);
    if (unknown)
        buf_add_lit(out, ", the log does not show which module it was.");
}
