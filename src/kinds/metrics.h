/* metrics.h - dynamo_start and the metrics of compiles. */
#pragma once

#include "kinds/kind.h"

/* Whether the value of a compilation_metrics record belongs to a forward, so that the record stands for a compile. */
bool metrics_is_forward(yyjson_val *value);
/* Whether records of this kind belong to a compile that has ended: metrics of its backward and of its run time. */
bool metrics_follow_compile(const struct kind *kind);
void start_fold(struct fold *fold, const struct node *node);
void metrics_fold(struct fold *fold, const struct node *node);
void runtime_metrics_fold(struct fold *fold, const struct node *node);
void backward_metrics_fold(struct fold *fold, const struct node *node);
void old_backward_metrics_fold(struct fold *fold, const struct node *node);
