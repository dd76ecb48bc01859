/* redact_places.h - the positions of texts in the streams of a report, before and after redaction.
 *
 * The data of a report refers to a text by its offset in the stream of its folder, and redaction changes the length of
 * texts. So a stream is cut at every start and end of a text, each piece is redacted separately, and the new offsets of
 * the cuts are kept for the data.
 *
 * One thread. Life cycle: {0}, redact_places_add…, then for each stream redact_places_cut and redact_places_move, then redact_places_map,
 * redact_places_forget. */
#pragma once

#include "base/base.h"

enum redact_content {
    REDACT_UNKNOWN, /* bytes of a stream that no text covers, or that texts share only partly */
    REDACT_TEXT,
    REDACT_SETTINGS, /* the text of an artifact that lists settings */
    REDACT_GUARDS,   /* a list of guards, which is JSON */
};

struct redact_piece {
    size_t from, to;   /* in the stream */
    size_t moved_from; /* in the redacted one */
    enum redact_content content;
};

struct redact_places {
    struct map folders; /* to an index, from 0 */
    uint32_t folder_count;
    bool is_sorted;
    LIST(struct redact_place {
        uint32_t folder;
        enum redact_content content;
        size_t from;
        size_t to;
    })
    items;
    LIST(struct redact_moved {
        struct redact_piece *pieces;
        size_t count;
        size_t bytes; /* of the redacted stream */
    })
    moved; /* by folder; without pieces, nothing moved */
};

void redact_places_add(struct redact_places *places, struct slice folder, size_t offset, size_t bytes,
                       enum redact_content content);
/* The pieces of a stream in order, without gaps. The places keep them; the caller sets moved_from. */
struct redact_moved *redact_places_cut(struct redact_places *places, struct slice folder, size_t bytes);
/* Translates a range of a stream that was cut. Returns false, and leaves it unchanged, if the folder has no such range.
 */
bool redact_places_map(const struct redact_places *places, struct slice folder, uint64_t *offset, uint64_t *bytes);
/* The redacted stream of a folder, or NULL. */
const struct redact_moved *redact_places_of(const struct redact_places *places, struct slice folder);
void redact_places_forget(struct redact_places *places);
