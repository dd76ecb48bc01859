/* guard_text.h - the pieces that the texts of guards are made of. Pure; any thread. */
#ifndef TLPARSE_SCAN_GUARD_TEXT_H
#define TLPARSE_SCAN_GUARD_TEXT_H

#include "base/slice.h"

/* Where `needle` begins in the code, not within quotes; SIZE_MAX: nowhere. */
size_t guard_code_find(struct slice code, struct slice needle);
/* How long the name at the start of the code is: L['x'].size()[0] */
size_t guard_operand_length(struct slice text);
/* "<class 'int'>" → int; another text as it is. */
struct slice guard_class_name(struct slice type);
/* Behind the quoted text that begins at i; 0: it has no end. */
size_t guard_quotes_end(struct slice code, size_t i);
/* What stands between the first `begin` and the next `end`; ptr NULL: they are not both there. */
struct slice text_between(struct slice text, struct slice begin, struct slice end);

#endif
