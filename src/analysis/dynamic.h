/* dynamic.h - who made a size dynamic: the user's mark, torch.compile(dynamic=True), or PyTorch by itself.
 *
 * Told where the log has it, in log order, by the fold's thread:
 *   mark_dynamic  describe_tensor lists the dimensions that torch._dynamo.mark_dynamic named, describe_source the tensor's source
 *   automatic     the guard on this size of this frame had failed before (recompile_reasons): automatic dynamic
 *   compile       Dynamo's configuration has assume_static_by_default off, as torch.compile(dynamic=True) sets it
 * In this order. Of maybe_mark_dynamic, of profiles of earlier runs and of an export's Dim a log says nothing here. */
#ifndef TLPARSE_ANALYSIS_DYNAMIC_H
#define TLPARSE_ANALYSIS_DYNAMIC_H

#include "model/model.h"

/* A tensor of which a dimension is marked: as describe_tensor names it, and its place. */
void dynamic_note_mark(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor, uint64_t dimension);
/* describe_source: what the tensor is called. */
void dynamic_note_source(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor,
                         struct slice source);
/* A recompile reason of the compile. */
void dynamic_note_reason(struct model *model, const struct compile *compile, struct slice reason);

/* For create_symbol, when it is folded: DYNAMIC_MARK, DYNAMIC_AUTOMATIC, or DYNAMIC_UNKNOWN. */
enum dynamic_by dynamic_by(const struct model *model, uint32_t folder, struct slice source);
/* The same of a symbol when the log is read, with DYNAMIC_COMPILE among them. */
enum dynamic_by dynamic_of(const struct compile *compile, const struct shape_record *symbol);
/* "mark_dynamic"; ptr NULL for DYNAMIC_UNKNOWN. */
struct slice dynamic_by_name(enum dynamic_by by);
/* The symbol of this size in the compile ("x", "0"; as a recompile reason names them); NULL: there is none. */
const struct shape_record *dynamic_symbol(const struct compile *compile, struct slice source, struct slice dimension);

#endif
