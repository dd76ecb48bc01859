/* artifacts.h - records that carry a named text: artifact, link, graph_dump, DDP's submodules. */
#ifndef TLPARSE_KINDS_ARTIFACTS_H
#define TLPARSE_KINDS_ARTIFACTS_H

#include "kinds/kind.h"

struct node *artifact_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void artifact_fold(struct fold *fold, const struct node *node);
void link_fold(struct fold *fold, const struct node *node);
struct node *graph_dump_decode(const struct record *record, yyjson_val *value, struct arena *arena);
void graph_dump_fold(struct fold *fold, const struct node *node);
void ddp_child_fold(struct fold *fold, const struct node *node);

#endif
