#include "trace/glog.h"

enum { HEAD = 21 }; /* "V1206 15:18:15.925000" */

/* Whether "V1206 15:18:15.925000" is at p. */
static bool head_at(const char *p) {
    static const char shape[] = "L0000 00:00:00.000000";
    if (p[0] != 'V' && p[0] != 'I' && p[0] != 'W' && p[0] != 'E' && p[0] != 'C')
        return false;
    for (int i = 1; i < HEAD; i++)
        if (shape[i] == '0' ? !is_digit(p[i]) : p[i] != shape[i])
            return false;
    return true;
}

/* Parses digits at *pos. A number that overflows is UINT64_MAX. */
static bool take_number(struct slice line, size_t *pos, uint64_t *number) {
    size_t end = *pos;
    while (end < line.len && is_digit(line.ptr[end]))
        end++;
    if (end == *pos)
        return false;
    if (!slice_to_u64(slice_make(line.ptr + *pos, end - *pos), number))
        *number = UINT64_MAX;
    *pos = end;
    return true;
}

/* Parses the rest of the prefix: " THREAD PATH:LINE] ". In a damaged THREAD, anything after its digits becomes part of
 * PATH, so the record is not lost. */
static bool parse_tail(struct slice line, size_t start, struct glog *glog) {
    size_t pos = start + HEAD;
    if (pos >= line.len || line.ptr[pos] != ' ')
        return false;
    while (pos < line.len && line.ptr[pos] == ' ')
        pos++;
    if (!take_number(line, &pos, &glog->thread))
        return false;
    while (pos < line.len && line.ptr[pos] == ' ')
        pos++;
    const char *colon = memchr(line.ptr + pos, ':', line.len - pos);
    if (!colon || colon == line.ptr + pos)
        return false;
    size_t path_end = (size_t)(colon - line.ptr), after = path_end + 1;
    if (!take_number(line, &after, &glog->lineno) || after + 2 > line.len)
        return false;
    if (line.ptr[after] != ']' || line.ptr[after + 1] != ' ')
        return false;
    glog->lead = slice_make(line.ptr, start);
    glog->date = slice_make(line.ptr + start + 1, 4);
    glog->time = slice_make(line.ptr + start + 6, 15);
    glog->pathname = slice_make(line.ptr + pos, path_end - pos);
    glog->rest = slice_from(line, after + 2);
    return true;
}

bool glog_parse(struct slice line, struct glog *glog) {
    if (line.len < HEAD)
        return false;
    if (head_at(line.ptr) && parse_tail(line, 0, glog))
        return true;
    /* Searches the rest of the line: the first colon of "00:00:00" is 8 bytes after a possible start. */
    for (size_t pos = 9; pos + HEAD <= line.len + 8;) {
        const char *colon = memchr(line.ptr + pos, ':', line.len - pos);
        if (!colon)
            return false;
        size_t at = (size_t)(colon - line.ptr);
        if (at - 8 + HEAD <= line.len && head_at(colon - 8) && parse_tail(line, at - 8, glog))
            return true;
        pos = at + 1;
    }
    return false;
}

bool glog_is_cut(struct slice line) {
    char head[HEAD];
    size_t known = line.len < HEAD ? line.len : HEAD;
    struct glog glog;
    memcpy(head, "V0000 00:00:00.000000", HEAD);
    memcpy(head, line.ptr, known);
    if (!line.len || !head_at(head) || glog_parse(line, &glog))
        return false;
    return line.len <= HEAD || slice_find(line, SLICE("] ")) == SIZE_MAX;
}

int64_t glog_time_of_day(const struct glog *glog) {
    static const struct {
        size_t at, len;
        int64_t us;
    } parts[] = {{0, 2, INT64_C(3600000000)}, {3, 2, 60000000}, {6, 2, 1000000}, {9, 6, 1}};
    int64_t sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint64_t number;
        if (glog->time.len < parts[i].at + parts[i].len ||
            !slice_to_u64(slice_make(glog->time.ptr + parts[i].at, parts[i].len), &number))
            return -1;
        sum += (int64_t)number * parts[i].us;
    }
    return sum;
}
