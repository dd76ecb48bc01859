/* facts/facts_file, facts/facts_unpack, ranks/merge_facts and base/packed: facts of logs in files, and the report from them. */
#define _GNU_SOURCE
#include "ranks_run.h"

#include <inttypes.h>
#include <zstd.h>

#include "base/packed.h"
#include "facts/fact_shapes.h"
#include "facts/facts_file.h"
#include "facts/facts_lines.h"
#include "ranks/merge_facts.h"
#include "sink/sinks.h"
#include "unpack.h"

static void numbers_are_packed(void **state) {
    static const int64_t numbers[] = {0, 1, -1, 63, 64, -64, -65, 127, 128, 1000000, INT64_MAX, INT64_MIN};
    unsigned char bytes[sizeof numbers / sizeof *numbers * PACKED_BYTES_MAX], *end = bytes;
    const unsigned char *from = bytes;
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        end = pack_i64(end, numbers[i]);
    assert_int_equal(pack_i64(bytes, 63) - bytes, 1);
    assert_int_equal(pack_i64(bytes, 64) - bytes, 2);
    end = bytes;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        end = pack_i64(end, numbers[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(unpack_i64(&from) == numbers[i]);
    assert_ptr_equal(from, end);
}

/* The members of a compile that the JSON has, or NULL if it is invalid. */
static struct rank_compile *compile_of(const char *json, struct arena *arena) {
    struct rank_compile *compile = arena_zalloc(arena, sizeof *compile);
    struct slice text = slice_str(json);
    yyjson_val *root;
    assert_int_equal(json_read(&text, JSON_NUMBERS, arena, &root), JSON_STRICT);
    return fact_fields_read(root, &fact_compile_shape, compile, arena) ? compile : NULL;
}

static void members_are_written_and_read(void **state) {
    static const enum cache_outcome outcomes[] = {OUTCOME_HIT, OUTCOME_BYPASS};
    const struct rank_compile compile = {.id = SLICE("0/1"),
                                         .match = SLICE("0/1"),
                                         .slot = slice_make("f 1\0"
                                                            "2",
                                                            5),
                                         .label = SLICE(""),
                                         .place = {SLICE("/a.py"), SLICE("f"), 3},
                                         .open = true,
                                         .status = STATUS_ERROR,
                                         .ops = -1,
                                         .graph_hash = UINT64_MAX,
                                         .cache = {outcomes, 2}};
    struct arena arena = {0};
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    (void)state;
    jsonw_object(&w, NULL);
    fact_fields_write(&w, &fact_compile_shape, &compile);
    jsonw_end_object(&w);
    buf_add_byte(&json, 0);
    const struct rank_compile *read = compile_of(json.ptr, &arena);
    assert_non_null(read);
    assert_slice(read->id, "0/1");
    assert_slices(read->slot, compile.slot);
    assert_true(read->label.ptr && !read->label.len); /* an empty text is not a missing one */
    assert_null(read->frame.ptr);
    assert_slice(read->place.function, "f");
    assert_int_equal(read->place.line, 3);
    assert_null(read->user.file.ptr);
    assert_true(read->open && read->status == STATUS_ERROR && read->ops == -1 && read->graph_hash == UINT64_MAX);
    assert_int_equal(read->cache.count, 2);
    assert_int_equal(read->cache.items[1], OUTCOME_BYPASS);
    buf_free(&json);
    arena_free(&arena);
}

/* The finding that the JSON has, or NULL if it is invalid. */
static struct rank_finding *finding_of(const char *json, struct arena *arena) {
    struct rank_finding *finding = arena_zalloc(arena, sizeof *finding);
    struct slice text = slice_str(json);
    yyjson_val *root;
    assert_int_equal(json_read(&text, JSON_NUMBERS, arena, &root), JSON_STRICT);
    return fact_fields_read(root, &fact_finding_shape, finding, arena) ? finding : NULL;
}

/* A kind that is added between others does not change what a file means. */
static void kinds_are_stored_by_name(void **state) {
    const struct rank_finding finding = {.kind = FINDING_GRAPH_BREAK,
                                         .severity = SEVERITY_ERROR,
                                         .impact = IMPACT_STOPS,
                                         .cost = COST_RUN_TIME,
                                         .title = SLICE("Graph break")};
    struct arena arena = {0};
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    (void)state;
    jsonw_object(&w, NULL);
    fact_fields_write(&w, &fact_finding_shape, &finding);
    jsonw_end_object(&w);
    buf_add_byte(&json, 0);
    assert_non_null(strstr(json.ptr, "\"kind\":\"graph_break\""));
    assert_non_null(strstr(json.ptr, "\"severity\":\"error\"")); /* the first one, too */
    const struct rank_finding *read = finding_of(json.ptr, &arena);
    assert_non_null(read);
    assert_int_equal(read->kind, FINDING_GRAPH_BREAK);
    assert_true(read->severity == SEVERITY_ERROR && read->impact == IMPACT_STOPS && read->cost == COST_RUN_TIME);
    read = finding_of("{\"kind\": 1, \"severity\": 2, \"title\": \"t\"}", &arena); /* older files have numbers */
    assert_non_null(read);
    assert_int_equal(read->kind, 1);
    assert_int_equal(read->severity, 2);
    assert_null(finding_of("{\"kind\": \"of_a_later_version\", \"title\": \"t\"}", &arena));
    assert_null(finding_of("{\"kind\": 4096, \"title\": \"t\"}", &arena));
    buf_free(&json);
    arena_free(&arena);
}

static void invalid_members_are_refused(void **state) {
    static const char *const invalid[] = {
        "[]",
        "{\"id\":1}",
        "{\"open\":1}",
        "{\"status\":99}",
        "{\"status\":-1}",
        "{\"ops\":1.5}",
        "{\"ops\":9007199254740993}",
        "{\"reasons\":-1}",
        "{\"place\":[]}",
        "{\"place\":{\"line\":-1}}",
        "{\"cache\":{}}",
        "{\"cache\":[5]}",
        "{\"graph_hash\":1e5}",
    };
    struct arena arena = {0};
    (void)state;
    assert_non_null(compile_of("{\"ops\":9007199254740992,\"unknown\":[]}", &arena));
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
        if (compile_of(invalid[i], &arena))
            fail_msg("%s", invalid[i]);
    arena_free(&arena);
}

static void times_have_a_limit(void **state) {
    struct rank_track track = {0};
    struct rank_timeline timeline = {0};
    struct arena arena = {0};
    struct slice text = SLICE("{\"tracks\":[{\"busy_us\":9000000000000000000,\"pid\":\"0\"},{\"pid\":\"[1, \"}]}");
    yyjson_val *root;
    (void)state, (void)track;
    assert_int_equal(json_read(&text, JSON_NUMBERS, &arena, &root), JSON_STRICT);
    assert_false(fact_fields_read(root, &fact_timeline_shape, &timeline, &arena)); /* a pid must be JSON */
    text = SLICE("{\"tracks\":[{\"busy_us\":9000000000000000000,\"pid\":\"0\"}]}");
    assert_int_equal(json_read(&text, JSON_NUMBERS, &arena, &root), JSON_STRICT);
    assert_true(fact_fields_read(root, &fact_timeline_shape, &timeline, &arena));
    assert_true(timeline.tracks.items[0].busy_us == FACT_TIME_MAX); /* sums of them do not overflow */
    arena_free(&arena);
}

/* ---- files ---- */

/* A log of a rank with two compiles, the second of which has `ops` operations. */
static void save_rank(unsigned rank, unsigned ops, const char *name) {
    struct buf log = {0};
    for (unsigned id = 0; id < 2; id++) {
        buf_addf(&log,
                 PREFIX
                 "{\"dynamo_start\": {\"stack\": [{\"line\": %u, \"name\": \"f%u\", \"filename\": 0, \"loc\": \"\"}]}, "
                 "\"rank\": %u, \"frame_id\": %u, \"frame_compile_id\": 0, \"attempt\": 0}\n",
                 10 + id, id, rank, id);
        buf_addf(
            &log,
            PREFIX
            "{\"compilation_metrics\": {\"co_name\": \"f%u\", \"co_filename\": \"/a.py\", "
            "\"co_firstlineno\": %u, \"graph_op_count\": %u, \"start_time\": 100.0, \"entire_frame_compile_time_s\": "
            "%u.5, \"fail_type\": null}, \"rank\": %u, \"frame_id\": %u, \"frame_compile_id\": 0, \"attempt\": 0}\n",
            id, 10 + id, id ? ops : 3, 1 + rank, rank, id);
    }
    save_log(&log, name);
}

static bool keep(void *context, struct slice bytes) {
    buf_add(context, bytes);
    return true;
}

static bool refuse(void *context, struct slice bytes) {
    (void)context, (void)bytes;
    return false;
}

/* The facts of logs scratch/first, … as a file scratch/name, made at a time. */
static void save_facts(unsigned first, unsigned count, int64_t made_us, const char *name) {
    struct ranks_log logs[8];
    char paths[8][300], text[8];
    struct buf bytes = {0};
    const struct ranks_facts_out out = {{SLICE("host"), made_us, NULL}, keep, &bytes};
    const struct ranks_watcher watcher = {0};
    struct pipeline_result result = {0};
    struct err err = {0};
    for (unsigned i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%u", first + i);
        snprintf(paths[i], sizeof paths[i], "%s", scratch_path(text));
        logs[i] = (struct ranks_log){.path = paths[i], .has_rank = true, .rank = first + i};
    }
    const struct ranks_request request = {logs, count, {.workers = 0}, 0};
    if (!ranks_facts(&request, &out, &watcher, &result, &err))
        fail_msg("%s", err.text);
    pipeline_result_finish(&result);
    save_log(&bytes, name);
}

struct told {
    struct buf text;
};

static void on_fault(void *context, const char *path, const char *kind, uint64_t line, struct slice detail) {
    struct told *told = context;
    (void)line;
    buf_addf(&told->text, "%s: %s: %.*s\n", strrchr(path, '/') + 1, kind, SLICE_ARG(detail));
}

/* report.json of the merged files; NULL: there is no report. The caller frees it. */
static char *merged(const char *const *names, size_t count, unsigned workers, struct merge_result *result,
                    struct told *told) {
    char paths[8][300];
    const char *list[8];
    const struct ranks_watcher watcher = {.context = told, .fault = on_fault};
    struct err err = {0};
    struct memory_file *files;
    char *json = NULL;
    for (size_t i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", scratch_path(names[i]));
        list[i] = paths[i];
    }
    const struct merge_request request = {.paths = list,
                                          .count = count,
                                          .options = {.workers = workers},
                                          .full = MERGE_FULL_NONE};
    struct sink *sink = memory_sink_create();
    *result = (struct merge_result){0};
    if (ranks_merge(&request, sink, &watcher, result, &err)) {
        size_t file_count = memory_sink_list(sink, &files);
        for (size_t i = 0; i < file_count; i++)
            if (slice_is(files[i].path, "report.json"))
                json = strndup(files[i].content.ptr, files[i].content.len);
        mem_free(files);
        assert_non_null(json);
    } else {
        buf_addf(&told->text, "%s\n", err.text);
    }
    pipeline_result_finish(&result->total);
    sink_destroy(sink);
    return json;
}

static void save_ranks(unsigned count) {
    char name[12];
    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%u", i);
        save_rank(i, i == 2 ? 9 : 5, name);
    }
}

/* Without what only a report from facts has. */
static void check_same(const char *json, yyjson_doc *doc) {
    yyjson_doc *facts = yyjson_read(json, strlen(json), 0);
    assert_non_null(facts);
    yyjson_mut_doc *copy = yyjson_doc_mut_copy(facts, NULL);
    yyjson_mut_val *ranks = yyjson_mut_obj_get(yyjson_mut_doc_get_root(copy), "ranks"), *rank;
    yyjson_mut_arr_iter iter = yyjson_mut_arr_iter_with(ranks);
    while ((rank = yyjson_mut_arr_iter_next(&iter)))
        assert_non_null(yyjson_mut_obj_remove_key(rank, "elsewhere"));
    char *one = yyjson_mut_write(copy, 0, NULL), *other = yyjson_write(doc, 0, NULL);
    assert_string_equal(one, other);
    free(one);
    free(other);
    yyjson_mut_doc_free(copy);
    yyjson_doc_free(facts);
}

static void merged_facts_make_the_report_of_the_logs(void **state) {
    static const char *const orders[][2] = {{"a.facts", "b.facts"}, {"b.facts", "a.facts"}};
    struct merge_result result;
    struct told told = {0};
    char *first = NULL;
    (void)state;
    save_ranks(4);
    save_facts(0, 2, 1000, "a.facts");
    save_facts(2, 2, 2000, "b.facts");
    yyjson_doc *doc = report_of_sides(4, true, 2, 0);
    for (unsigned i = 0; i < 4; i++) {
        char *json = merged(orders[i % 2], 2, i / 2 * 3, &result, &told);
        assert_non_null(json);
        check_same(json, doc);
        assert_int_equal(result.logs, 4);
        assert_int_equal(result.files, 2);
        assert_int_equal(result.files_unread + result.repeated, 0);
        if (first)
            assert_string_equal(first, json);
        else
            first = strdup(json);
        free(json);
    }
    assert_int_equal(told.text.len, 0);
    free(first);
    yyjson_doc_free(doc);
}

static void the_last_facts_of_a_log_count(void **state) {
    static const char *const names[] = {"new.facts", "old.facts", "new.facts"};
    struct merge_result result;
    struct told told = {0};
    (void)state;
    save_ranks(2);
    save_facts(0, 2, 1000, "old.facts");
    save_rank(8, 5, "1"); /* takes longer; the name of the file says its rank */
    save_facts(0, 2, 2000, "new.facts");
    for (size_t i = 0; i < 2; i++) {
        char *json = merged(names + i, 2, 1, &result, &told);
        assert_non_null(json);
        yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
        assert_non_null(doc);
        assert_int_equal(yyjson_get_int(yyjson_doc_ptr_get(doc, "/ranks/1/time_us")), 2 * 9500000);
        yyjson_doc_free(doc);
        assert_int_equal(result.logs, 2);
        assert_int_equal(result.repeated, 2);
        free(json);
    }
    buf_free(&told.text);
}

/* Reads scratch/name, which is one frame of zstd, as a text. */
static struct buf text_of(const char *name) {
    struct buf packed = read_file(AT_FDCWD, scratch_path(name)), text = unpack_zstd(buf_slice(&packed));
    buf_free(&packed);
    return text;
}

static void what_was_read_of_a_file_counts(void **state) {
    static const char *const names[] = {"cut.facts", "other.facts"};
    struct merge_result result;
    struct told told = {0};
    (void)state;
    save_ranks(3);
    save_facts(0, 2, 1000, "whole.facts");
    save_facts(2, 1, 1000, "other.facts");
    struct buf whole = text_of("whole.facts");
    size_t seen[3] = {0};
    for (size_t len = 0; len < whole.len; len += 1 + len / 20) {
        struct buf cut = {0};
        told.text.len = 0;
        buf_add(&cut, slice_first(buf_slice(&whole), len));
        save_log(&cut, "cut.facts");
        char *json = merged(names, 2, 1, &result, &told);
        assert_non_null(json);
        assert_int_equal(result.files_unread, 1);
        assert_true(result.logs >= 1 && result.logs <= 3);
        assert_has(buf_slice(&told.text), result.logs > 1 ? "cut.facts: read a part of these facts: line "
                                                          : "cut.facts: skipped these facts: ");
        seen[result.logs - 1]++;
        yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
        assert_non_null(doc);
        assert_int_equal(yyjson_get_int(yyjson_doc_ptr_get(doc, "/log/missing_inputs")), 1);
        yyjson_doc_free(doc);
        free(json);
    }
    assert_true(seen[0] && seen[1]);
    buf_free(&whole);
    buf_free(&told.text);
}

static void other_files_are_refused(void **state) {
    static const struct {
        const char *text, *said;
    } files[] = {
        {"", "line 1: the file ends early"},
        {"{}\n", "this is not a facts file"},
        {"V1206 15:18:15.925000 1 torch/a.py:1] {}\n", "this is not a facts file"},
        {"{\"tlparse_facts\":2,\"made_by\":\"tlparse 9.9\"}\n",
         "version 2 of facts, made by tlparse 9.9; this tlparse reads version 1"},
        {"{\"tlparse_facts\":1}\n{\"log\":{}}\n{\"logs\":1}\n", "line 2: invalid facts of a log"},
        {"{\"tlparse_facts\":1}\n[\"0123456789abcdef\",\"order\",{}]\n", "line 2: invalid definition"},
        {"{\"tlparse_facts\":1}\n{\"logs\":0}\n", "no log has facts in"},
        {"{\"tlparse_facts\":1}\n\n", "line 2: invalid JSON"},
    };
    static const char *const names[] = {"other.facts"};
    struct merge_result result;
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct told told = {0};
        struct buf text = {0};
        buf_add_str(&text, files[i].text);
        save_log(&text, "other.facts");
        assert_null(merged(names, 1, 0, &result, &told));
        assert_has(buf_slice(&told.text), files[i].said);
        buf_free(&told.text);
    }
    struct told told = {0};
    static const char *const missing[] = {"missing.facts"};
    assert_null(merged(missing, 1, 0, &result, &told));
    assert_has(buf_slice(&told.text), "missing.facts: skipped these facts: ");
    buf_free(&told.text);
}

/* A definition that several logs have in common is in the file once. */
static void common_facts_are_stored_once(void **state) {
    (void)state;
    save_ranks(4);
    save_facts(0, 4, 1000, "all.facts");
    struct buf text = text_of("all.facts");
    size_t compiles = 0, logs = 0;
    struct slice rest = buf_slice(&text), line;
    while (slice_next_line(&rest, &line)) {
        compiles += slice_find(slice_first(line, 40), SLICE("\"compile\"")) != SIZE_MAX;
        logs += slice_starts(line, SLICE("{\"log\":"));
    }
    assert_int_equal(logs, 4);
    assert_int_equal(compiles, 3); /* f0, f1 with five and with nine operations */
    buf_free(&text);
}

static void a_write_may_fail(void **state) {
    const struct ranks_facts_out out = {{SLICE("host"), 1, NULL}, refuse, NULL};
    const struct ranks_watcher watcher = {0};
    struct pipeline_result result = {0};
    struct err err = {0};
    char path[300];
    (void)state;
    save_ranks(1);
    snprintf(path, sizeof path, "%s", scratch_path("0"));
    const struct ranks_log log = {.path = path, .has_rank = true, .rank = 0};
    const struct ranks_request request = {&log, 1, {.workers = 0}, 0};
    assert_false(ranks_facts(&request, &out, &watcher, &result, &err));
    pipeline_result_finish(&result);
}

/* Adds a frame, with or without the size of its text. */
static void add_frame(struct buf *file, const char *text, bool sized) {
    enum { ROOM = 256 };
    ZSTD_CCtx *with = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(with, ZSTD_c_contentSizeFlag, sized);
    size_t len = ZSTD_compress2(with, buf_reserve(file, ROOM), ROOM, text, strlen(text));
    assert_false(ZSTD_isError(len));
    file->len += len;
    ZSTD_freeCCtx(with);
}

static void files_are_unpacked_in_order(void **state) {
    enum { WHOLE, JOINED, PLAIN, CUT, UNSIZED, DAMAGED, BOMB, MISSING, LAST, FILES };
    static const char text[] = "first line\nsecond line\n";
    static char bomb[1 << 20]; /* packed, it has less than 100 bytes */
    struct buf files[FILES] = {0};
    char paths[FILES][300];
    const char *list[FILES];
    (void)state;
    memset(bomb, ' ', sizeof bomb - 1);
    for (int i = 0; i < FILES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.zst", i);
        list[i] = strcpy(paths[i], scratch_path(name));
        if (i == PLAIN)
            buf_add_str(&files[i], text);
        else
            add_frame(&files[i], text, i != UNSIZED);
        if (i == JOINED)
            add_frame(&files[i], "third line\n", true);
        if (i == BOMB)
            add_frame(&files[i], bomb, true);
        if (i == CUT)
            files[i].len--;
        if (i == DAMAGED)
            files[i].ptr[0] ^= 1;
        if (i != MISSING)
            save_log(&files[i], name);
        else
            buf_free(&files[i]);
    }
    for (unsigned workers = 0; workers < 4; workers++) {
        struct unpacker *unpacker = unpacker_create(list, FILES, workers);
        for (int i = 0; i < FILES; i++) {
            struct slice found = unpacker_next(unpacker);
            if (i == WHOLE || i == LAST)
                assert_slice(found, text);
            else if (i == JOINED)
                assert_slice(found, "first line\nsecond line\nthird line\n");
            else
                assert_null(found.ptr);
        }
        unpacker_destroy(unpacker);
        unpacker_destroy(unpacker_create(list, FILES, workers)); /* without reading */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_packed),
        cmocka_unit_test(members_are_written_and_read),
        cmocka_unit_test(kinds_are_stored_by_name),
        cmocka_unit_test(invalid_members_are_refused),
        cmocka_unit_test(times_have_a_limit),
        cmocka_unit_test(merged_facts_make_the_report_of_the_logs),
        cmocka_unit_test(the_last_facts_of_a_log_count),
        cmocka_unit_test(what_was_read_of_a_file_counts),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(common_facts_are_stored_once),
        cmocka_unit_test(a_write_may_fail),
        cmocka_unit_test(files_are_unpacked_in_order),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
