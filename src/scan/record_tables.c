#include "scan/record_tables.h"

#include "base/base.h"

#include "base/jsonw.h"

struct writer {
    struct jsonw w;
    bool any;      /* there is a fact or a table */
    size_t begin;  /* start of the table's rows in w.out */
    uint64_t rows; /* rows written */
    uint64_t more; /* rows not written */
};

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static size_t digits(struct slice text, size_t at) {
    return digits_length(slice_from(text, at));
}

/* Whether the text is a valid JSON number: "-0.5", "1e-05"; not "007", "inf", "1.". */
static bool is_number(struct slice text) {
    size_t at = text.len && text.ptr[0] == '-', count = digits(text, at);
    if (!count || text.len > 40 || (count > 1 && text.ptr[at] == '0'))
        return false;
    at += count;
    if (at < text.len && text.ptr[at] == '.') {
        count = digits(text, ++at);
        at += count;
        if (!count)
            return false;
    }
    if (at < text.len && (text.ptr[at] == 'e' || text.ptr[at] == 'E')) {
        at++;
        at += at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+');
        count = digits(text, at);
        at += count;
        if (!count || count > 3)
            return false;
    }
    return at == text.len;
}

static void put_text(struct jsonw *w, const char *key, struct slice text) {
    if (is_number(text))
        jsonw_raw(w, key, text);
    else
        jsonw_cut(w, key, text, TABLE_CELL_MAX);
}

static bool is_numeral(yyjson_val *value) {
    return yyjson_is_num(value) || yyjson_is_raw(value);
}

static void put_value(struct jsonw *w, const char *key, yyjson_val *value) {
    AUTO_BUF text = {0};
    if (!value || yyjson_is_null(value)) {
        jsonw_null(w, key);
    } else if (yyjson_is_str(value)) {
        jsonw_cut(w, key, json_text(value), TABLE_CELL_MAX);
    } else {
        json_add_value(&text, value);
        if (is_numeral(value))
            put_text(w, key, buf_slice(&text));
        else
            jsonw_cut(w, key, buf_slice(&text), TABLE_CELL_MAX);
    }
}

/* ---- facts and tables ------------------------------------------------------------------------------------------- */

static void begin_fact(struct writer *t, struct slice name) {
    t->any = true;
    jsonw_object(&t->w, NULL);
    jsonw_cut(&t->w, "name", name, TABLE_CELL_MAX);
}

static void add_fact(struct writer *t, struct slice name, struct slice value) {
    begin_fact(t, name);
    put_text(&t->w, "value", value);
    jsonw_end_object(&t->w);
}

static void add_count(struct writer *t, const char *name, uint64_t count) {
    begin_fact(t, slice_str(name));
    jsonw_u64(&t->w, "value", count);
    jsonw_end_object(&t->w);
}

/* Adds the members of the object that are numbers. */
static void add_numbers(struct writer *t, yyjson_val *object) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, i, max, key, value) {
        if (i == TABLE_ROWS_MAX)
            break;
        if (!is_numeral(value))
            continue;
        begin_fact(t, json_text(key));
        put_value(&t->w, "value", value);
        jsonw_end_object(&t->w);
    }
}

static void end_facts(struct writer *t) {
    jsonw_end_array(&t->w);
    jsonw_array(&t->w, "tables");
}

static void begin_table(struct writer *t, const char *title, const struct slice *columns, size_t count) {
    t->any = true;
    t->rows = t->more = 0;
    jsonw_object(&t->w, NULL);
    jsonw_str(&t->w, "title", title);
    jsonw_texts(&t->w, "columns", columns, count);
    jsonw_array(&t->w, "rows");
    t->begin = t->w.out->len;
}

/* Returns false if the row is only counted, not written. */
static bool begin_row(struct writer *t) {
    if (t->rows == TABLE_ROWS_MAX || t->w.out->len - t->begin > TABLE_BYTES_MAX) {
        t->more++;
        return false;
    }
    t->rows++;
    jsonw_array(&t->w, NULL);
    return true;
}

static void end_row(struct writer *t) {
    jsonw_end_array(&t->w);
}

static void end_table(struct writer *t) {
    jsonw_end_array(&t->w);
    jsonw_u64(&t->w, "more", t->more);
    jsonw_end_object(&t->w);
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* Takes the next cell of "mm f32(64, 64),0.5,2*Max(1, s0)": commas in brackets belong to the cell. */
static bool next_cell(struct slice *line, struct slice *cell) {
    unsigned depth = 0;
    size_t i = 0;
    if (!line->ptr)
        return false;
    for (; i < line->len && !(line->ptr[i] == ',' && !depth); i++) {
        char c = line->ptr[i];
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth && (c == ')' || c == ']' || c == '}');
    }
    *cell = slice_first(*line, i);
    *line = i < line->len ? slice_from(*line, i + 1) : (struct slice){0};
    return true;
}

static size_t cells_of(struct slice line, struct slice cells[TABLE_COLUMNS_MAX]) {
    size_t count = 0;
    while (count < TABLE_COLUMNS_MAX && next_cell(&line, &cells[count]))
        count++;
    return count;
}

/* torch/_inductor/fx_passes/node_runtime_estimation.py, _format_csv(): cells separated by commas, without quotes.
 * Lines that begin with # are facts: "# World size: 2". */
static bool read_estimations(struct writer *t, struct slice text) {
    struct slice rest = text, line, columns[TABLE_COLUMNS_MAX], cells[TABLE_COLUMNS_MAX], head = {0};
    while (slice_next_line(&rest, &line)) {
        struct slice fact = slice_trim(line);
        size_t colon = slice_find(fact, SLICE(": "));
        if (slice_starts(fact, SLICE("#")) && colon != SIZE_MAX)
            add_fact(t, slice_trim(slice_from(slice_first(fact, colon), 1)), slice_trim(slice_from(fact, colon + 2)));
        else if (fact.len) {
            head = fact;
            break;
        }
    }
    size_t count = cells_of(head, columns);
    if (!head.len || count < 2)
        return false;
    end_facts(t);
    begin_table(t, NULL, columns, count);
    while (slice_next_line(&rest, &line)) {
        line = slice_trim(line);
        if (!line.len || !begin_row(t))
            continue;
        size_t have = cells_of(line, cells);
        for (size_t i = 0; i < count; i++)
            if (i < have)
                put_text(&t->w, NULL, slice_trim(cells[i]));
            else
                jsonw_null(&t->w, NULL);
        end_row(t);
    }
    end_table(t);
    return true;
}

/* The text between the key and the byte after it: "x" for "'x', …". */
static struct slice behind(struct slice text, struct slice key) {
    size_t at = slice_find(text, key);
    return at != SIZE_MAX ? slice_trim(slice_from(text, at + key.len)) : (struct slice){0};
}

static struct slice until(struct slice text, const char *ends) {
    size_t len = 0;
    while (len < text.len && !strchr(ends, text.ptr[len]))
        len++;
    return slice_first(text, len);
}

/* networkx.generate_edgelist(): "a_in a_out {'capacity': 3.0, 'reason': 'x'}". */
static bool read_edges(struct writer *t, struct slice text) {
    static const struct slice columns[] = {SLICE_INIT("from"), SLICE_INIT("to"), SLICE_INIT("capacity"),
                                           SLICE_INIT("reason")};
    struct slice line;
    bool any = false;
    end_facts(t);
    begin_table(t, NULL, columns, 4);
    while (slice_next_line(&text, &line)) {
        line = slice_trim(line);
        struct slice from = until(line, " "), to = until(slice_from(line, from.len + 1), " ");
        struct slice facts = slice_from(line, from.len + to.len + 2);
        if (!from.len || !to.len || !slice_starts(facts, SLICE("{")) || !slice_ends(facts, SLICE("}")))
            continue;
        any = true;
        if (!begin_row(t))
            continue;
        struct slice reason = behind(facts, SLICE("'reason':")), capacity = behind(facts, SLICE("'capacity':"));
        jsonw_cut(&t->w, NULL, from, TABLE_CELL_MAX);
        jsonw_cut(&t->w, NULL, to, TABLE_CELL_MAX);
        if (capacity.len)
            put_text(&t->w, NULL, slice_trim(until(capacity, ",}")));
        else
            jsonw_null(&t->w, NULL);
        jsonw_cut(&t->w, NULL,
                  reason.len ? until(slice_from(reason, 1), slice_starts(reason, SLICE("\"")) ? "\"" : "'") : reason,
                  TABLE_CELL_MAX);
        end_row(t);
    }
    end_table(t);
    return any;
}

/* Takes the next bucket of "[[a, b], [c]]". */
static bool next_bucket(struct slice *text, struct slice *bucket) {
    while (text->len) {
        size_t open = slice_find(*text, SLICE("["));
        if (open == SIZE_MAX)
            return false;
        *text = slice_from(*text, open + 1);
        *bucket = until(*text, "[]");
        *text = slice_from(*text, bucket->len);
        *bucket = slice_trim(*bucket);
        if (bucket->len && !slice_starts(*bucket, SLICE(",")) && slice_starts(*text, SLICE("]")))
            return true;
    }
    return false;
}

static uint64_t items_of(struct slice list) {
    uint64_t count = 1;
    for (size_t i = 0; i < list.len; i++)
        count += list.ptr[i] == ',';
    return count;
}

/* torch/_inductor/fx_passes/bucketing.py: "[[a, b], [c]]", the nodes of each bucket. */
static bool read_buckets(struct writer *t, struct slice text) {
    static const struct slice columns[] = {SLICE_INIT("bucket"), SLICE_INIT("collectives"), SLICE_INIT("nodes")};
    struct slice rest = text, bucket;
    uint64_t buckets = 0, collectives = 0;
    for (; next_bucket(&rest, &bucket); buckets++)
        collectives += items_of(bucket);
    if (!buckets)
        return false;
    add_count(t, "collectives", collectives);
    add_count(t, "buckets", buckets);
    end_facts(t);
    begin_table(t, NULL, columns, 3);
    buckets = 0;
    for (rest = text; next_bucket(&rest, &bucket); buckets++) {
        if (!begin_row(t))
            continue;
        jsonw_u64(&t->w, NULL, buckets);
        jsonw_u64(&t->w, NULL, items_of(bucket));
        jsonw_cut(&t->w, NULL, bucket, TABLE_CELL_MAX);
        end_row(t);
    }
    end_table(t);
    return true;
}

/* torch/_inductor/fx_passes/fsdp.py: "fsdp_groups=['0'], group_size=2, all_gather 2->1": numbers of collectives before
 * and after. */
static bool read_bucketed(struct writer *t, struct slice text) {
    static const struct slice columns[] = {SLICE_INIT("collective"), SLICE_INIT("before"), SLICE_INIT("after")};
    struct slice rest = text, cell;
    bool any = false;
    while (next_cell(&rest, &cell)) {
        size_t is = slice_find(cell = slice_trim(cell), SLICE("="));
        if (is != SIZE_MAX && is)
            add_fact(t, slice_first(cell, is), slice_from(cell, is + 1));
    }
    end_facts(t);
    begin_table(t, NULL, columns, 3);
    for (rest = text; next_cell(&rest, &cell);) {
        cell = slice_trim(cell);
        size_t blank = slice_rfind_byte(cell, ' '), arrow = slice_find(cell, SLICE("->"));
        if (blank == SIZE_MAX || arrow == SIZE_MAX || arrow < blank)
            continue;
        struct slice before = slice_from(slice_first(cell, arrow), blank + 1), after = slice_from(cell, arrow + 2);
        if (!is_number(before) || !is_number(after))
            continue;
        any = true;
        if (!begin_row(t))
            continue;
        jsonw_cut(&t->w, NULL, slice_trim(slice_first(cell, blank)), TABLE_CELL_MAX);
        jsonw_raw(&t->w, NULL, before);
        jsonw_raw(&t->w, NULL, after);
        end_row(t);
    }
    end_table(t);
    return any;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* Rows from objects; the columns are the union of their members. */
static bool add_objects(struct writer *t, yyjson_val *list, const char *title) {
    struct slice columns[TABLE_COLUMNS_MAX];
    size_t count = 0, i, max, k, keys;
    yyjson_val *item, *key, *value;
    yyjson_arr_foreach(list, i, max, item) {
        if (i == TABLE_ROWS_MAX)
            break;
        yyjson_obj_foreach(item, k, keys, key, value) {
            size_t known = 0;
            if (k == TABLE_COLUMNS_MAX)
                break;
            while (known < count && !slice_eq(columns[known], json_text(key)))
                known++;
            if (known == count && count < TABLE_COLUMNS_MAX)
                columns[count++] = json_text(key);
        }
    }
    if (!count)
        return false;
    begin_table(t, title, columns, count);
    yyjson_arr_foreach(list, i, max, item) {
        if (!yyjson_is_obj(item) || !begin_row(t))
            continue;
        for (size_t c = 0; c < count; c++)
            put_value(&t->w, NULL, yyjson_obj_getn(item, columns[c].ptr, columns[c].len));
        end_row(t);
    }
    end_table(t);
    return true;
}

/* The partitioner's decision on a candidate. */
static const char *choice_of(yyjson_val *info) {
    return json_truthy(json_get(info, "is_saved"))      ? "saved"
         : json_truthy(json_get(info, "is_recomputed")) ? "recomputed"
                                                        : "";
}

static void add_candidates(struct writer *t, yyjson_val *nodes) {
    static const struct slice columns[] = {SLICE_INIT("node"),   SLICE_INIT("operation"), SLICE_INIT("shape"),
                                           SLICE_INIT("memory"), SLICE_INIT("runtime"),   SLICE_INIT("choice")};
    size_t i, max;
    yyjson_val *key, *node;
    bool any = false;
    yyjson_obj_foreach(nodes, i, max, key, node) {
        yyjson_val *info = json_get(node, "recomputable_candidate_info");
        if (!yyjson_is_obj(info))
            continue;
        if (!any)
            begin_table(t, "Candidates for recomputation", columns, 6);
        any = true;
        if (!begin_row(t))
            continue;
        put_value(&t->w, NULL, json_get(node, "name"));
        put_value(&t->w, NULL, json_get(node, "target"));
        put_value(&t->w, NULL, json_get(node, "shape"));
        put_value(&t->w, NULL, json_get(info, "memory"));
        put_value(&t->w, NULL, json_get(info, "runtime"));
        jsonw_str(&t->w, NULL, choice_of(info));
        end_row(t);
    }
    if (any)
        end_table(t);
}

static void add_saved(struct writer *t, yyjson_val *names, yyjson_val *nodes) {
    static const struct slice columns[] = {SLICE_INIT("node"), SLICE_INIT("operation"), SLICE_INIT("shape")};
    yyjson_val **list = mem_alloc((yyjson_obj_size(nodes) + 1) * sizeof *list), *key, *name, *node;
    AUTO_MAP places = {0};
    size_t i, max;
    yyjson_obj_foreach(nodes, i, max, key, node) {
        list[i] = node;
        *map_put(&places, json_text(key), 0, NULL) = (uint32_t)i;
    }
    begin_table(t, "Values that the min cut saves", columns, 3);
    yyjson_arr_foreach(names, i, max, name) {
        uint32_t place = map_get(&places, json_text(name));
        if (!begin_row(t))
            continue;
        node = place == MAP_NONE ? NULL : list[place];
        put_value(&t->w, NULL, name);
        put_value(&t->w, NULL, json_get(node, "target"));
        put_value(&t->w, NULL, json_get(node, "shape"));
        end_row(t);
    }
    end_table(t);
    mem_free(list);
}

/* torch/_functorch/_activation_checkpointing/ac_logging_utils.py: the decisions of the knapsack of activation
 * checkpointing. */
static bool read_min_cut(struct writer *t, yyjson_val *json) {
    yyjson_val *nodes = json_get(json, "Joint Graph Node Information");
    if (!yyjson_is_obj(json))
        return false;
    add_numbers(t, json);
    end_facts(t);
    add_candidates(t, nodes);
    if (yyjson_arr_size(json_get(json, "Min Cut Solution Saved Values")))
        add_saved(t, json_get(json, "Min Cut Solution Saved Values"), nodes);
    return t->any;
}

/* torch/_inductor/fx_passes/profile_guided_estimation.py: estimates from a profile and from a formula. */
static bool read_profile(struct writer *t, yyjson_val *json) {
    if (!yyjson_is_obj(json))
        return false;
    add_numbers(t, json);
    end_facts(t);
    add_objects(t, json_get(json, "diagnostics"), "Estimates of nodes");
    add_objects(t, json_get(json, "op_entries"), "Profiled operations");
    return t->any;
}

/* torch/_inductor/fx_passes/fsdp.py, _collect_collective_sizes(): [{"type", "size_mb", "name"}]. */
static bool read_list(struct writer *t, yyjson_val *json) {
    end_facts(t);
    return add_objects(t, json, NULL);
}

/* "fx_compute_nodes_runtime_estimation", "fx_collectives_estimations_after_overlap_bucketing" */
static bool is_estimation(struct slice name) {
    return slice_starts(name, SLICE("fx_")) && slice_find(name, SLICE("_estimation")) != SIZE_MAX;
}

static bool is_bucket_list(struct slice name) {
    return slice_starts(name, SLICE("fx_bucketing_passes_")) && slice_ends(name, SLICE("_buckets"));
}

static bool read(struct writer *t, struct slice name, struct slice text, yyjson_val *json) {
    if (is_estimation(name))
        return read_estimations(t, text);
    if (is_bucket_list(name))
        return read_buckets(t, text);
    if (slice_is(name, "min_cut_failed_edge_list"))
        return read_edges(t, text);
    if (slice_is(name, "pre_bucketing_fsdp_collectives"))
        return read_bucketed(t, text);
    if (slice_is(name, "min_cut_information"))
        return read_min_cut(t, json);
    if (slice_is(name, "pge_profile_vs_analytical"))
        return read_profile(t, json);
    if (slice_is(name, "pre_bucketing_collective_sizes") || slice_is(name, "pre_bucketing_collective_sizes_after"))
        return read_list(t, json);
    return false;
}

bool record_tables_read(const struct table_record *record, struct buf *out) {
    AUTO_BUF own = {0};
    struct writer t = {.w = {.out = &own}};
    jsonw_object(&t.w, NULL);
    jsonw_text(&t.w, "name", record->name);
    jsonw_u64(&t.w, "line", record->line);
    jsonw_array(&t.w, "facts");
    bool found = read(&t, record->name, record->text, record->json);
    if (found) {
        jsonw_end_array(&t.w);
        jsonw_end_object(&t.w);
        buf_add(out, buf_slice(&own));
    }
    return found;
}
