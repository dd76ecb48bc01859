/* script.h - data as a script: tl.put("key", "base64 of gzip"). Pure; any thread. */
#ifndef TLPARSE_OUT_SCRIPT_H
#define TLPARSE_OUT_SCRIPT_H

#include "base/buf.h"

/* The key holds no quotes, backslashes or '<': keys are made of numbers, folders of compile ids and our own words. */
void script_add_put(struct buf *out, struct slice key, struct slice bytes);

#endif
