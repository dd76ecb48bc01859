#include "report/members.h"

#include "pages/page_parts.h"

enum { FUNCTIONS_MAX = 500, COMPILES_MAX = 20 };

static void write_function(struct jsonw *w, const struct covered *covered, const struct model *model) {
    size_t shown = covered->compiles.count < COMPILES_MAX ? covered->compiles.count : COMPILES_MAX;
    jsonw_object(w, NULL);
    jsonw_str(w, "state", coverage_state_name(covered->state));
    frame_json_write(w, "frame", &covered->place, covered->label);
    JSON_MEMBERS(w, covered, library, graphs, breaks, reason);
    jsonw_known(w, "finding", covered->finding == NO_FINDING ? -1 : (int64_t)covered->finding);
    JSON_LIST(w, "compiles", i, shown, model->compiles.items[covered->compiles.items[i]]->key);
    jsonw_u64(w, "more_compiles", covered->compiles.count - shown);
    jsonw_end_object(w);
}

void coverage_json_write(struct jsonw *w, const char *key, const struct coverage *coverage, const struct model *model) {
    if (!coverage->functions.count)
        return;
    uint64_t more = 0;
    jsonw_object(w, key);
    jsonw_object(w, "counts");
    for (int state = COVERAGE_STATES; state-- > 0;)
        jsonw_u64(w, coverage_state_name((enum coverage_state)state), coverage->counts[state]);
    jsonw_end_object(w);
    jsonw_u64(w, "library", coverage->library);
    jsonw_array(w, "functions");
    for (size_t i = 0; i < coverage->functions.count; i++) {
        const struct covered *covered = &coverage->functions.items[i];
        if (covered->state > COVERAGE_UNKNOWN)
            continue;
        if (i < FUNCTIONS_MAX)
            write_function(w, covered, model);
        else
            more++;
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_functions", more);
    jsonw_end_object(w);
}
