/* compile_id.h - the compile id of a record.
 *
 *     shown   [x/y]   [x/y_z] if attempt z is not 0   [!a/x/y] under compiled autograd a   "-" for a missing part
 *     folder  a_x_y_z with "-" for each missing part
 *
 * A value type. Parts are 0 … 2^32-1; a null part is missing. Pure; any thread. */
#pragma once

#include "base/json.h"

enum compile_id_state {
    COMPILE_ID_NONE, /* the record has none of the four keys: folder -_-_-_- */
    COMPILE_ID_GOOD,
    COMPILE_ID_BAD, /* a part is not an integer: folder unknown_<line>, key "unknown" */
};

enum { PART_MISSING = -1 };

struct compile_id {
    enum compile_id_state state;
    int64_t autograd, frame, compile, attempt; /* or PART_MISSING */
};

/* Reads the keys compiled_autograd_id, frame_id, frame_compile_id and attempt of an envelope. */
struct compile_id compile_id_read(yyjson_val *envelope);
/* "0/1", "!0/2/0", "-/-": without attempt and brackets; "unknown" for COMPILE_ID_BAD. */
void compile_id_add(struct buf *out, const struct compile_id *id);
/* Whether the text is what compile_id_add() writes. */
bool compile_id_is_shown(struct slice text);
/* "[0/1_2]": the key of compile_directory.json. */
void compile_id_add_key(struct buf *out, const struct compile_id *id);
/* The folder. `line` is the line of the record, used for COMPILE_ID_BAD. */
void compile_id_add_folder(struct buf *out, const struct compile_id *id, uint64_t line);
