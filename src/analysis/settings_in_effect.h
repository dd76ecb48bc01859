/* settings_in_effect.h - the settings in effect while graphs of a compile were compiled.
 *
 * The configuration in the metrics is that outside of the compile, without the settings that torch.compile(mode=,
 * options=) changes for one function. A setting that merely returned to its default, as after an option, is left out if
 * the log shows that. The FX graph cache's key has all of Inductor's settings, and fx_graph_runnable the settings that
 * were changed (model/set_settings.h), both as they were for that graph. If they contradict the metrics, they are
 * right. */
#pragma once

#include "model/model.h"

struct setting_in_effect {
    enum config_kind kind;
    struct slice name;
    struct slice value; /* as JSON */
    bool simple;        /* a number, boolean, null or text, not the Python text of another value */
    /* For Inductor: the value in the configuration of the compiles' metrics if it is different, as JSON. ptr NULL: the
     * same, none, or not comparable. */
    struct slice configured;
    LIST(uint32_t) compiles; /* in ascending order, each once */
};

/* The evidence for the settings of a compile. A setting that is not in the list has the configured value. */
struct setting_names {
    LIST(struct slice) list;
};
struct effect_evidence {
    uint32_t config; /* Inductor's configuration, in model->configs; EFFECT_NO_CONFIG: none, or several */
    bool program;    /* fx_graph_runnable, with all settings that it changes */
    /* A cache key with all simple values of the configuration, except for these settings, which are never part of keys.
     * NULL: there is no key. */
    const struct setting_names *not_in_key;
};
#define EFFECT_NO_CONFIG UINT32_MAX

/* Sorted by kind and name. The values of a setting are in the order of the first compile with each. */
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
