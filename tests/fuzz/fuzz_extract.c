/* A log whose compile 0/0 becomes programs, an issue, a log of its own, and a log without names. All that is above the
 * heading "From the log" is comments, literals or a part of tlparse, whatever the log says. */
#define _GNU_SOURCE /* memfd_create */
#include "extract/clean_log.h"
#include "extract/issue.h"
#include "extract/program.h"
#include "extract/python_text.h"
#include "fuzz.h"

static const struct node *no_nodes(const struct record *record, struct arena *arena) {
    (void)record;
    (void)arena;
    return NULL;
}

/* A log: its records, and the bytes from which they are cut. Decoding modifies bytes. */
struct log {
    struct buf bytes, raw;
    struct arena arena;
    struct records records;
};

static void log_read(struct log *log, struct slice text) {
    buf_add(&log->bytes, text);
    buf_add(&log->raw, text);
    decode_block(buf_slice(&log->bytes), &log->arena, no_nodes, &log->records);
}

static void log_free(struct log *log) {
    buf_free(&log->bytes);
    buf_free(&log->raw);
    records_finish(&log->records);
    arena_free(&log->arena);
}

/* The bytes of the record, as cmd/extract_input.c finds them. */
static struct slice raw_of(const struct log *log, const struct record *record) {
    size_t start = (size_t)(record->glog.rest.ptr - log->bytes.ptr);
    while (start && log->raw.ptr[start - 1] != '\n')
        start--;
    return slice_first(slice_from(buf_slice(&log->raw), start), record->log_bytes);
}

static void read_compile(struct compile_records *records, const struct log *log) {
    MUST(compile_wanted_parse(SLICE("0/0"), &records->wanted));
    records->keeps_log = true;
    for (size_t i = 0; i < log->records.count; i++)
        compile_records_add(records, &log->records.items[i], raw_of(log, &log->records.items[i]));
}

/* Whether each record begins its line. Else what is before it, such as the end of another record, decides what it belongs to. */
static bool begins_lines(const struct log *log) {
    for (size_t i = 0; i < log->records.count; i++)
        if (!slice_starts(raw_of(log, &log->records.items[i]), SLICE("V")))
            return false;
    return true;
}

static bool is_data(struct slice line) {
    static const struct slice starts[] = {SLICE_INIT("PROGRAM = {"), SLICE_INIT("}"),         SLICE_INIT("    \""),
                                          SLICE_INIT("        \""),  SLICE_INIT("        ("), SLICE_INIT("    ]"),
                                          SLICE_INIT("    }")};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (slice_starts(line, starts[i]))
            return true;
    return !line.len;
}

/* Comments, then a dict, up to tlparse's own part; one end. */
static void check_program(struct slice text) {
    struct slice line, rest = text;
    enum { COMMENTS, DATA, OWN, LOG, END } part = COMMENTS;
    while (slice_next_line(&rest, &line)) {
        if (slice_starts(line, SLICE(PYTHON_HEADING)))
            part++;
        else if (part == COMMENTS)
            MUST(!line.len || line.ptr[0] == '#');
        else if (part == DATA)
            MUST(is_data(line));
        MUST(part <= END && !memchr(line.ptr, '\r', line.len));
    }
    MUST(part == END);
}

static void write_programs(const struct compile_records *records, struct slice kernel) {
    static const enum program_mode modes[] = {PROGRAM_RUN, PROGRAM_MINIFY};
    for (size_t i = 0; i < 3; i++) {
        struct program_request request = {.source = "a.log",
                                          .compile = SLICE("0/0"),
                                          .backward = i == 1,
                                          .mode = modes[i & 1]};
        struct program_result result = {0};
        struct err err = {0};
        struct buf text = {0};
        if (i == 2)
            request.kernel = kernel;
        if (program_add(&text, records, &request, &result, &err))
            check_program(buf_slice(&text));
        buf_free(&text);
    }
}

static void write_issue(const struct compile_records *records) {
    struct program_request request = {.source = "a.log", .compile = SLICE("0/0")};
    struct program_result result = {0};
    struct buf text = {0};
    issue_add(&text, records, &request, &result);
    MUST(text.len <= ISSUE_BYTES + 512);
    buf_free(&text);
}

/* As many records as could be read are left. */
static void write_clean(const struct log *log) {
    struct clean_log clean;
    struct buf text = {0};
    struct log again = {0};
    clean_log_begin(&clean);
    for (size_t i = 0; i < log->records.count; i++)
        clean_log_learn(&clean, &log->records.items[i]);
    for (size_t i = 0; i < log->records.count; i++)
        clean_log_add(&clean, &log->records.items[i], &text);
    log_read(&again, buf_slice(&text));
    MUST(again.records.count + clean.unreadable == log->records.count);
    log_free(&again);
    clean_log_finish(&clean);
    buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct log log = {0}, own = {0};
    struct compile_records records = {0}, small = {0};
    log_read(&log, (struct slice){(const char *)data, size});
    read_compile(&records, &log);
    write_programs(&records, SLICE("cpp_fused_add_0"));
    write_issue(&records);
    write_clean(&log);
    /* The log of the compile has the compile. */
    log_read(&own, buf_slice(&records.log));
    read_compile(&small, &own);
    MUST(!begins_lines(&log) || (small.number == records.number && small.programs.count == records.programs.count &&
                                 small.graphs.count == records.graphs.count));
    compile_records_finish(&small);
    compile_records_finish(&records);
    log_free(&own);
    log_free(&log);
    return 0;
}
