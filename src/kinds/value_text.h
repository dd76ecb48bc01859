/* value_text.h - the fields of a record as a text for people: "name: value", stacks as Python shows them. Pure, but it
 * reads the table of strings, so: the fold's thread. */
#ifndef TLPARSE_KINDS_VALUE_TEXT_H
#define TLPARSE_KINDS_VALUE_TEXT_H

#include "base/json.h"
#include "trace/strings.h"

void value_text_add(struct buf *out, yyjson_val *value, const struct strings *strings);

#endif
