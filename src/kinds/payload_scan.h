/* payload_scan.h - scans payloads while they are decoded. */
#pragma once

#include "kinds/kind.h"

/* Whether an artifact with this name contains a graph if it is not JSON. */
bool is_graph_name(struct slice name);
struct node *graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *output_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *backward_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *autograd_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *post_grad_decode(const struct record *record, yyjson_val *value, struct arena *arena);
struct node *cpp_guards_decode(const struct record *record, yyjson_val *value, struct arena *arena);
/* For an artifact or a graph_dump, by its name. */
struct node *named_text_decode(const struct record *record, struct slice name, struct arena *arena);
/* Scans the kernels of output code, and counts those that it defines: calls of libraries are not among them. */
void kernels_decode(struct node *node, const struct record *record, struct arena *arena);
