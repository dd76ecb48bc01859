#include "pages/page_parts.h"

void place_json_write(struct jsonw *w, const char *key, const struct place *place) {
    frame_json_write(w, key, place, (struct slice){0});
}

void frame_json_write(struct jsonw *w, const char *key, const struct place *place, struct slice label) {
    if (!place->file.ptr && !place->function.ptr) {
        jsonw_null(w, key);
        return;
    }
    jsonw_object(w, key);
    JSON_MEMBERS(w, place, file, line, function);
    if (label.ptr)
        jsonw_text(w, "label", label);
    jsonw_end_object(w);
}
