/* facts.h - what the payloads hold, scanned while they are decoded. */
#ifndef TLPARSE_KINDS_PAYLOAD_SCAN_H
#define TLPARSE_KINDS_PAYLOAD_SCAN_H

#include "kinds/kind.h"

/* Whether an artifact of that name, when it is no JSON, holds a graph. */
bool is_graph_name(struct slice name);
struct node *graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *output_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *post_grad_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *cpp_guards_decode(const struct record *record, yyjson_val *value, struct arena *arena);
/* Of an artifact or a graph_dump, by its name. */
struct node *named_text_decode(const struct record *record, struct slice name, struct arena *arena);
/* Notes how many kernels the node's code defines, if it defines any. */
void node_count_kernels(struct node *node, uint32_t count, struct arena *arena);

#endif
