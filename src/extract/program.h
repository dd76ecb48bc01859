/* program.h - a program in Python that runs a graph, or a kernel, of a log.
 *
 * The program has a part of tlparse (harness.py), data from the log as Python literals, and code from the log. Only the
 * code is trusted by whoever runs it; its head says so. Pure; any thread. */
#pragma once

#include "extract/compile_records.h"

enum program_mode { PROGRAM_RUN, PROGRAM_CHECK, PROGRAM_BENCH, PROGRAM_ABLATE, PROGRAM_MINIFY };

struct program_request {
    const char *source; /* name of the log */
    struct slice compile;
    bool backward;
    size_t part;        /* of several graphs, from 1; 0: the first */
    const char *ablate; /* backends; NULL: the default of the program */
    enum program_mode mode;
    struct slice kernel; /* its name; empty: the graph */
};

/* What was extracted, for messages. */
struct program_result {
    size_t parts;     /* graphs that the request may mean */
    bool from_dynamo; /* Inductor has not got the graph */
    bool changed;     /* characters of the code were replaced */
};

/* Adds the program. False with ERR_INPUT if the log does not have it. */
bool program_add(struct buf *out, const struct compile_records *records, const struct program_request *request,
                 struct program_result *result, struct err *err);

/* The graph of the request; NULL with ERR_INPUT if there is none. */
const struct compile_text *program_graph(const struct compile_records *records, const struct program_request *request,
                                         struct program_result *result, struct err *err);

/* kernel_program.c */
/* Adds the output code that calls the kernel, without other kernels. False: no code has it. */
bool kernel_code_add(struct buf *out, const struct compile_records *records, struct slice kernel, bool *changed);
/* Adds the names of the kernels: "a, b". */
/* Adds the names of the fused kernels, in the order of the code, as members of a list in Python. */
void kernel_order_add(struct buf *out, struct slice code);
void kernel_names_add(struct buf *out, const struct compile_records *records);
