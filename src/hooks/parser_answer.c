
#include "hooks/parser_answer.h"

/* An answer that is being read. why: the reason if it is rejected. */
struct reader {
    struct parser_result *result;
    const struct parser_keys *keys;
    yyjson_val *answer;
    const char *why;
};

static bool reject(struct reader *r, const char *why) {
    r->why = why;
    return false;
}

/* Counts an answer beyond a limit, which is not the parser's error. */
static bool leave_out(struct reader *r) {
    r->result->more++;
    return true;
}

static bool is_text(yyjson_val *value) {
    return yyjson_is_str(value);
}

static bool is_cell(yyjson_val *value) {
    return yyjson_is_str(value) || yyjson_is_num(value);
}

static struct slice short_text(yyjson_val *value) {
    return utf8_first(json_text(value), PARSER_TEXT_MAX);
}

/* Reads the compile of an answer, which may be missing unless `required`. */
static bool read_compile(struct reader *r, bool required, uint32_t *compile) {
    yyjson_val *key = json_get(r->answer, "compile");
    *compile = PARSER_NO_COMPILE;
    if (!key || yyjson_is_null(key))
        return !required || reject(r, "it names no compile");
    *compile = map_get(&r->keys->map, json_text(key));
    return *compile != MAP_NONE || reject(r, "the report has no such compile");
}

static bool read_column(struct reader *r, yyjson_val *title) {
    struct parser_result *result = r->result;
    yyjson_val *value = json_get(r->answer, "value");
    uint32_t compile, next = (uint32_t)result->columns.count;
    if (!read_compile(r, true, &compile))
        return false;
    if (!is_cell(value))
        return reject(r, "\"value\" is neither a number nor a text");
    uint32_t known = map_get(&result->column_map, short_text(title));
    if (known == MAP_NONE && next == PARSER_COLUMNS_MAX)
        return leave_out(r);
    uint32_t at = *map_put(&result->column_map, short_text(title), next, NULL);
    if (at == next)
        LIST_ADD(&result->columns, (struct parser_column){.title = short_text(title)});
    struct parser_column *column = &result->columns.items[at];
    struct slice key = slice_make((const char *)&compile, sizeof compile);
    uint32_t place = *map_put(&column->of_compile, key, (uint32_t)column->values.count, NULL);
    if (place == column->values.count) {
        MEM_GROW(&column->values);
        column->values.count++;
    }
    column->values.items[place] = (struct parser_value){compile, value};
    return true;
}

/* Whether this is an array of at most `max` cells, or of any number if max is 0. */
static bool are_cells(yyjson_val *array, size_t max) {
    size_t index, count;
    yyjson_val *item;
    if (!yyjson_is_arr(array) || (max && yyjson_arr_size(array) > max))
        return false;
    yyjson_arr_foreach(array, index, count, item) {
        if (!is_cell(item))
            return false;
    }
    return true;
}

static bool check_table(struct reader *r, yyjson_val *columns, yyjson_val *rows) {
    size_t index, max;
    yyjson_val *row;
    if (!are_cells(columns, PARSER_COLUMNS_MAX) || !yyjson_arr_size(columns))
        return reject(r, "\"columns\" is not an array of 1 to 16 titles");
    if (!yyjson_is_arr(rows))
        return reject(r, "\"rows\" is not an array");
    yyjson_arr_foreach(rows, index, max, row) {
        if (!are_cells(row, 0) || yyjson_arr_size(row) != yyjson_arr_size(columns))
            return reject(r, "a row does not have a number or a text for each column");
    }
    return true;
}

static bool read_section(struct reader *r, yyjson_val *title) {
    struct parser_result *result = r->result;
    yyjson_val *text = json_get(r->answer, "text"), *columns = json_get(r->answer, "columns"),
               *rows = json_get(r->answer, "rows");
    uint32_t next = (uint32_t)result->sections.count;
    if (!is_text(text) && !columns)
        return reject(r, "a section has a \"text\", or \"columns\" and \"rows\"");
    if (columns && !check_table(r, columns, rows))
        return false;
    uint32_t known = map_get(&result->section_map, short_text(title));
    if ((known == MAP_NONE && next == PARSER_SECTIONS_MAX) ||
        (columns && result->rows + yyjson_arr_size(rows) > PARSER_ROWS_MAX))
        return leave_out(r);
    if (known != MAP_NONE && columns && result->sections.items[known].columns &&
        yyjson_arr_size(result->sections.items[known].columns) != yyjson_arr_size(columns))
        return reject(r, "the section has a table with other columns");
    uint32_t at = *map_put(&result->section_map, short_text(title), next, NULL);
    if (at == next)
        LIST_ADD(&result->sections, (struct parser_section){.title = short_text(title)});
    struct parser_section *section = &result->sections.items[at];
    if (is_text(text))
        LIST_ADD(&section->texts, json_text(text));
    if (!columns)
        return true;
    section->columns = section->columns ? section->columns : columns;
    result->rows += yyjson_arr_size(rows);
    LIST_ADD(&section->tables, rows);
    return true;
}

static bool add_item(struct reader *r, struct parser_items *items, struct slice url) {
    uint32_t compile;
    if (!read_compile(r, false, &compile))
        return false;
    if (items->count == PARSER_ITEMS_MAX)
        return leave_out(r);
    LIST_ADD(items, (struct parser_item){r->answer, compile, url});
    return true;
}

static bool is_text_or_missing(yyjson_val *object, const char *key) {
    yyjson_val *value = json_get(object, key);
    return !value || yyjson_is_null(value) || is_text(value);
}

static bool read_finding(struct reader *r, yyjson_val *title) {
    struct slice severity = json_get_text(r->answer, "severity");
    yyjson_val *place = json_get(r->answer, "place");
    uint64_t line;
    (void)title;
    if (!slice_is(severity, "error") && !slice_is(severity, "warning") && !slice_is(severity, "info"))
        return reject(r, "\"severity\" is not error, warning or info");
    if (!is_text_or_missing(r->answer, "message") || !is_text_or_missing(r->answer, "advice"))
        return reject(r, "\"message\" and \"advice\" are texts");
    if (place && !yyjson_is_null(place) &&
        (!is_text(json_get(place, "file")) || !is_text_or_missing(place, "function") ||
         (json_get(place, "line") && !json_to_u64(json_get(place, "line"), &line))))
        return reject(r, "\"place\" is not an object with a file, and perhaps a line and a function");
    return add_item(r, &r->result->findings, (struct slice){0});
}

/* An address that a page may link to. */
static bool is_web_address(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f)
            return false;
    return (slice_starts(text, SLICE("https://")) && text.len > sizeof "https://" - 1) ||
           (slice_starts(text, SLICE("http://")) && text.len > sizeof "http://" - 1);
}

static bool read_link(struct reader *r, yyjson_val *address) {
    if (!is_web_address(json_text(address)))
        return reject(r, "\"link\" is not an address with http or https");
    if (!is_text_or_missing(r->answer, "title"))
        return reject(r, "\"title\" is not a text");
    return add_item(r, &r->result->links, (struct slice){0});
}

/* "parsers/<parser>/<name>". Browsers must show the file as text, whatever a parser has copied from a log. */
static struct slice file_url(struct parser_result *result, struct slice name) {
    static const struct slice shown[] = {SLICE_INIT(".txt"), SLICE_INIT(".json"), SLICE_INIT(".csv"),
                                         SLICE_INIT(".log"), SLICE_INIT(".md")};
    struct buf path = {0};
    bool known = false;
    buf_add_lit(&path, "parsers/");
    path_add_name(&path, slice_str(result->name));
    buf_add_byte(&path, '/');
    path_add_name(&path, name);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        known |= slice_ends(buf_slice(&path), shown[i]);
    if (!known)
        buf_add_lit(&path, ".txt");
    return arena_keep(&result->arena, &path);
}

static bool read_file(struct reader *r, yyjson_val *name) {
    bool added = true;
    if (!json_text(name).len)
        return reject(r, "the name of a file is empty");
    if (!is_text(json_get(r->answer, "text")))
        return reject(r, "a file has a \"text\"");
    struct slice url = file_url(r->result, json_text(name));
    struct buf key = {0}; /* in lower case, because some file systems ignore case */
    for (size_t i = 0; i < url.len; i++)
        buf_add_byte(&key, url.ptr[i] >= 'A' && url.ptr[i] <= 'Z' ? (char)(url.ptr[i] | 0x20) : url.ptr[i]);
    map_put(&r->result->file_map, buf_slice(&key), 0, &added);
    buf_free(&key);
    if (!added)
        return reject(r, "a file of this name was given before");
    return add_item(r, &r->result->files, url);
}

static bool read_answer(struct reader *r) {
    static const struct {
        const char *key;
        bool (*read)(struct reader *r, yyjson_val *value);
    } forms[] = {
        {"column", read_column}, {"section", read_section}, {"finding", read_finding},
        {"link", read_link},     {"file", read_file},
    };
    if (!yyjson_is_obj(r->answer))
        return reject(r, "it is not an object of JSON");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        yyjson_val *value = json_get(r->answer, forms[i].key);
        if (value)
            return is_text(value) && json_text(value).len
                     ? forms[i].read(r, value)
                     : reject(r, "column, section, finding, link and file are texts");
    }
    return reject(r, "it has no column, section, finding, link or file");
}

void parser_answers_read(struct parser_result *result, struct slice output, const struct parser_keys *keys) {
    struct slice line;
    for (uint64_t number = 1; slice_next_line(&output, &line); number++) {
        struct reader r = {.result = result, .keys = keys};
        if (!slice_trim(line).len)
            continue;
        json_read(&line, JSON_NUMBERS, &result->arena, &r.answer);
        if (read_answer(&r))
            continue;
        if (result->rejected++ == 0)
            result->example = mem_printf("line %" PRIu64 ": %s", number, r.why);
    }
}

void parser_result_finish(struct parser_result *result) {
    for (size_t i = 0; i < result->columns.count; i++) {
        mem_free(result->columns.items[i].values.items);
        map_free(&result->columns.items[i].of_compile);
    }
    for (size_t i = 0; i < result->sections.count; i++) {
        mem_free(result->sections.items[i].texts.items);
        mem_free(result->sections.items[i].tables.items);
    }
    mem_free(result->columns.items);
    mem_free(result->sections.items);
    mem_free(result->files.items);
    mem_free(result->links.items);
    mem_free(result->findings.items);
    map_free(&result->column_map);
    map_free(&result->section_map);
    map_free(&result->file_map);
    mem_free(result->error);
    mem_free(result->example);
    arena_free(&result->arena);
}
