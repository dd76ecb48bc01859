/* dynamic.h - what made a size dynamic: the user's mark, torch.compile(dynamic=True), or PyTorch itself.
 *
 * Determined from the log, in log order, on the fold's thread:
 *   mark_dynamic  describe_tensor lists the marked dimensions, and describe_source has the tensor's source
 *   automatic     the event automatic_dynamic names it, with the values, or the guard on this size of this frame failed
 *                 before (recompile_reasons): automatic dynamic shapes
 *   compile       Dynamo's configuration has assume_static_by_default off, as torch.compile(dynamic=True) sets it
 *   export        the same for a compile of torch._dynamo.export, which sets it, too
 * In this order. Nothing of it for the trace of torch.export, which marks sizes and sets the option itself. The log has
 * nothing about maybe_mark_dynamic and profiles of earlier runs. */
#pragma once

#include "base/json.h"
#include "model/model.h"

/* A tensor with a marked dimension: its number in describe_tensor, and its place. */
void dynamic_note_mark(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor, uint64_t dimension);
/* describe_source: the source of the tensor. */
void dynamic_note_source(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor,
                         struct slice source);
/* A recompile reason of the compile. */
void dynamic_note_reason(struct model *model, const struct compile *compile, struct slice reason);

/* An event automatic_dynamic of the compile: its args. */
void dynamic_note_automatic(struct model *model, const struct compile *compile, yyjson_val *args);

/* For create_symbol, while it is folded: what the events state about this source, "128 → 256"; ptr NULL: nothing. */
struct slice dynamic_why(const struct model *model, uint32_t folder, struct slice source);
/* For create_symbol, while it is folded: DYNAMIC_MARK, DYNAMIC_AUTOMATIC, or DYNAMIC_UNKNOWN. */
enum dynamic_by dynamic_by(const struct model *model, uint32_t folder, struct slice source);
/* The same for a symbol of the complete log, including DYNAMIC_COMPILE. */
enum dynamic_by dynamic_of(const struct compile *compile, const struct shape_record *symbol);
/* "mark_dynamic"; ptr NULL for DYNAMIC_UNKNOWN. */
struct slice dynamic_by_name(enum dynamic_by by);
/* "is_causal": the argument of an operator that must be a bool, where the break is because a condition on a dynamic size is
 * none; ptr NULL: another break. */
struct slice break_symbolic_bool(const struct graph_break *found);
