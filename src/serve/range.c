#include "serve/range.h"

#include <strings.h>

/* A number that overflows is treated as the maximum: no file is that large. */
static uint64_t number_of(struct slice digits) {
    uint64_t number;
    return slice_to_u64(digits, &number) ? number : UINT64_MAX;
}

enum range_kind range_parse(struct slice header, uint64_t file_bytes, struct range *range) {
    static const char unit[] = "bytes=";
    const size_t unit_len = sizeof unit - 1;
    *range = (struct range){0, file_bytes};
    if (header.len < unit_len || strncasecmp(header.ptr, unit, unit_len) != 0)
        return RANGE_ALL;
    struct slice text = slice_trim(slice_from(header, unit_len));
    size_t dash = slice_find(text, SLICE("-"));
    if (dash == SIZE_MAX)
        return RANGE_ALL;
    struct slice from = slice_first(text, dash), to = slice_from(text, dash + 1);
    if (digits_length(from) < from.len || digits_length(to) < to.len || (!from.len && !to.len))
        return RANGE_ALL;
    uint64_t a = number_of(from), b = number_of(to);
    if (!from.len) { /* the last b bytes */
        if (b == 0 || file_bytes == 0)
            return RANGE_OUTSIDE;
        range->bytes = b < file_bytes ? b : file_bytes;
        range->first = file_bytes - range->bytes;
        return RANGE_PART;
    }
    if (to.len && b < a)
        return RANGE_ALL;
    if (a >= file_bytes)
        return RANGE_OUTSIDE;
    range->first = a;
    range->bytes = (to.len && b < file_bytes ? b + 1 : file_bytes) - a;
    return RANGE_PART;
}
