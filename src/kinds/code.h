/* code.h - guards, output code, dumped code. */
#pragma once

#include "kinds/kind.h"

void cpp_guards_fold(struct fold *fold, const struct node *node);
void output_graph_fold(struct fold *fold, const struct node *node);
/* The first graph that a call of AOTAutograd logs: the joint graph, or that of inference. */
void aot_graph_fold(struct fold *fold, const struct node *node);
void backward_graph_fold(struct fold *fold, const struct node *node);
/* Adds to the compile what the text says of products of float32 matrices and of the device. */
void float32_note(struct fold *fold, const struct node *node);
void post_grad_fold(struct fold *fold, const struct node *node);
void autograd_graph_fold(struct fold *fold, const struct node *node);
struct node *output_code_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void output_code_fold(struct fold *fold, const struct node *node);
void dump_file_fold(struct fold *fold, const struct node *node);
struct node *guards_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void guards_fold(struct fold *fold, const struct node *node);
