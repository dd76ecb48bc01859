/* caches_json.h - cache results, as members of report.json. */
#pragma once

#include "base/jsonw.h"
#include "model/cache_keys.h"
#include "report/view.h"

/* The member caches. */
void caches_json_write(struct jsonw *w, const struct report_view *view);
/* The member cache of a compile. */
void compile_caches_write(struct jsonw *w, const struct model *model, const struct compile *compile);
/* Writes same_graph, differences and components of the nearest key. */
void key_comparison_write(struct jsonw *w, const struct key_comparison *found);
