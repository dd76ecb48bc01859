/* break_lines.h - reads the line, the reason and the hint of a graph break.
 *
 * Code is one line of Python, as the log quotes it. One thread. */
#pragma once

#include "model/model.h"

/* Whether the text reads numbers from a tensor. */
bool line_reads_numbers(struct slice text);
/* "self.avg" of "self.avg += loss.item()", or of "self.avg = 0.9 * self.avg + 0.1 * loss.item()": the attribute that
 * the line reads and sets; ptr NULL: there is none. */
struct slice line_keeps_number(struct slice code);
/* Whether the line branches: with `if`, `elif` or `while`, or on a number of a tensor in an expression. */
bool line_tests(struct slice code);
/* Whether Dynamo has a symbol where Python needs its value. */
bool break_is_of_value(const struct graph_break *found);
/* Whether the program itself, not a library, disables the compiler for a function that the line calls. */
bool break_is_disabled(const struct graph_break *found);
/* Whether the hint is a setting that turns numbers into symbols. If the code then tests such a number, the graph breaks
 * again, or an error is raised. */
bool hint_captures(struct slice hint);
/* The exception in the backend that PyTorch announced in this compile: "DynamicOutputShapeException: …". Empty: none,
 * or `reason`, of a break or failure, already has it. */
struct slice break_announced(const struct model *model, const struct compile *compile, struct slice reason);
