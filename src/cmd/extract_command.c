#include "cmd/commands.h"
#include "cmd/extract_input.h"
#include "cmd/messages.h"
#include "cmd/whole_file.h"
#include "extract/clean_log.h"
#include "extract/issue.h"

/* The most that --anonymous writes: all of it is in memory. */
#define CLEAN_BYTES (UINT64_C(4) << 30)

struct extract {
    const struct options *options;
    struct extract_input input;
    struct compile_records records;
    struct buf id; /* of the compile, as text */
};

/* ---- the call --------------------------------------------------------------------------------------------------- */

static bool check_call(const struct options *options, struct err *err) {
    bool program[] = {options->check, options->bench, options->minify, options->ablate != NULL};
    bool other[] = {options->issue, options->log_only, options->anonymous};
    size_t programs = 0, others = 0;
    for (size_t i = 0; i < sizeof program / sizeof *program; i++)
        programs += program[i];
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        others += other[i];
    if (programs > 1)
        return err_set(err, ERR_USAGE, "choose one of --check, --bench, --ablate and --minify");
    if (others > 1)
        return err_set(err, ERR_USAGE, "choose one of --issue, --log and --anonymous");
    if ((options->log_only || options->anonymous) &&
        (programs || options->kernel || options->backward || options->part.given))
        return err_set(err, ERR_USAGE, "%s writes a log: it takes no option for a program",
                       options->log_only ? "--log" : "--anonymous");
    if (options->kernel && programs && !options->bench)
        return err_set(err, ERR_USAGE, "a kernel can only be run: --kernel takes --bench, but none of the others");
    if (options->kernel && options->issue)
        return err_set(err, ERR_USAGE, "--issue is for a graph: it does not take --kernel");
    if (options->part.given && !options->part.value)
        return err_set(err, ERR_USAGE, "parts are counted from 1");
    return !options->out || whole_file_check(options->out, options->overwrite, err);
}

static enum program_mode mode_of(const struct options *options) {
    return options->check  ? PROGRAM_CHECK
         : options->bench  ? PROGRAM_BENCH
         : options->ablate ? PROGRAM_ABLATE
         : options->minify ? PROGRAM_MINIFY
                           : PROGRAM_RUN;
}

/* ---- the records ------------------------------------------------------------------------------------------------ */

static bool add_record(void *context, const struct record *record, struct slice raw, struct err *err) {
    (void)err;
    compile_records_add(context, record, raw);
    return true;
}

static bool several(const struct extract *extract, struct err *err) {
    AUTO_BUF have = {0};
    const struct compile_records *records = &extract->records;
    if (!records->ids.count && records->without_id)
        return err_set(err, ERR_INPUT,
                       "%s: its graphs have no compile id, as those of export and AOTInductor: they cannot be "
                       "extracted",
                       extract->input.name);
    if (!records->ids.count)
        return err_set(err, ERR_INPUT, "%s has no compile with a graph", extract->input.name);
    for (size_t i = 0; i < records->ids.count; i++) {
        if (i)
            buf_add_lit(&have, ", ");
        buf_add(&have, records->ids.items[i]);
    }
    if (records->more_ids)
        buf_add_lit(&have, ", …");
    return err_set(err, ERR_USAGE, "%s has several compiles with graphs: name one of %.*s", extract->input.name,
                   SLICE_ARG(buf_slice(&have)));
}

static bool read_records(struct extract *extract, struct err *err) {
    return extract_input_read(&extract->input, add_record, &extract->records, err);
}

/* Which compile: that of the call, or the only one with a graph. */
static bool choose_compile(struct extract *extract, struct err *err) {
    struct compile_wanted wanted = {.generation = 1};
    if (extract->input.compile.len) {
        compile_wanted_parse(extract->input.compile, &wanted);
        buf_add(&extract->id, extract->input.compile);
    } else if (extract->input.once) {
        return err_set(err, ERR_USAGE, "name a compile, such as 0/0: standard input can be read only once");
    } else {
        if (!read_records(extract, err))
            return false;
        if (extract->records.ids.count != 1 || extract->records.more_ids)
            return several(extract, err);
        buf_add(&extract->id, extract->records.ids.items[0]);
        compile_records_finish(&extract->records);
        wanted.id = buf_slice(&extract->id);
    }
    extract->records = (struct compile_records){.wanted = wanted, .keeps_log = extract->records.keeps_log};
    return true;
}

static void say(struct buf *line) {
    buf_add_byte(line, '\0');
    messages_print(stderr, line->ptr);
    line->len = 0;
}

static bool read_compile(struct extract *extract, struct err *err) {
    struct compile_records *records = &extract->records;
    AUTO_BUF line = {0};
    if (!choose_compile(extract, err) || !read_records(extract, err))
        return false;
    if (!records->number)
        return records->ids.count ? err_set(err, ERR_INPUT, "%s has no compile %.*s", extract->input.name,
                                            SLICE_ARG(buf_slice(&extract->id)))
                                  : several(extract, err);
    if (records->is_in_others) {
        BUF_ADD(&line, "several processes have a compile ", buf_slice(&extract->id), ": this is that of process ",
                records->process);
        say(&line);
    }
    if (records->is_cut) {
        buf_add_lit(&line, "the records of the compile are too large: some are left out");
        say(&line);
    }
    return true;
}

/* ---- what is written -------------------------------------------------------------------------------------------- */

static bool save(const struct extract *extract, struct slice text, struct err *err) {
    const struct options *options = extract->options;
    return whole_file_save(options->out ? options->out : "-", options->overwrite, text, err);
}

static void say_result(const struct extract *extract, const struct program_request *request,
                       const struct program_result *result) {
    AUTO_BUF line = {0};
    if (result->from_dynamo) {
        BUF_ADD(&line, "compile ", buf_slice(&extract->id),
                extract->records.programs.count ? " has no such graph of Inductor: this is the graph from Dynamo"
                                                : ": Inductor did not run, so this is the graph from Dynamo");
        say(&line);
    }
    if (result->parts > 1 && !request->part) {
        BUF_ADD(&line, "compile ", buf_slice(&extract->id), " has ", (uint64_t)result->parts,
                " such graphs: this is the first one; --part 2 is the next");
        say(&line);
    }
    buf_add_lit(&line, "the program contains code from the log: read it before you run it");
    say(&line);
}

static struct program_request request_of(const struct extract *extract) {
    const struct options *options = extract->options;
    return (struct program_request){.source = extract->input.name,
                                    .compile = buf_slice(&extract->id),
                                    .backward = options->backward,
                                    .part = options->part.value,
                                    .ablate = options->ablate,
                                    .mode = mode_of(options),
                                    .kernel = slice_str(options->kernel ? options->kernel : "")};
}

static bool write_program(struct extract *extract, struct err *err) {
    AUTO_BUF text = {0};
    struct program_result result;
    if (!read_compile(extract, err))
        return false;
    const struct program_request request = request_of(extract);
    if (!program_add(&text, &extract->records, &request, &result, err) || !save(extract, buf_slice(&text), err))
        return false;
    say_result(extract, &request, &result);
    return true;
}

static bool write_issue(struct extract *extract, struct err *err) {
    AUTO_BUF text = {0};
    struct program_result result;
    if (!read_compile(extract, err))
        return false;
    const struct program_request request = request_of(extract);
    issue_add(&text, &extract->records, &request, &result);
    if (!save(extract, buf_slice(&text), err))
        return false;
    messages_print(stderr, "the text contains code and names from the log: check it before you publish it");
    return true;
}

/* Records that others need, such as strings, come before those of the compile. So a first pass finds out its process. */
static bool write_log(struct extract *extract, struct err *err) {
    struct compile_records *records = &extract->records;
    if (!extract->input.once) {
        if (!read_compile(extract, err))
            return false;
        struct compile_wanted wanted = records->wanted;
        wanted.has_process = true;
        wanted.process = records->process;
        compile_records_finish(records);
        *records = (struct compile_records){.wanted = wanted, .keeps_log = true};
        return read_records(extract, err) && save(extract, buf_slice(&records->log), err);
    }
    records->keeps_log = true;
    return read_compile(extract, err) && save(extract, buf_slice(&records->log), err);
}

/* ---- the log without paths and names ---------------------------------------------------------------------------- */

struct cleaning {
    struct clean_log log;
    struct buf text;
};

static bool learn_record(void *context, const struct record *record, struct slice raw, struct err *err) {
    struct cleaning *cleaning = context;
    (void)raw;
    (void)err;
    clean_log_learn(&cleaning->log, record);
    return true;
}

static bool clean_record(void *context, const struct record *record, struct slice raw, struct err *err) {
    struct cleaning *cleaning = context;
    (void)raw;
    clean_log_add(&cleaning->log, record, &cleaning->text);
    return cleaning->text.len <= CLEAN_BYTES ||
           err_set(err, ERR_INPUT, "the log is too large: --anonymous writes up to 4 GiB");
}

static bool write_clean(struct extract *extract, struct err *err) {
    struct cleaning cleaning = {0};
    AUTO_BUF line = {0};
    if (extract->input.compile.len)
        return err_set(err, ERR_USAGE, "--anonymous writes the whole log: leave out %.*s",
                       SLICE_ARG(extract->input.compile));
    if (extract->input.once)
        return err_set(err, ERR_USAGE, "--anonymous reads the log twice: write standard input to a file");
    clean_log_begin(&cleaning.log);
    bool ok = extract_input_read(&extract->input, learn_record, &cleaning, err) &&
              extract_input_read(&extract->input, clean_record, &cleaning, err) &&
              save(extract, buf_slice(&cleaning.text), err);
    if (ok && cleaning.log.unreadable) {
        BUF_ADD(&line, cleaning.log.unreadable, " records cannot be read: they are left out");
        say(&line);
    }
    if (ok) {
        buf_add_lit(&line, "what is left: ");
        redact_add_left(&line, REDACT_PATHS | REDACT_NAMES);
        say(&line);
    }
    clean_log_finish(&cleaning.log);
    buf_free(&cleaning.text);
    return ok;
}

bool extract_run(const struct options *options, struct err *err) {
    struct extract extract = {.options = options};
    if (!check_call(options, err))
        return false;
    bool ok = extract_input_open(&extract.input, options, err);
    if (ok)
        ok = options->anonymous ? write_clean(&extract, err)
           : options->issue     ? write_issue(&extract, err)
           : options->log_only  ? write_log(&extract, err)
                                : write_program(&extract, err);
    compile_records_finish(&extract.records);
    buf_free(&extract.id);
    extract_input_finish(&extract.input);
    return ok;
}
