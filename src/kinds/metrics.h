/* metrics.h - dynamo_start and the metrics of compiles. */
#ifndef TLPARSE_KINDS_METRICS_H
#define TLPARSE_KINDS_METRICS_H

#include "kinds/kind.h"

/* Whether the value of a compilation_metrics record is of a forward, so that it is a compile. */
bool metrics_is_forward(yyjson_val *value);
/* Whether records of the kind come after the compile that they are of: metrics of its backward and of what it does at run time. */
bool metrics_follow_compile(const struct kind *kind);
void start_fold(struct fold *fold, const struct node *node);
void metrics_fold(struct fold *fold, const struct node *node);
void runtime_metrics_fold(struct fold *fold, const struct node *node);
void backward_metrics_fold(struct fold *fold, const struct node *node);
void old_backward_metrics_fold(struct fold *fold, const struct node *node);

#endif
