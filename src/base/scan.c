#include "base/scan.h"

typedef unsigned char lanes __attribute__((vector_size(16)));

static lanes load(const char *p) {
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

static bool any(lanes v) {
    uint64_t half[2];
    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

size_t scan_json(struct slice text, size_t from) {
    size_t i = from;
    for (; i + sizeof(lanes) <= text.len; i += sizeof(lanes)) {
        lanes v = load(text.ptr + i);
        if (any((lanes)(v < 0x20) | (lanes)(v == '"') | (lanes)(v == '\\') | (lanes)(v == 0x7f)))
            break;
    }
    for (; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            break;
    }
    return i;
}

size_t scan_html(struct slice text, size_t from) {
    size_t i = from;
    for (; i + sizeof(lanes) <= text.len; i += sizeof(lanes)) {
        lanes v = load(text.ptr + i);
        if (any((lanes)(v < 0x20) | (lanes)(v == '&') | (lanes)(v == '<') | (lanes)(v == '>') | (lanes)(v == '"') |
                (lanes)(v == '\'') | (lanes)(v == 0x7f)))
            break;
    }
    for (; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < 0x20 || c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' || c == 0x7f)
            break;
    }
    return i;
}
