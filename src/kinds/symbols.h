/* symbols.h - sizes, symbols and specializations. */
#pragma once

#include "kinds/kind.h"

void describe_tensor_fold(struct fold *fold, const struct node *node);
void describe_storage_fold(struct fold *fold, const struct node *node);
void describe_source_fold(struct fold *fold, const struct node *node);
void specialization_fold(struct fold *fold, const struct node *node);
void guard_fast_fold(struct fold *fold, const struct node *node);
void create_symbol_fold(struct fold *fold, const struct node *node);
void create_unbacked_fold(struct fold *fold, const struct node *node);
