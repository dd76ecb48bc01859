/* code_line.h - what a line of Python source calls and spells out.
 *
 * The text of a line, as a graph or a guard quotes it: perhaps only the first line of a statement. At most CODE_LINE_MAX bytes are read.
 * Pure; any thread. */
#pragma once

#include "base/base.h"

enum { CODE_LINE_MAX = 1000 };

/* A call in the line: "self.act(", "layers[i + 1](", "torch.relu(". Slices point into the line. */
struct code_call {
    struct slice callee; /* "self.act", "layers[0]" */
    struct slice name;   /* of the last attribute, without items: "act", "layers", "relu" */
    bool item;           /* items follow the name */
    bool of_self;        /* "self.act" and "self.acts[0]", but not "self.a.b" */
    struct slice path;   /* "a.b" of "self.a.b", "acts" of "self.acts[0]"; empty: it is not of `self` */
};
/* The next call; the line begins behind it. Calls are in the order of their opening parentheses. */
bool code_line_next_call(struct slice *line, struct code_call *call);

/* Whether it calls something by this name: "act" in "y = self.act(x)" and "acts" in "acts[0](x)". */
bool code_line_calls(struct slice line, struct slice name);
/* Whether it calls what may be a module under another name: a variable, an item, or the result of a call. Functions of Python do not count. */
bool code_line_calls_variable(struct slice line);
/* Whether it reads the attribute of something: "weight" in "f(x, self.lin.weight)". */
bool code_line_reads(struct slice line, struct slice attribute);
/* Whether it reads that of `self`, not that of the named attribute: "self.scale", but not "self.scale.scale" if `of` is "scale". */
bool code_line_reads_own(struct slice line, struct slice attribute, struct slice of);
/* Whether the operation is spelled out: "x + y" for "operator.add", "torch.cos(x)" for "torch.cos", "x.view(3)" for "view". The name of a
 * module that the line calls as `self.name(…)` does not count if it is among the `called`. named: a module has this name, so only a call of a
 * function of torch counts. */
bool code_line_spells(struct slice line, struct slice target, const struct slice *called, size_t count, bool named);
