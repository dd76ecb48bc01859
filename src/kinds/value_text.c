#include "kinds/records.h"

static bool is_stack(yyjson_val *value) {
    yyjson_val *first = yyjson_arr_get_first(value);
    return yyjson_is_obj(first) && json_get(first, "line") && (json_get(first, "filename") || json_get(first, "name"));
}

static void add_stack(struct buf *out, yyjson_val *stack, const struct strings *strings) {
    size_t i, max;
    yyjson_val *frame;
    yyjson_arr_foreach(stack, i, max, frame) {
        uint64_t line = 0, id;
        struct slice file = json_get_text(frame, "uninterned_filename"), code = json_get_text(frame, "loc");
        if (!file.ptr && json_to_u64(json_get(frame, "filename"), &id))
            file = strings_get(strings, id);
        json_to_u64(json_get(frame, "line"), &line);
        BUF_ADD(out, "  File \"", file.ptr ? file : SLICE("(unknown)"), "\", line ", (uint64_t)line, ", in ",
                json_get_text(frame, "name"), "\n");
        if (code.len)
            BUF_ADD(out, "    ", code, "\n");
    }
}

void value_text_add(struct buf *out, yyjson_val *value, const struct strings *strings) {
    size_t i, max;
    yyjson_val *key, *field;
    if (!yyjson_is_obj(value)) {
        json_add_value(out, value);
        buf_add_byte(out, '\n');
        return;
    }
    yyjson_obj_foreach(value, i, max, key, field) {
        if (yyjson_is_null(field))
            continue;
        BUF_ADD(out, json_text(key), ":");
        if (is_stack(field)) {
            buf_add_byte(out, '\n');
            add_stack(out, field, strings);
            continue;
        }
        buf_add_byte(out, ' ');
        if (yyjson_is_str(field))
            buf_add(out, json_text(field));
        else
            json_add_value(out, field);
        buf_add_byte(out, '\n');
    }
}
