/* script.h - data as a script: tl.put("key", "base64 of gzip"). Any thread; writing as files_write(). */
#ifndef TLPARSE_SINK_SCRIPT_H
#define TLPARSE_SINK_SCRIPT_H

#include "sink/files.h"

/* The key holds no quotes, backslashes or '<': keys are made of numbers, folders of compile ids and our own words. */
void script_add_put(struct buf *out, struct slice key, struct slice bytes);
/* The same in two steps, for those who need the packed bytes (gzip) again. */
void script_pack(struct buf *packed, struct slice bytes);
void script_add_packed(struct buf *out, struct slice key, struct slice packed);
/* Adds the bytes that were packed, whose length the caller knows; false, and nothing, where they are not that. */
bool script_unpack(struct buf *bytes, struct slice packed, size_t len);
/* A file of one such call. */
void script_write(struct files *files, struct slice path, struct slice key, struct slice bytes);
/* data/<what>.<part>.js, with the key "<what>/<part>". */
void script_write_part(struct files *files, const char *what, size_t part, struct slice bytes);

#endif
