/* settings_in_effect.h - settings that held while graphs of a compile were compiled.
 *
 * The configuration in the metrics is the one outside of the compile: what torch.compile(mode=, options=) sets for one
 * function is not in it. What only has its default again, as after an option, is left out where the log shows that.
 * The FX graph cache's key has all of Inductor's settings, and fx_graph_runnable those that were set
 * (model/set_settings.h), both as they were for that graph. Where they contradict the metrics, they are right. */
#pragma once

#include "model/model.h"

struct setting_in_effect {
    enum config_kind kind;
    struct slice name;
    struct slice value; /* as JSON */
    bool simple;        /* it is a number, boolean, null or text, not the Python text of another value */
    /* For Inductor: another value in the configuration of the compiles' metrics, as JSON. ptr NULL: the same, none, or
     * not comparable. */
    struct slice configured;
    LIST(uint32_t) compiles; /* in ascending order, each once */
};

/* What shows the settings of a compile. What is not in the list then has the value of the configuration. */
struct setting_names {
    LIST(struct slice) list;
};
struct effect_evidence {
    uint32_t config; /* Inductor's configuration, in model->configs; EFFECT_NO_CONFIG: none, or several */
    bool program;    /* fx_graph_runnable, with all that it sets */
    /* A key of a cache, with all simple values of the configuration but those of these settings, which are no part of
     * keys. NULL: there is none. */
    const struct setting_names *not_in_key;
};
#define EFFECT_NO_CONFIG UINT32_MAX

/* Sorted by kind and name. Values of a setting are in the order of the first compiles that have
 * them. */
struct settings_in_effect {
    struct arena arena;
    LIST(struct setting_in_effect) list;
    struct map map;
    struct effect_evidence *evidence; /* of each compile of the model */
};

/* Whether the component of a key is a setting of Inductor: "inductor_config[max_fusion_size]" → "max_fusion_size". */
bool settings_component(struct slice component, struct slice *name);

void settings_in_effect_find(struct settings_in_effect *settings, const struct model *model);
void settings_in_effect_free(struct settings_in_effect *settings);
