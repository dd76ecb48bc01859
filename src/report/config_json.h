/* config_json.h - configurations in report.json: each distinct one, and the settings in which they differ.
 *
 * A configuration is that of torch._dynamo, Inductor, functorch or the compiler, from the metrics of a compile. Needs
 * the complete model. One thread. */
#pragma once

#include "analysis/settings_in_effect.h"
#include "base/jsonw.h"
#include "model/model.h"

/* Number of compiles that logged it with the metrics of a forward, a backward, or both. */
uint64_t config_compiles(const struct model *model, const struct config *config);
/* The array `configs`. */
void configs_json_write(struct jsonw *w, const char *key, const struct model *model);
/* The array `config_differences`: settings of one kind with different values among the compiles, in the order of the
 * settings. Values are in the order in which they were logged, each with its compiles. What was in effect outranks the
 * configuration. */
void config_differences_json_write(struct jsonw *w, const char *key, const struct model *model,
                                   const struct settings_in_effect *effect);
/* The array `settings_in_effect`. */
void settings_in_effect_json_write(struct jsonw *w, const char *key, const struct model *model,
                                   const struct settings_in_effect *effect);
