/* Any text as the configuration of a project (first byte 0) and as what a parser of the user answers: a project runs no
 * command and chooses no scheme, and what a parser adds is valid JSON with safe addresses and paths. */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <string.h>

#include "fuzz.h"
#include "hooks/config.h"
#include "hooks/hooks.h"

static void read_project(struct slice text) {
    char folder[] = "/tmp/tlparse-fuzz-XXXXXX";
    MUST(mkdtemp(folder));
    char *path = mem_printf("%s/.tlparse.json", folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    MUST(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    close(fd);
    struct user_config config;
    struct err err = {0};
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    if (config_read(&config, folder, &err)) {
        MUST(!config.source_link || !source_template_complaint(slice_str(config.source_link)));
        MUST(!config.source_commit || source_commit_is_good(slice_str(config.source_commit)));
    } else {
        MUST(err.code == ERR_USAGE && strstr(err.text, ".tlparse.json"));
    }
    MUST(!config.fetch.count && !config.parsers.count && !config.upload && !config.notify);
    config_finish(&config);
    unlink(path);
    rmdir(folder);
    mem_free(path);
}

static void read_answers(struct slice text) {
    static const struct slice list[] = {SLICE_INIT("0/0"), SLICE_INIT("0/1")};
    struct parser_keys keys = {.items = list, .count = 2};
    struct parser_result result = {.name = "../a"};
    struct parser_results results = {.items = &result, .count = 1};
    for (uint32_t i = 0; i < 2; i++)
        map_put(&keys.map, list[i], i, NULL);
    parser_answers_read(&result, text, &keys);
    MUST(!result.rejected == !result.example);
    for (size_t i = 0; i < result.files.count; i++) {
        MUST(slice_starts(result.files.items[i].url, SLICE("parsers/")));
        MUST(slice_find(result.files.items[i].url, SLICE("/../")) == SIZE_MAX);
    }
    for (size_t i = 0; i < result.links.count; i++)
        MUST(slice_starts(json_get_text(result.links.items[i].value, "link"), SLICE("http")));
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    parser_results_write(&w, NULL, &results, &keys, true);
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
    MUST(doc);
    yyjson_doc_free(doc);
    buf_free(&json);
    map_free(&keys.map);
    parser_result_finish(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice text = {(const char *)data + 1, size - 1};
    if (data[0] == 0)
        read_project(text);
    else
        read_answers(text);
    return 0;
}
