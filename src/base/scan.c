#include "base/text.h"

#include "base/sixteen.h"

size_t scan_json(struct slice text, size_t from) {
    size_t i = from;
    for (; i + sizeof(lanes) <= text.len; i += sizeof(lanes)) {
        lanes v = lanes_load(text.ptr + i);
        if (lanes_any((lanes)(v < 0x20) | (lanes)(v == '"') | (lanes)(v == '\\') | (lanes)(v == 0x7f)))
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
        lanes v = lanes_load(text.ptr + i);
        if (lanes_any((lanes)(v < 0x20) | (lanes)(v == '&') | (lanes)(v == '<') | (lanes)(v == '>') |
                      (lanes)(v == '"') | (lanes)(v == '\'') | (lanes)(v == 0x7f)))
            break;
    }
    for (; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < 0x20 || c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' || c == 0x7f)
            break;
    }
    return i;
}
