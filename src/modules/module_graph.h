/* module_graph.h - the operations of a Dynamo graph in the order in which they run, with what tells their modules.
 *
 * Pure; any thread. In the given arena, with slices of the text. */
#pragma once

#include "graph/op_graph.h"

#define MODULE_NONE UINT32_MAX

struct module_place {
    struct slice file, function, code;
    uint32_t line;
};

struct module_op {
    struct slice name;     /* as in the graph; in a nested graph with its name: "wrap_body_0/y" */
    struct slice target;   /* "torch.nn.functional.relu", "view", "operator.add" */
    bool method;           /* of a tensor */
    uint32_t place;        /* in `places`; MODULE_NONE: unknown */
    uint32_t first, count; /* range of `operands` */
};

struct module_graph {
    struct module_op *ops;
    struct module_place *places;
    struct slice *
        inputs; /* names of the graph's inputs that are parameters or buffers of modules: "l_self_modules_h_parameters_w_" */
    uint32_t *operands; /* indices in `inputs` */
    uint32_t op_count, place_count, input_count, operand_count;
    bool budget; /* torch.autograd.graph.region_activation_memory_budget() covers operations */
};

/* NULL: no operation. Operations of a nested graph come where it is called; a graph that is called twice, at its first call. */
struct module_graph *module_graph_scan(struct slice text, struct arena *arena);
