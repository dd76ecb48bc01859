
#include "hooks/parsers.h"

#include "hooks/hooks.h"

enum { OUTPUT_MAX = 64 << 20 };

/* The records of one parser: for each, the preceding text, "record":…,"payload":…} and a line feed. */
struct input {
    const struct parser *parser;
    struct spooled spooled;
    LIST(struct kept {
        uint64_t line;
        uint32_t compile;
        size_t len;
    })
    records;
};

struct parser_inputs {
    const struct parsers *parsers;
    struct input *items; /* one per parser */
    struct parser_results results;
};

struct parser_inputs *parser_inputs_create(const struct parsers *parsers, struct spool *spool) {
    if (!parsers || !parsers->count)
        return NULL;
    struct parser_inputs *inputs = mem_zalloc(1, sizeof *inputs);
    inputs->parsers = parsers;
    inputs->items = mem_zalloc(parsers->count, sizeof *inputs->items);
    for (size_t i = 0; i < parsers->count; i++) {
        inputs->items[i].parser = &parsers->items[i];
        spooled_start(&inputs->items[i].spooled, spool);
    }
    return inputs;
}

static void add(struct input *input, const struct parser_record *record) {
    struct buf *out = &input->spooled.buf;
    size_t before = out->len;
    BUF_ADD(out, "\"record\":", record->envelope, ",\"payload\":");
    json_add_string_or_null(out, record->has_payload ? record->payload : (struct slice){0});
    buf_add_lit(out, "}\n");
    LIST_ADD(&input->records, (struct kept){record->line, record->compile, out->len - before});
    spooled_flush_if_full(&input->spooled); /* pieces consist of whole records */
}

void parser_inputs_add(struct parser_inputs *inputs, const struct parser_record *record) {
    for (size_t i = 0; i < inputs->parsers->count; i++) {
        const char *name = inputs->parsers->items[i].name;
        if (slice_is(record->key, name) || (record->name.ptr && slice_is(record->name, name)))
            add(&inputs->items[i], record);
    }
}

/* Writes all records. Returns false if the parser stopped reading, or if they cannot be read back. */
static bool feed(const struct input *input, const struct parser_keys *keys, struct child *child, struct buf *output) {
    AUTO_BUF piece = {0}, line = {0};
    size_t n = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < input->spooled.pieces.count; i++) {
        piece.len = 0;
        ok = spooled_read(&input->spooled, i, &piece);
        struct slice rest = buf_slice(&piece);
        for (; ok && rest.len; n++) {
            const struct kept *kept = &input->records.items[n];
            line.len = 0;
            buf_add_lit(&line, "{\"compile\":");
            json_add_string_or_null(&line,
                                    kept->compile < keys->count ? keys->items[kept->compile] : (struct slice){0});
            BUF_ADD(&line, ",\"line\":", kept->line, ",", slice_first(rest, kept->len));
            rest = slice_from(rest, kept->len);
            ok = child_write(child, buf_slice(&line), output);
        }
    }
    return ok;
}

/* Runs a parser. It may succeed without reading all of its input. */
static void run(const struct input *input, int64_t limit_ms, const struct parser_keys *keys,
                struct parser_result *result) {
    const struct child_request request = {.argv = (const char *const *)input->parser->words,
                                          .in = CHILD_PIPE,
                                          .out = CHILD_PIPE,
                                          .errs = CHILD_PIPE,
                                          .out_max = OUTPUT_MAX,
                                          .limit_ms = limit_ms};
    struct child child;
    struct child_end end;
    struct err err = {0};
    AUTO_BUF output = {0};
    char *what = mem_printf("parser %s", input->parser->name);
    if (!child_start(&child, &request, &err)) {
        result->error = mem_printf("%s: %s", what, err.text);
        mem_free(what);
        return;
    }
    feed(input, keys, &child, &output);
    if (child_finish(&child, &output, &end)) {
        parser_answers_read(result, buf_slice(&output), keys);
    } else {
        hook_failed(what, request.argv[0], &request, &child, &end, &err);
        result->error = mem_strdup(err.text);
    }
    mem_free(what);
    buf_free(&child.said);
}

const struct parser_results *parser_inputs_run(struct parser_inputs *inputs, const struct parser_keys *keys) {
    for (size_t i = 0; i < inputs->parsers->count; i++) {
        struct input *input = &inputs->items[i];
        spooled_end(&input->spooled);
        if (!input->records.count)
            continue;
        MEM_GROW(&inputs->results);
        struct parser_result *result = &inputs->results.items[inputs->results.count++];
        *result = (struct parser_result){.name = input->parser->name, .records = input->records.count};
        run(input, inputs->parsers->limit_ms, keys, result);
    }
    return &inputs->results;
}

void parser_inputs_destroy(struct parser_inputs *inputs) {
    if (!inputs)
        return;
    for (size_t i = 0; i < inputs->parsers->count; i++) {
        spooled_free(&inputs->items[i].spooled);
        mem_free(inputs->items[i].records.items);
    }
    for (size_t i = 0; i < inputs->results.count; i++)
        parser_result_finish(&inputs->results.items[i]);
    mem_free(inputs->results.items);
    mem_free(inputs->items);
    mem_free(inputs);
}
