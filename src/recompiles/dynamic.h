/* dynamic.h - what made a size dynamic: the user's mark, torch.compile(dynamic=True), or PyTorch itself.
 *
 * Determined from the log, in log order, on the fold's thread:
 *   mark_dynamic  describe_tensor lists the marked dimensions, and describe_source has the tensor's source
 *   automatic     the event automatic_dynamic names it, with the values, or the guard on this size of this frame failed
 *                 before (recompile_reasons): automatic dynamic shapes
 *   compile       Dynamo's configuration has assume_static_by_default off, as torch.compile(dynamic=True) sets it
 *   export        the same for a compile of torch._dynamo.export, which sets it, too
 * The first of these counts. The trace of torch.export gets none of them, because torch.export itself marks sizes and
 * sets the option. The log does not show maybe_mark_dynamic and profiles of earlier runs. */
#pragma once

#include "base/json.h"
#include "model/model.h"

/* Notes a tensor with a marked dimension: its number in describe_tensor, and its place. */
void dynamic_note_mark(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor, uint64_t dimension);
/* Notes a describe_source: the source of the tensor. */
void dynamic_note_source(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor,
                         struct slice source);
/* Notes a recompile reason of the compile. */
void dynamic_note_reason(struct model *model, const struct compile *compile, struct slice reason);

/* Notes the args of an event automatic_dynamic of the compile. */
void dynamic_note_automatic(struct model *model, const struct compile *compile, yyjson_val *args);

/* For create_symbol, while it is folded: the change in the events for this source, "128 → 256"; ptr NULL: none. */
struct slice dynamic_why(const struct model *model, uint32_t folder, struct slice source);
/* For create_symbol, while it is folded: DYNAMIC_MARK, DYNAMIC_AUTOMATIC, or DYNAMIC_UNKNOWN. */
enum dynamic_by dynamic_by(const struct model *model, uint32_t folder, struct slice source);
/* The same for a symbol of the complete log, including DYNAMIC_COMPILE. */
enum dynamic_by dynamic_of(const struct compile *compile, const struct shape_record *symbol);
/* "mark_dynamic"; ptr NULL for DYNAMIC_UNKNOWN. */
struct slice dynamic_by_name(enum dynamic_by by);
/* "is_causal": the argument of an operator that must be a bool, if the graph broke because the program passes a
 * condition on a dynamic size, which is not a bool; ptr NULL: another break. */
struct slice break_symbolic_bool(const struct graph_break *found);
