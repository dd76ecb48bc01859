/* value_text.h - the members of a record as readable text: "name: value", stacks in Python's format. Pure, but it
 * reads the string table, so it runs on the fold's thread. */
#ifndef TLPARSE_KINDS_VALUE_TEXT_H
#define TLPARSE_KINDS_VALUE_TEXT_H

#include "base/json.h"
#include "trace/strings.h"

void value_text_add(struct buf *out, yyjson_val *value, const struct strings *strings);

#endif
