#include "answers/table.h"
#include "cmd/commands.h"
#include "cmd/graph_choice.h"
#include "cmd/messages.h"

/* A graph of the call, read. */
struct graph_side {
    struct answer_input own; /* of another log than the first one */
    struct graph_found found;
    struct op_graph graph;
};

static void side_finish(struct graph_side *side) {
    op_graph_free(&side->graph);
    buf_free(&side->found.text);
    graph_modules_free(&side->found.subject.modules);
    answer_input_finish(&side->own);
}

static void note_others(const struct graph_found *found) {
    if (!found->same)
        return;
    AUTO_BUF line = {0};
    BUF_ADD(&line, found->subject.compile, " has ");
    unit_add_count(&line, found->same + 1);
    BUF_ADD(&line, " graphs ", found->subject.artifact,
            ": this is the last one; name another by its file, such as --stage ", found->subject.artifact, "_12");
    buf_add_byte(&line, 0);
    messages_print(stderr, line.ptr);
}

static bool side_read(struct graph_side *side, const struct answer_input *input, const struct options *options,
                      const struct graph_name *name, struct err *err) {
    if (!graph_find(&side->found, input, options, name, err))
        return false;
    note_others(&side->found);
    op_graph_read(&side->graph, buf_slice(&side->found.text));
    return side->graph.nodes.count > 0 || err_set(err, ERR_INPUT, "%s: the text of %.*s is no graph", input->name,
                                                  SLICE_ARG(side->found.subject.artifact));
}

static bool print_graph(const struct graph_side *side, const struct options *options, struct err *err) {
    AUTO_BUF out = {0};
    struct term term;
    switch ((enum graph_format)options->format) {
    case GRAPH_TABLE:
        term_init(&term, &out, answer_width(), answer_color());
        graph_add_table(&term, &side->graph, &side->found.subject);
        term_finish(&term);
        break;
    case GRAPH_JSON:
        graph_add_json(&out, &side->graph, &side->found.subject);
        break;
    case GRAPH_CSV:
        graph_add_csv(&out, &side->graph, &side->found.subject);
        break;
    case GRAPH_DOT:
        graph_add_dot(&out, &side->graph);
        break;
    }
    return answer_print(buf_slice(&out), err);
}

static bool print_difference(const struct graph_side *one, const struct graph_side *other,
                             const struct options *options, struct err *err) {
    const struct graph_subject subjects[2] = {one->found.subject, other->found.subject};
    struct graph_diff diff = {0};
    AUTO_BUF out = {0};
    struct term term;
    graph_diff_make(&diff, &one->graph, &other->graph);
    if (options->format == GRAPH_JSON) {
        graph_diff_add_json(&out, &diff, subjects);
    } else {
        term_init(&term, &out, answer_width(), answer_color());
        graph_diff_add_text(&term, &diff, subjects, options->all);
        term_finish(&term);
    }
    graph_diff_free(&diff);
    return answer_print(buf_slice(&out), err);
}

/* The same list for programs. */
static void add_list_json(struct buf *out, const struct answer_input *input) {
    struct jsonw w = {.out = out};
    size_t i, max;
    yyjson_val *compile;
    jsonw_object(&w, NULL);
    graph_add_format(&w, "list");
    jsonw_str(&w, "source", input->name);
    jsonw_array(&w, "compiles");
    yyjson_arr_foreach(json_get(input->report.root, "compiles"), i, max, compile) {
        if (!graph_has_stages(compile))
            continue;
        jsonw_object(&w, NULL);
        JSON_ADD(&w, "compile", json_get_text(compile, "key"), "frame",
                 json_get_text(json_get(compile, "frame"), "label"));
        graph_add_stages_json(&w, compile);
        jsonw_end_object(&w);
    }
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_lit(out, "\n");
}

/* Lists the compiles with graphs. */
static bool print_list(const struct answer_input *input, const struct options *options, struct err *err) {
    size_t i, max;
    yyjson_val *compile;
    AUTO_BUF out = {0}, text = {0};
    struct term term;
    struct table table;
    if (options->format == GRAPH_JSON) {
        add_list_json(&out, input);
        return answer_print(buf_slice(&out), err);
    }
    if (options->format != GRAPH_TABLE)
        return err_set(err, ERR_USAGE, "%s has several compiles with graphs: name one, such as 0/0", input->name);
    table_init(&table, "llb");
    table_cell_str(&table, TERM_DIM, "compile");
    table_cell_str(&table, TERM_DIM, "frame");
    table_cell_str(&table, TERM_DIM, "graphs");
    yyjson_arr_foreach(json_get(input->report.root, "compiles"), i, max, compile) {
        text.len = 0;
        graph_add_stages(&text, compile, ", ");
        if (!text.len)
            continue;
        table_cell(&table, TERM_BOLD, json_get_text(compile, "key"));
        table_cell(&table, TERM_PLAIN, json_get_text(json_get(compile, "frame"), "label"));
        table_cell(&table, TERM_DIM, buf_slice(&text));
    }
    term_init(&term, &out, answer_width(), answer_color());
    if (table_rows(&table) > 1)
        table_add_text(&table, &term, 0);
    else
        term_prose(&term, TERM_PLAIN, SLICE("No compile has a graph in the log."), (struct term_box){0});
    term_finish(&term);
    table_finish(&table);
    return answer_print(buf_slice(&out), err);
}

bool graph_run(const struct options *options, struct err *err) {
    struct graph_name names[2];
    struct graph_side one = {0}, other = {0};
    struct answer_input input = {0};
    yyjson_val *only;
    bool two, ok;
    graph_names_of(options, names, &two);
    bool elsewhere = two && names[1].path != names[0].path;
    if (options->paths.count > 2 || (options->paths.count == 2 && !names[0].compile.len))
        ok = err_set(err, ERR_USAGE, "'%s' is no compile id, such as 0/1", options->paths.items[1]);
    else if (two && options->format != GRAPH_TABLE && options->format != GRAPH_JSON)
        ok = err_set(err, ERR_USAGE, "--diff has no such format: use table or json");
    else
        ok = graph_input_read(&input, options, names, two && !elsewhere ? 2 : 1, err);
    if (ok && !names[0].compile.len && graph_compiles(&input, &only) != 1) {
        ok = two ? err_set(err, ERR_USAGE, "%s has several compiles with graphs: name one, such as 0/0", input.name)
                 : print_list(&input, options, err);
    } else if (ok) {
        ok = side_read(&one, &input, options, &names[0], err);
        if (ok && two && !names[1].compile.len)
            names[1].compile = one.found.subject.compile;
        if (ok && elsewhere)
            ok = graph_input_read(&other.own, options, &names[1], 1, err);
        if (ok && two)
            ok = side_read(&other, elsewhere ? &other.own : &input, options, &names[1], err);
        if (ok)
            ok = two ? print_difference(&one, &other, options, err) : print_graph(&one, options, err);
    }
    side_finish(&one);
    side_finish(&other);
    mem_free(names[1].owned);
    answer_input_finish(&input);
    return ok;
}
