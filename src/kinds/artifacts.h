/* artifacts.h - records that carry a text under a name of their own: artifact, link, graph_dump, DDP's submodules. */
#ifndef TLPARSE_KINDS_ARTIFACTS_H
#define TLPARSE_KINDS_ARTIFACTS_H

#include "kinds/kind.h"

void artifact_decode(struct record *record, yyjson_val *value, struct arena *arena);
void artifact_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void link_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void graph_dump_decode(struct record *record, yyjson_val *value, struct arena *arena);
void graph_dump_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);
void ddp_child_fold(struct fold *fold, const struct kind *kind, yyjson_val *value);

#endif
