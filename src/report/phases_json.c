#include "report/members.h"

void shown_phases_json_write(struct jsonw *w, const char *key) {
    jsonw_array(w, key);
    for (int phase = 0; phase < SHOWN_PHASES; phase++) {
        const struct shown_phase_info *info = shown_phase_info((enum shown_phase)phase);
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, info, key, title, description);
        jsonw_array(w, "of");
        for (size_t i = 0; i < sizeof info->of / sizeof *info->of && info->of[i] != PHASES; i++)
            jsonw_str(w, NULL, phase_name(info->of[i]));
        jsonw_end_array(w);
        if (info->sum != NO_PHASE)
            jsonw_str(w, "sum", shown_phase_info((enum shown_phase)info->sum)->key);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void own_times_json_write(struct jsonw *w, const int64_t own[PHASES], const bool has[PHASES], int64_t other_us) {
    int64_t shown[SHOWN_PHASES];
    jsonw_object(w, "own_us");
    for (int phase = 0; phase < PHASES; phase++)
        if (has[phase])
            jsonw_known(w, phase_name((enum phase)phase), own[phase]);
    if (other_us)
        jsonw_known(w, "other", other_us);
    jsonw_end_object(w);
    phases_shown(own, other_us, shown);
    jsonw_object(w, "by_phase_us");
    for (int phase = 0; phase < SHOWN_PHASES; phase++)
        if (shown[phase])
            jsonw_known(w, shown_phase_info((enum shown_phase)phase)->key, shown[phase]);
    jsonw_end_object(w);
}
