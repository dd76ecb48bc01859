/* hooks/config, config_read, words: files, keys, commands, and messages about mistakes. */
#define _GNU_SOURCE
#include "support.h"

#include <limits.h>

#include "base/mem.h"
#include "hooks/config.h"
#include "hooks/words.h"

static char folder[PATH_MAX];

static void put(const char *name, const char *text) {
    char *path = mem_printf("%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    mem_free(path);
}

static void make(const char *name) {
    char *path = mem_printf("%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0777), 0);
    mem_free(path);
}

static int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tlparse-config-XXXXXX");
    assert_non_null(mkdtemp(folder));
    make("home");
    make("home/tlparse");
    make("project");
    make("project/.git");
    make("project/a");
    make("project/a/b");
    char *home = mem_printf("%s/home", folder);
    setenv("XDG_CONFIG_HOME", home, 1);
    mem_free(home);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    char *command = mem_printf("rm -rf '%s'", folder);
    int status = system(command);
    mem_free(command);
    return status;
}

static bool read_in(struct user_config *config, const char *name, struct err *err) {
    char *directory = mem_printf("%s/%s", folder, name);
    bool ok = config_read(config, directory, err);
    mem_free(directory);
    return ok;
}

static void must_read(struct user_config *config, const char *name) {
    struct err err = {0};
    if (!read_in(config, name, &err))
        fail_msg("%s", err.text);
}

/* The user's file is wrong. */
static void complains(const char *text, const char *expected, const char *hint) {
    struct user_config config;
    struct err err = {0};
    put("home/tlparse/config.json", text);
    assert_false(read_in(&config, "project", &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_has(slice_str(err.text), expected);
    assert_has(slice_str(err.text), "home/tlparse/config.json");
    assert_string_equal(err.hint, hint);
    config_finish(&config);
}

static void without_files_nothing_is_set(void **state) {
    struct user_config config;
    (void)state;
    must_read(&config, "project/a");
    assert_null(config.user.path);
    assert_null(config.project.path);
    assert_int_equal(config.fetch.count + config.parsers.count + config.warnings.count, 0);
    assert_null(config.upload);
    assert_int_equal(config.timeouts.fetch_ms, 60000);
    config_finish(&config);
}

static void reads_all_keys(void **state) {
    struct user_config config;
    (void)state;
    put("home/tlparse/config.json",
        "{\"$schema\": \"x\", \"fetch\": {\"s3\": [\"aws\", \"s3\", \"cp\", \"{url}\", \"-\"], \"gs\": \"cat "
        "'{url}'\"},\n"
        "\"upload\": \"up {path}\", \"notify\": [\"note\"], \"parsers\": {\"my_kind\": \"python3 p.py\"},\n"
        "\"timeouts_s\": {\"fetch\": 0.25, \"parsers\": 7}, \"source_link\": \"https://h/{commit}/{path}#L{line}\",\n"
        "\"source_commit\": \"v1.2\", \"source_root\": [\"/work\", \"/app/\"]}");
    must_read(&config, "project");
    char *const *s3 = config_command_of(&config.fetch, "s3"), *const *gs = config_command_of(&config.fetch, "gs");
    assert_string_equal(s3[3], "{url}");
    assert_null(s3[5]);
    assert_string_equal(gs[1], "{url}");
    assert_null(config_command_of(&config.fetch, "s"));
    assert_string_equal(config.upload[1], "{path}");
    assert_string_equal(config.notify[0], "note");
    assert_string_equal(config_command_of(&config.parsers, "my_kind")[1], "p.py");
    assert_int_equal(config.timeouts.fetch_ms, 250);
    assert_int_equal(config.timeouts.parsers_ms, 7000);
    assert_int_equal(config.timeouts.notify_ms, 10000);
    assert_string_equal(config.source_link, "https://h/{commit}/{path}#L{line}");
    assert_string_equal(config.source_commit, "v1.2");
    assert_int_equal(config.source_roots.count, 2);
    config_finish(&config);
}

static void a_project_runs_no_command(void **state) {
    struct user_config config;
    (void)state;
    put("home/tlparse/config.json", "{\"source_link\": \"https://user/{path}\", \"upload\": \"mine {path}\"}");
    put("project/.tlparse.json",
        "{\"budgets\": [{\"max\": {\"recompiles\": 3}}],\n\"source_link\": \"https://project/{path}\",\n"
        "\"source_root\": \"a\",\n\"upload\": \"rm -rf {path}\", \"fetch\": {\"s3\": \"x {url}\"}}");
    must_read(&config, "project/a/b");
    assert_string_equal(config.upload[0], "mine");
    assert_int_equal(config.fetch.count, 0);
    assert_string_equal(config.source_link, "https://project/{path}");
    assert_int_equal(config.warnings.count, 2);
    assert_has(slice_str(config.warnings.items[0]), "project/.tlparse.json:4: ignored 'upload'");
    assert_int_equal(yyjson_arr_size(config.budgets), 1);
    assert_true(slice_ends(slice_str(config.source_roots.items[0]), SLICE("/project/a")));
    config_finish(&config);
}

static void a_project_ends_at_its_repository(void **state) {
    struct user_config config;
    (void)state;
    put(".tlparse.json", "{\"source_link\": \"https://outside/{path}\"}");
    must_read(&config, "project/a"); /* not beyond the root of the repository */
    assert_null(config.project.path);
    config_finish(&config);
    put("project/a/.tlparse.json", "{\"source_link\": \"https://near/{path}\"}");
    put("project/.tlparse.json", "{\"source_link\": \"https://far/{path}\"}");
    must_read(&config, "project/a/b");
    assert_string_equal(config.source_link, "https://near/{path}");
    config_finish(&config);
    make("plain");
    must_read(&config, "plain"); /* outside of a repository, only the folder itself counts */
    assert_null(config.project.path);
    config_finish(&config);
    must_read(&config, "");
    assert_string_equal(config.source_link, "https://outside/{path}");
    config_finish(&config);
}

static void mistakes_name_file_line_and_key(void **state) {
    (void)state;
    complains("{\n\"fetch\": {},\n\"uplaod\": \"x\"}", "config.json:3: unknown key 'uplaod'", "did you mean 'upload'?");
    complains("{\"zzzzzz\": 1}", "config.json:1: unknown key 'zzzzzz'",
              "known keys: fetch, notify, parsers, source_commit, source_link, source_root, timeouts_s, upload");
    complains("{\"budgets\": {}}", "'budgets' belongs to .tlparse.json", "");
    complains("{\n\n\"fetch\": }", "config.json:3: not JSON", "");
    complains("[1]", "expected an object", "");
    complains("", "not JSON", "");
    complains("{\"fetch\": [\"a\"]}", "expected an object for 'fetch'", "");
    complains("{\"fetch\": {\"S 3\": \"a {url}\"}}", "'S 3' is not a scheme", "");
    complains("{\"fetch\": {\n\"s3\": \"cat\"}}", "config.json:2: no argument of the command of 's3' has {url}", "");
    complains("{\"fetch\": {\"s3\": \"cat '{url}\"}}", "a quote is not closed", "");
    complains("{\"fetch\": {\"s3\": []}}", "it names no program", "");
    complains("{\"fetch\": {\"s3\": [1]}}", "expected a text or an array of texts", "");
    complains("{\"fetch\": {\"s3\": [\"a\\u0000b\", \"{url}\"]}}", "expected a text or an array of texts", "");
    complains("{\"notify\": \" \"}", "it names no program", "");
    complains("{\"notify\": \"a\",\n\"notify\": \"b\"}", "config.json:2: 'notify' is given twice", "");
    complains("{\"timeouts_s\": {\"fetsch\": 1}}", "unknown key 'fetsch' in 'timeouts_s'", "did you mean 'fetch'?");
    complains("{\"timeouts_s\": {\"fetch\": 0}}", "expected seconds for 'timeouts_s.fetch'", "");
    complains("{\"source_link\": \"javascript:alert({path})\"}", "invalid 'source_link': expected an address", "");
    complains("{\"source_link\": \"https://{path}/x\"}", "expected an address", "");
    complains("{\"source_link\": \"https://host/{paht}\"}", "only {path}, {line}, {commit} and {hash}", "");
    complains("{\"source_link\": \"https://host/{line}\"}", "{path} is missing", "");
    complains("{\"source_link\": \"https://host/ {path}\"}", "an address has no spaces", "");
    complains("{\"source_commit\": \"--upload-pack=x\"}", "is not a commit", "");
}

static void splits_without_a_shell(void **state) {
    static const struct {
        const char *text, *words[6];
    } rows[] = {
        {"a b  c", {"a", "b", "c"}},
        {"  a\t'b c' \"d e\"\n", {"a", "b c", "d e"}},
        {"a x'y z'w", {"a", "xy zw"}},
        {"a '' \"\"", {"a", "", ""}},
        {"a\\ b \\'c '\\'", {"a b", "'c", "\\"}},
        {"a \"x\\\"y\" '\"'", {"a", "x\"y", "\""}},
        {"a $(b) `c` *.d; >e", {"a", "$(b)", "`c`", "*.d;", ">e"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = NULL;
        char **words = words_split(slice_str(rows[i].text), &why);
        assert_non_null(words);
        size_t n = 0;
        for (; rows[i].words[n]; n++)
            assert_string_equal(words[n], rows[i].words[n]);
        assert_null(words[n]);
        words_free(words);
    }
    const char *why = NULL;
    assert_null(words_split(SLICE("a 'b"), &why));
    assert_string_equal(why, "a quote is not closed");
    assert_null(words_split(SLICE(" \n"), &why));
    assert_null(words_split(SLICE("'' a"), &why));
}

static void a_value_stays_in_its_argument(void **state) {
    char *words[] = {(char *)"get", (char *)"--at={url}!{url}", (char *)"{path}", NULL};
    (void)state;
    char **filled = words_fill(words, "url", "s3://a b/'$(x)';\"-{url}");
    assert_string_equal(filled[0], "get");
    assert_string_equal(filled[1], "--at=s3://a b/'$(x)';\"-{url}!s3://a b/'$(x)';\"-{url}");
    assert_string_equal(filled[2], "{path}");
    assert_null(filled[3]);
    assert_true(words_have(words, "path"));
    assert_false(words_have(words, "line"));
    words_free(filled);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_files_nothing_is_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_all_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_project_runs_no_command, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_project_ends_at_its_repository, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mistakes_name_file_line_and_key, set_up, tear_down),
        cmocka_unit_test(splits_without_a_shell),
        cmocka_unit_test(a_value_stays_in_its_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
