/* phases_json.h - self times of phases, for report.json and the page. Pure; any thread. */
#ifndef TLPARSE_REPORT_PHASES_JSON_H
#define TLPARSE_REPORT_PHASES_JSON_H

#include "analysis/phases.h"
#include "base/jsonw.h"

/* The list of the shown phases: names and descriptions. */
void shown_phases_json_write(struct jsonw *w, const char *key);
/* The members `own_us` and `by_phase_us` of an object: self times in microseconds. `has` says which phases were logged; `other_us` is the
 * time outside of them. */
void own_times_json_write(struct jsonw *w, const int64_t own[PHASES], const bool has[PHASES], int64_t other_us);

#endif
