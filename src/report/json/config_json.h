/* config_json.h - configurations in report.json: each distinct one, and the settings in which they differ.
 *
 * A configuration is torch._dynamo's, Inductor's, functorch's, or the compiler's, as the metrics of a compile carry it.
 * Written when the model is whole, by one thread. */
#ifndef TLPARSE_REPORT_JSON_CONFIG_JSON_H
#define TLPARSE_REPORT_JSON_CONFIG_JSON_H

#include "base/jsonw.h"
#include "model/model.h"

/* Compiles that logged it, with the metrics of a forward, of a backward, or both: each is one. */
uint64_t config_compiles(const struct model *model, const struct config *config);
/* The array `configs`. */
void configs_json_write(struct jsonw *w, const char *key, const struct model *model);
/* The array `config_differences`: a setting of one kind that not all compiles have with the same value, in the order of the
 * settings, with its values in the order in which they came and the compiles that have each. */
void config_differences_json_write(struct jsonw *w, const char *key, const struct model *model);

#endif
