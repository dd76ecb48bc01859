/* export_records.h - records of torch.export. */
#pragma once

#include "kinds/kind.h"

struct stack_node;

void expression_fold(struct fold *fold, const struct node *node);
void guard_added_fold(struct fold *fold, const struct node *node);
void real_tensors_fold(struct fold *fold, const struct node *node);
void real_tensors_provenance_fold(struct fold *fold, const struct node *node);
void data_dependent_fold(struct fold *fold, const struct node *node);
void missing_kernel_fold(struct fold *fold, const struct node *node);
void mismatched_kernel_fold(struct fold *fold, const struct node *node);
void exported_program_fold(struct fold *fold, const struct node *node);
void export_fold(struct fold *fold, const struct node *node);
/* Notes a create_unbacked_symbol record, whose symbol may occur in expressions. */
void unbacked_note(struct fold *fold, yyjson_val *value, const struct stack_node *user_stack,
                   const struct stack_node *stack);
/* Notes a `str` record: a stack through torch.export shows that the log contains an export. */
void export_note_string(struct fold *fold, struct slice text);
