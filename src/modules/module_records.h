/* module_records.h - what the records of a log say about modules: their tensors, guards, and the operations of Dynamo's graphs.
 *
 * A part of the model, filled in log order by the fold's thread. Of each compile, what its latest attempt says. At most MODULE_OPS_MAX
 * operations, MODULE_INPUTS_MAX tensors and MODULE_NOTES_MAX notes of guards are kept per log. A compile beyond that is `cut`; without notes, its
 * classes are unknown. */
#pragma once

#include "base/map.h"
#include "model/model.h"
#include "modules/module_graph.h"
#include "scan/guard_tree.h"

enum { MODULE_OPS_MAX = 400000, MODULE_INPUTS_MAX = 200000, MODULE_NOTES_MAX = 400000, RECENT_TENSORS = 64 };

/* A tensor of a describe_tensor record. */
struct module_tensor {
    uint64_t describer, id;
    uint64_t elements, bytes;
    uint64_t object; /* address of the Python object; 0: unknown */
    bool sized;      /* elements and bytes are known */
    bool noted;      /* for module_records.c */
};

struct module_input {
    struct slice source; /* "L['self']._modules['h']._parameters['w']" */
    struct module_tensor tensor;
};

struct module_records {
    uint32_t compile; /* index in model->compiles */
    int64_t attempt;
    LIST(struct module_input) inputs;
    LIST(struct guard_module) modules;  /* of the latest guard tree */
    LIST(struct guard_access) accesses; /* the same */
    struct module_graph graph;          /* of the latest Dynamo graph */
    bool cut;                           /* a limit left out its graph or a tensor, so its numbers would be too small */
};

struct all_module_records {
    LIST(struct module_records) list; /* in the order of their first record */
    struct map compiles;              /* index of the compile → index in `list` */
    struct map texts;                 /* each text once */
    struct arena arena;
    struct module_tensor recent[RECENT_TENSORS];
    uint32_t next;               /* in `recent` */
    uint64_t ops, inputs, notes; /* kept */
};

void modules_note_tensor(struct model *model, const struct module_tensor *tensor);
/* The source of a tensor. Sources that are not of a module's parameter or buffer are passed over. */
void modules_note_source(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor,
                         struct slice source);
void modules_note_graph(struct model *model, uint32_t folder, const struct module_graph *graph);
void modules_note_guards(struct model *model, uint32_t folder, const struct guard_notes *notes);
