/* graph_choice.h - which graphs a call of `tlparse graph` names, and their texts. One thread. */
#pragma once

#include "answers/graph_answer.h"
#include "base/jsonw.h"
#include "cmd/answer.h"

/* A graph as the call names it. */
struct graph_name {
    const char *path;     /* of the log or the report; NULL: that of the environment */
    struct slice compile; /* "0/1"; empty: the only one with graphs */
    struct slice stage;   /* empty: Dynamo's */
    char *owned;          /* the path, if it is a part of an option */
};

/* A graph that was found. The texts live as long as the input. */
struct graph_found {
    struct graph_subject subject;
    struct buf text; /* owned */
    size_t same;     /* further graphs of its compile and stage */
};

/* The graph of the call, and the one to compare it with; `two` if there is one. Slices point into the options. The
 * caller frees what is owned. */
void graph_names_of(const struct options *options, struct graph_name names[2], bool *two);
/* Reads what has the graphs with these compiles: a report, or logs. The caller finishes the input, even after a failure. */
bool graph_input_read(struct answer_input *input, const struct options *options, const struct graph_name *names,
                      size_t count, struct err *err);
/* Finds a graph of the input. False with ERR_INPUT, and what there is, if it has no such graph. The caller frees the
 * text. */
bool graph_find(struct graph_found *found, const struct answer_input *input, const struct options *options,
                const struct graph_name *name, struct err *err);
/* The number of compiles with graphs; `only` is one of them. */
size_t graph_compiles(const struct answer_input *input, yyjson_val **only);
/* Adds the graphs of a compile, by stage: "dynamo 12 ops, joint 30 ops". `separator` is between them. */
void graph_add_stages(struct buf *out, yyjson_val *compile, const char *separator);
bool graph_has_stages(yyjson_val *compile);
/* Adds the member "graphs": [{"stage", "artifact", "ops"}]. */
void graph_add_stages_json(struct jsonw *w, yyjson_val *compile);
