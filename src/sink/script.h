/* script.h - data as a script: tl.put("key", "base64 of zstd"). Any thread. Writes with files_write(). */
#pragma once

#include "sink/files.h"

/* Adds the bytes as a frame of zstd. level: 1 or more. */
void zstd_add(struct buf *out, struct slice bytes, int level);

/* The key must not contain quotes, backslashes or '<'. Keys consist of numbers, folders of compile ids, and constants.
 */
void script_add_put(struct buf *out, struct slice key, struct slice bytes);
/* The same in two steps, for callers that need the packed bytes (zstd) again. */
void script_pack(struct buf *packed, struct slice bytes);
void script_add_packed(struct buf *out, struct slice key, struct slice packed);
/* Adds the unpacked bytes, whose length the caller knows. Returns false and adds nothing if the length differs. */
bool script_unpack(struct buf *bytes, struct slice packed, size_t len);
/* Adds base64, without line breaks. */
void script_add_base64(struct buf *out, struct slice bytes);
/* Extracts the key and the unpacked bytes from a file with one such call. Returns false and adds nothing for any other
 * file, or one that unpacks to more than 1 GiB. The key is a slice of the file. */
bool script_read(struct slice file, struct slice *key, struct buf *bytes);
/* Writes a file with one such call. */
void script_write(struct files *files, struct slice path, struct slice key, struct slice bytes);
/* The same in pieces, for long content. */
struct script_stream {
    struct stream stream;
    struct ZSTD_CCtx_s *packer;
    struct buf packed; /* bytes not yet in the stream: base64 takes three bytes at a time */
};
void script_stream_open(struct script_stream *script, struct files *files, const char *path, struct slice key);
void script_stream_add(struct script_stream *script, struct slice bytes);
void script_stream_close(struct script_stream *script);
/* Writes data/<what>.<part>.js, with the key "<what>/<part>". */
void script_write_part(struct files *files, const char *what, size_t part, struct slice bytes);
