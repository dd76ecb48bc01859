/* place_json.h - a source location as JSON. */
#ifndef TLPARSE_PAGES_PLACE_JSON_H
#define TLPARSE_PAGES_PLACE_JSON_H

#include "base/jsonw.h"
#include "model/model.h"

/* {"file", "line", "function"}, or null if neither file nor function is known. */
void place_json_write(struct jsonw *w, const char *key, const struct place *place);
/* The frame of a compile: its place, and its label if it has one. */
void frame_json_write(struct jsonw *w, const char *key, const struct place *place, struct slice label);

#endif
