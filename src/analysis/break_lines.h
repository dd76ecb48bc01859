/* break_lines.h - what the line, the reason and the hint of a graph break say.
 *
 * Code is one line of Python, as the log quotes it. One thread. */
#pragma once

#include "model/model.h"

/* Whether the text reads numbers from a tensor. */
bool line_reads_numbers(struct slice text);
/* "self.avg" of "self.avg += loss.item()", or of "self.avg = 0.9 * self.avg + 0.1 * loss.item()": the attribute that the
 * line reads and sets; ptr NULL: it is no such line. */
struct slice line_keeps_number(struct slice code);
/* Whether the line decides by something: `if`, `elif` or `while`, or by a number of a tensor in an expression. */
bool line_tests(struct slice code);
/* Whether Dynamo has a symbol where Python needs its value. */
bool break_is_of_value(const struct graph_break *found);
/* Whether the program, and no library, disables the compiler for what the line calls. */
bool break_is_disabled(const struct graph_break *found);
/* Whether the hint is a setting that makes symbols of numbers. A test of one breaks the graph again, or raises an error. */
bool hint_captures(struct slice hint);
/* The exception in the backend that PyTorch announced in this compile: "DynamicOutputShapeException: …". Empty: none,
 * or `reason`, that of a break or failure, has it already. */
struct slice break_announced(const struct model *model, const struct compile *compile, struct slice reason);
