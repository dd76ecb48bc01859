#include "hooks/hooks.h"

static void write_compile(struct jsonw *w, const struct parser_keys *keys, uint32_t compile) {
    jsonw_text(w, "compile", compile != PARSER_NO_COMPILE ? keys->items[compile] : (struct slice){0});
}

/* Writes a number, or a text that is not too long. */
static void write_cell(struct jsonw *w, const char *key, yyjson_val *value) {
    if (yyjson_is_str(value))
        jsonw_cut(w, key, json_text(value), PARSER_TEXT_MAX);
    else
        jsonw_value(w, key, value);
}

static void write_columns(struct jsonw *w, const struct parser_result *result, const struct parser_keys *keys) {
    jsonw_array(w, "columns");
    for (size_t i = 0; i < result->columns.count; i++) {
        const struct parser_column *column = &result->columns.items[i];
        jsonw_object(w, NULL);
        jsonw_text(w, "title", column->title);
        jsonw_object(w, "values");
        for (size_t v = 0; v < column->values.count; v++) {
            jsonw_key(w, keys->items[column->values.items[v].compile]);
            write_cell(w, NULL, column->values.items[v].value);
        }
        jsonw_end_object(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_row(struct jsonw *w, const char *key, yyjson_val *row) {
    size_t index, max;
    yyjson_val *cell;
    jsonw_array(w, key);
    yyjson_arr_foreach(row, index, max, cell) write_cell(w, NULL, cell);
    jsonw_end_array(w);
}

static void write_sections(struct jsonw *w, const struct parser_result *result) {
    jsonw_array(w, "sections");
    for (size_t i = 0; i < result->sections.count; i++) {
        const struct parser_section *section = &result->sections.items[i];
        jsonw_object(w, NULL);
        jsonw_text(w, "title", section->title);
        jsonw_texts(w, "texts", section->texts.items, section->texts.count);
        if (section->columns) {
            write_row(w, "columns", section->columns);
            jsonw_array(w, "rows");
            for (size_t t = 0; t < section->tables.count; t++) {
                size_t index, max;
                yyjson_val *row;
                yyjson_arr_foreach(section->tables.items[t], index, max, row) write_row(w, NULL, row);
            }
            jsonw_end_array(w);
        }
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_place(struct jsonw *w, yyjson_val *place) {
    uint64_t line = 0;
    if (!yyjson_is_obj(place)) {
        jsonw_null(w, "place");
        return;
    }
    json_to_u64(json_get(place, "line"), &line);
    jsonw_object(w, "place");
    JSON_ADD(w, "file", json_get_text(place, "file"), "line", line, "function", json_get_text(place, "function"));
    jsonw_end_object(w);
}

static void write_findings(struct jsonw *w, const struct parser_items *items, const struct parser_keys *keys) {
    jsonw_array(w, "findings");
    for (size_t i = 0; i < items->count; i++) {
        yyjson_val *answer = items->items[i].value;
        jsonw_object(w, NULL);
        jsonw_cut(w, "title", json_get_text(answer, "finding"), PARSER_TEXT_MAX);
        JSON_ADD(w, "severity", json_get_text(answer, "severity"), "message", json_get_text(answer, "message"),
                 "advice", json_get_text(answer, "advice"));
        write_place(w, json_get(answer, "place"));
        write_compile(w, keys, items->items[i].compile);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_links(struct jsonw *w, const struct parser_items *items, const struct parser_keys *keys) {
    jsonw_array(w, "links");
    for (size_t i = 0; i < items->count; i++) {
        yyjson_val *answer = items->items[i].value;
        jsonw_object(w, NULL);
        JSON_ADD(w, "url", json_get_text(answer, "link"), "title", json_get_text(answer, "title"));
        write_compile(w, keys, items->items[i].compile);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_files(struct jsonw *w, const struct parser_items *items, const struct parser_keys *keys) {
    jsonw_array(w, "files");
    for (size_t i = 0; i < items->count; i++) {
        yyjson_val *answer = items->items[i].value;
        jsonw_object(w, NULL);
        jsonw_cut(w, "name", json_get_text(answer, "file"), PARSER_TEXT_MAX);
        JSON_ADD(w, "url", items->items[i].url, "bytes", json_get_text(answer, "text").len);
        write_compile(w, keys, items->items[i].compile);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void parser_results_write(struct jsonw *w, const char *key, const struct parser_results *results,
                          const struct parser_keys *keys, bool whole) {
    jsonw_array(w, key);
    for (size_t i = 0; i < results->count; i++) {
        const struct parser_result *result = &results->items[i];
        jsonw_object(w, NULL);
        JSON_ADD(w, "name", result->name, "error", slice_str(result->error));
        write_columns(w, result, keys);
        if (whole) {
            jsonw_u64(w, "records", result->records);
            write_sections(w, result);
            write_findings(w, &result->findings, keys);
            write_links(w, &result->links, keys);
            write_files(w, &result->files, keys);
            JSON_ADD(w, "rejected", result->rejected, "example", slice_str(result->example), "more", result->more);
        }
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void parser_files_write(const struct parser_results *results, struct files *files) {
    for (size_t i = 0; i < results->count; i++) {
        const struct parser_items *items = &results->items[i].files;
        for (size_t f = 0; f < items->count; f++) {
            files_folder(files, items->items[f].url);
            files_write(files, items->items[f].url, json_get_text(items->items[f].value, "text"));
        }
    }
}
