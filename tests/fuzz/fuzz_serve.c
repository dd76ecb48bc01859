/* What a client sends: the first byte selects the header, the rest is its text. Targets never leave the report, ranges never
 * leave the file. */
#define _GNU_SOURCE /* memfd_create */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "fuzz.h"
#include "serve/conditions.h"
#include "serve/host.h"
#include "serve/range.h"
#include "serve/target.h"

static void check_target(struct slice text) {
    struct target target;
    if (target_parse(text, &target) == TARGET_PATH) {
        struct slice path = buf_slice(&target.path), rest = path;
        MUST(!path.len || !memchr(path.ptr, 0, path.len));
        MUST(utf8_valid_len(path) == path.len);
        MUST(!target.path.ptr || !target.path.ptr[path.len]);
        while (rest.len) {
            const char *slash = memchr(rest.ptr, '/', rest.len);
            struct slice part = slice_first(rest, slash ? (size_t)(slash - rest.ptr) : rest.len);
            MUST(part.len && part.ptr[0] != '.');
            MUST(!slash || part.len + 1 < rest.len); /* no slash at the end */
            rest = slice_from(rest, part.len + (slash ? 1 : 0));
        }
        MUST(fuzz_inside(target.query, text) && fuzz_inside(target.authority, text));
    }
    target_finish(&target);
}

static void check_range(struct slice text, uint64_t bytes) {
    struct range range;
    enum range_kind kind = range_parse(text, bytes, &range);
    MUST(kind != RANGE_ALL || (range.first == 0 && range.bytes == bytes));
    MUST(kind != RANGE_PART || (range.bytes && range.first < bytes && range.bytes <= bytes - range.first));
}

static void check_conditions(struct slice text, unsigned which) {
    struct validator validator;
    struct stat st = {.st_ino = 7, .st_size = 1000, .st_mtime = 784111777};
    validator_init(&validator, &st);
    struct conditions given = {0};
    struct slice *const headers[] = {&given.if_match, &given.if_none_match, &given.if_modified_since,
                                     &given.if_unmodified_since, &given.if_range};
    *headers[which % 5] = text;
    enum conditions_result result = conditions_check(&given, &validator);
    MUST(result == CONDITIONS_SEND || result == CONDITIONS_NOT_MODIFIED || result == CONDITIONS_FAILED);
    conditions_range_stands(&given, &validator);
    time_t time_s;
    char date[CONDITIONS_DATE_BYTES];
    if (!conditions_read_date(text, &time_s))
        return;
    conditions_add_date(date, time_s);
    time_t again;
    MUST(conditions_read_date(slice_str(date), &again) && again == time_s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice text = {(const char *)data + 1, size - 1};
    struct host_rule rule = {.port = 8000,
                             .given = SLICE("example.org"),
                             .machine = SLICE("box"),
                             .any_address = data[0] & 8};
    switch (data[0] & 3) {
    case 0:
        check_target(text);
        break;
    case 1:
        check_range(text, (uint64_t)data[0] * data[0] * data[0]);
        break;
    case 2:
        check_conditions(text, data[0] >> 4);
        break;
    default:
        host_is_ours(&rule, text);
    }
    return 0;
}
