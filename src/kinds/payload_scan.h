/* facts.h - what the payloads hold, scanned while they are decoded. */
#ifndef TLPARSE_KINDS_PAYLOAD_SCAN_H
#define TLPARSE_KINDS_PAYLOAD_SCAN_H

#include "kinds/kind.h"

/* Whether an artifact of that name, when it is no JSON, holds a graph. */
bool is_graph_name(struct slice name);
void graph_decode(struct record *record, yyjson_val *value, struct arena *arena);
void output_graph_decode(struct record *record, yyjson_val *value, struct arena *arena);
void post_grad_decode(struct record *record, yyjson_val *value, struct arena *arena);
void cpp_guards_decode(struct record *record, yyjson_val *value, struct arena *arena);
/* Of an artifact or a graph_dump, by its name. */
void named_text_decode(struct record *record, struct slice name, struct arena *arena);
void kernels_decode(struct record *record, struct arena *arena);
/* Counts the kernels that the scanned code of AOTInductor defines, its calls of libraries left out. */
void counts_note_kernels(struct record *record, struct arena *arena);

#endif
