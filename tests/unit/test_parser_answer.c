/* hooks/parser_answer, parser_json: what parsers of the user answer, what is rejected, and the limits. */
#define _GNU_SOURCE
#include "support.h"

#include "hooks/hooks.h"

static const struct slice compiles[] = {SLICE_INIT("0/0"), SLICE_INIT("0/1")};

static void take(struct parser_result *result, struct slice output) {
    struct parser_keys keys = {.items = compiles, .count = 2};
    *result = (struct parser_result){.name = "my kind/..", .records = 1};
    for (uint32_t i = 0; i < 2; i++)
        map_put(&keys.map, compiles[i], i, NULL);
    parser_answers_read(result, output, &keys);
    map_free(&keys.map);
}

static void json_is(const struct parser_result *result, const char *expected) {
    const struct parser_keys keys = {.items = compiles, .count = 2};
    struct parser_results results = {.items = (struct parser_result *)result, .count = 1};
    struct buf out = {0};
    struct jsonw w = {.out = &out};
    parser_results_write(&w, NULL, &results, &keys, true);
    assert_buf(&out, expected);
    buf_free(&out);
}

static void reads_each_form(void **state) {
    struct parser_result result;
    (void)state;
    take(&result, SLICE("{\"column\":\"A\",\"compile\":\"0/1\",\"value\":2.5}\r\n\n"
                        "{\"section\":\"S\",\"text\":\"t\"}\n{\"section\":\"S\",\"columns\":[\"x\"],\"rows\":[[1]]}\n"
                        "{\"section\":\"S\",\"columns\":[\"x\"],\"rows\":[[\"b\"]]}\n"
                        "{\"finding\":\"F\",\"severity\":\"error\",\"place\":{\"file\":\"f\"},\"compile\":null}\n"
                        "{\"link\":\"https://h/\"}\n{\"file\":\"a.html\",\"text\":\"x\",\"compile\":\"0/0\"}"));
    json_is(
        &result,
        "[{\"name\":\"my "
        "kind/..\",\"error\":null,\"columns\":[{\"title\":\"A\",\"values\":{\"0/1\":2.5}}],\"records\":1,"
        "\"sections\":[{\"title\":\"S\",\"texts\":[\"t\"],\"columns\":[\"x\"],\"rows\":[[1],[\"b\"]]}],"
        "\"findings\":[{\"title\":\"F\",\"severity\":\"error\",\"message\":null,\"advice\":null,"
        "\"place\":{\"file\":\"f\",\"line\":0,\"function\":null},\"compile\":null}],"
        "\"links\":[{\"url\":\"https://h/\",\"title\":null,\"compile\":null}],"
        "\"files\":[{\"name\":\"a.html\",\"url\":\"parsers/my kind/_/a.html.txt\",\"bytes\":1,\"compile\":\"0/0\"}],"
        "\"rejected\":0,\"example\":null,\"more\":0}]");
    parser_result_finish(&result);
}

static void rejects(const char *line, const char *why) {
    struct parser_result result;
    take(&result, slice_str(line));
    assert_int_equal(result.rejected, 1);
    char *expected = mem_printf("line 1: %s", why);
    assert_string_equal(result.example, expected);
    mem_free(expected);
    assert_int_equal(result.columns.count + result.sections.count + result.files.count, 0);
    assert_int_equal(result.links.count + result.findings.count, 0);
    parser_result_finish(&result);
}

static void rejects_what_it_does_not_know(void **state) {
    (void)state;
    rejects("hello", "it is not an object of JSON");
    rejects("{\"column\"", "it is not an object of JSON");
    rejects("[{\"column\":\"A\"}]", "it is not an object of JSON");
    rejects("{\"colum\":\"A\"}", "it has no column, section, finding, link or file");
    rejects("{\"column\":1}", "column, section, finding, link and file are texts");
    rejects("{\"column\":\"\"}", "column, section, finding, link and file are texts");
    rejects("{\"column\":\"A\",\"value\":1}", "it names no compile");
    rejects("{\"column\":\"A\",\"compile\":\"7/7\",\"value\":1}", "the report has no such compile");
    rejects("{\"column\":\"A\",\"compile\":3,\"value\":1}", "the report has no such compile");
    rejects("{\"column\":\"A\",\"compile\":\"0/0\",\"value\":true}", "\"value\" is neither a number nor a text");
    rejects("{\"section\":\"S\",\"rows\":[]}", "a section has a \"text\", or \"columns\" and \"rows\"");
    rejects("{\"section\":\"S\",\"columns\":[],\"rows\":[]}", "\"columns\" is not an array of 1 to 16 titles");
    rejects("{\"section\":\"S\",\"columns\":[\"a\"]}", "\"rows\" is not an array");
    rejects("{\"section\":\"S\",\"columns\":[\"a\"],\"rows\":[[1,2]]}",
            "a row does not have a number or a text for each column");
    rejects("{\"finding\":\"F\"}", "\"severity\" is not error, warning or info");
    rejects("{\"finding\":\"F\",\"severity\":\"info\",\"advice\":1}", "\"message\" and \"advice\" are texts");
    rejects("{\"finding\":\"F\",\"severity\":\"info\",\"place\":{\"line\":1}}",
            "\"place\" is not an object with a file, and perhaps a line and a function");
    rejects("{\"finding\":\"F\",\"severity\":\"info\",\"place\":{\"file\":\"f\",\"line\":-1}}",
            "\"place\" is not an object with a file, and perhaps a line and a function");
    rejects("{\"link\":\"javascript:alert(1)\"}", "\"link\" is not an address with http or https");
    rejects("{\"link\":\"https://a b\"}", "\"link\" is not an address with http or https");
    rejects("{\"link\":\"https://\"}", "\"link\" is not an address with http or https");
    rejects("{\"file\":\"a\"}", "a file has a \"text\"");
}

static void files_have_distinct_safe_paths(void **state) {
    struct parser_result result;
    (void)state;
    take(&result, SLICE("{\"file\":\"/etc/passwd\",\"text\":\"\"}\n{\"file\":\"..\",\"text\":\"\"}\n"
                        "{\"file\":\"a\\u0000\\n.svg\",\"text\":\"\"}\n{\"file\":\"a.json\",\"text\":\"\"}\n"
                        "{\"file\":\"a.json\",\"text\":\"\"}\n{\"file\":\"A.json\",\"text\":\"\"}\n"));
    assert_int_equal(result.files.count, 4);
    assert_int_equal(result.rejected, 2); /* some file systems ignore the case */
    assert_string_equal(result.example, "line 5: a file of this name was given before");
    for (size_t i = 0; i < result.files.count; i++) {
        struct slice url = result.files.items[i].url;
        assert_true(slice_starts(url, SLICE("parsers/my kind/")));
        assert_has_not(url, "..");
        assert_has_not(url, "\n");
        assert_true(slice_ends(url, i == 3 ? SLICE("a.json") : SLICE(".txt")));
    }
    parser_result_finish(&result);
}

static void limits_are_counted(void **state) {
    struct parser_result result;
    struct buf output = {0};
    (void)state;
    for (int i = 0; i < PARSER_COLUMNS_MAX + 3; i++)
        buf_addf(&output, "{\"column\":\"c%d\",\"compile\":\"0/0\",\"value\":1}\n", i);
    for (int i = 0; i < PARSER_SECTIONS_MAX + 2; i++)
        buf_addf(&output, "{\"section\":\"s%d\",\"text\":\"t\"}\n", i);
    for (int i = 0; i < PARSER_ITEMS_MAX + 5; i++)
        buf_add_lit(&output, "{\"link\":\"https://h/\"}\n");
    buf_add_lit(&output, "{\"section\":\"s0\",\"columns\":[\"a\"],\"rows\":[[0]");
    for (int i = 0; i < PARSER_ROWS_MAX; i++)
        buf_add_lit(&output, ",[1]");
    buf_add_lit(&output, "]}\n");
    take(&result, buf_slice(&output));
    assert_int_equal(result.columns.count, PARSER_COLUMNS_MAX);
    assert_int_equal(result.sections.count, PARSER_SECTIONS_MAX);
    assert_int_equal(result.links.count, PARSER_ITEMS_MAX);
    assert_int_equal(result.rows, 0);
    assert_int_equal(result.more, 3 + 2 + 5 + 1);
    assert_int_equal(result.rejected, 0);
    parser_result_finish(&result);
    buf_free(&output);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_each_form),
        cmocka_unit_test(rejects_what_it_does_not_know),
        cmocka_unit_test(files_have_distinct_safe_paths),
        cmocka_unit_test(limits_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
