#include "cmd/extract_input.h"

#include "cmd/log_paths.h"
#include "cmd/messages.h"
#include "cmd/user_hooks.h"
#include "extract/compile_records.h"
#include "trace/block.h"
#include "trace/source.h"

/* Takes COMPILE from the arguments: the last one, unless it is the only one and a file has that name. */
static void take_compile(struct extract_input *input, struct option_list *paths) {
    struct compile_wanted parsed;
    if (!paths->count)
        return;
    struct slice last = slice_str(paths->items[paths->count - 1]);
    if (!compile_wanted_parse(last, &parsed))
        return;
    input->compile = last;
    paths->count--;
}

/* The files of the log: all of the only group, or the log of the rank. */
static bool take_log(struct extract_input *input, struct err *err) {
    const struct choice *choice = &input->choice;
    const struct options *options = input->options;
    input->paths = mem_alloc((choice->count + 1) * sizeof *input->paths);
    for (size_t i = 0; i < choice->count; i++) {
        const struct choice_log *log = &choice->items[i];
        if (!options->rank.given || !log->has_rank || log->rank == options->rank.value)
            input->paths[input->count++] = log->path;
    }
    if (!input->count)
        return err_set(err, ERR_INPUT, "no log has rank %" PRIu64, options->rank.value);
    if (input->count > 1 && choice->groups.count > 1)
        return err_set(err, ERR_USAGE, "there are several logs: choose one with --rank, or name its file");
    input->once = strcmp(input->paths[0], "-") == 0;
    input->name = mem_printf("%.*s", SLICE_ARG(source_shown(input->paths[0])));
    return true;
}

bool extract_input_open(struct extract_input *input, const struct options *options, struct err *err) {
    struct options own = *options;
    *input = (struct extract_input){.options = options};
    take_compile(input, &own.paths);
    if (own.paths.count > 1)
        return err_set(err, ERR_USAGE, "'%s' is no compile id, such as 0/1", own.paths.items[1]);
    if (!user_hooks_report(options->hooks, &own, err) || !input_choose(&own, &input->choice, err))
        return false;
    input->has_choice = true;
    return take_log(input, err);
}

static const struct node *no_nodes(const struct record *record, struct arena *arena) {
    (void)record;
    (void)arena;
    return NULL;
}

/* Reading modifies the bytes of a block, so records are cut from a copy. */
struct walk {
    struct buf bytes, raw;
    struct arena arena;
    struct records records;
};

static bool walk_block(struct walk *walk, extract_record *each, void *context, struct err *err) {
    walk->raw.len = 0;
    buf_add(&walk->raw, buf_slice(&walk->bytes));
    decode_block(buf_slice(&walk->bytes), &walk->arena, no_nodes, &walk->records);
    bool good = true;
    for (size_t i = 0; i < walk->records.count && good; i++) {
        const struct record *record = &walk->records.items[i];
        size_t rest = (size_t)(record->glog.rest.ptr - walk->bytes.ptr), start = rest;
        while (start && walk->raw.ptr[start - 1] != '\n')
            start--;
        struct slice raw = slice_first(slice_from(buf_slice(&walk->raw), start), record->log_bytes);
        good = each(context, record, raw, err);
    }
    arena_reset(&walk->arena);
    return good;
}

bool extract_input_read(struct extract_input *input, extract_record *each, void *context, struct err *err) {
    struct source source = {0};
    struct walk walk = {0};
    bool more = true;
    if (!source_open_from(&source, &input->options->hooks->fetcher.remote, input->name, input->paths, input->count,
                          err))
        return false;
    struct block_reader reader = {.source = &source, .block_bytes = 1 << 20};
    bool good = true;
    while (good && more) {
        good = block_read(&reader, &walk.bytes, &more, err);
        if (good && more && !reader.too_large)
            good = walk_block(&walk, each, context, err);
    }
    if (good && source_damage(&source)) {
        AUTO_BUF line = {0};
        BUF_ADD(&line, input->name, ": ", source_damage(&source));
        buf_add_byte(&line, '\0');
        messages_print(stderr, line.ptr);
    }
    block_reader_finish(&reader);
    source_close(&source);
    buf_free(&walk.bytes);
    buf_free(&walk.raw);
    arena_free(&walk.arena);
    records_finish(&walk.records);
    return good;
}

void extract_input_finish(struct extract_input *input) {
    if (input->has_choice)
        choice_finish(&input->choice);
    mem_free((void *)input->paths);
    mem_free(input->name);
    *input = (struct extract_input){0};
}
