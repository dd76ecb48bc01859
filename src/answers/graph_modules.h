/* graph_modules.h - the modules of a Dynamo graph's nodes, from report.json. One thread. */
#pragma once

#include "base/base.h"
#include "base/json.h"
#include "base/map.h"

struct graph_module {
    struct slice root, name; /* "L['self']", "blocks.0.attn". root.ptr NULL: unknown, or the node is in no module */
    bool exact;              /* the node's own; otherwise that or one below it */
};

struct graph_modules {
    LIST(struct graph_module) list;
    struct map nodes; /* name of the node, in a nested graph with its name → index */
};

/* Those of a compile. `report`: the root of report.json, which must outlive them. {0} has none. */
void graph_modules_read(struct graph_modules *modules, yyjson_val *report, struct slice compile);
void graph_modules_free(struct graph_modules *modules);
struct graph_module graph_modules_find(const struct graph_modules *modules, struct slice graph, struct slice node);
/* "L['self'].blocks.0.attn", or if it is short, without a root that is `self`; nothing if it is unknown. */
void graph_module_add(struct buf *out, const struct graph_module *module, bool is_short);
