#include "cmd/graph_choice.h"

#include <sys/stat.h>

#include "base/path.h"
#include "base/word.h"
#include "trace/source.h"

static const struct slice stages[] = {SLICE_INIT("dynamo"),
                                      SLICE_INIT("pre_grad"),
                                      SLICE_INIT("joint"),
                                      SLICE_INIT("forward"),
                                      SLICE_INIT("post_grad"),
                                      SLICE_INIT("backward"),
                                      SLICE_INIT("backward_post_grad"),
                                      SLICE_INIT("export")};

static bool is_stage(struct slice text) {
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (slice_eq(text, stages[i]))
            return true;
    return false;
}

/* Removes digits, or "-", from the start of the text. */
static bool cut_number(struct slice *text) {
    size_t length = digits_length(*text);
    if (!length)
        return slice_cut_start(text, SLICE("-"));
    *text = slice_from(*text, length);
    return true;
}

/* Whether the text is a key of a compile: "0/1", "!0/2/0", "4711:0/1#2". */
static bool is_compile(struct slice text) {
    struct slice rest = text, process = text;
    if (cut_number(&process) && slice_cut_start(&process, SLICE(":")))
        rest = process;
    if (slice_cut_start(&rest, SLICE("!")) && (!cut_number(&rest) || !slice_cut_start(&rest, SLICE("/"))))
        return false;
    if (!cut_number(&rest) || !slice_cut_start(&rest, SLICE("/")) || !cut_number(&rest))
        return false;
    return !rest.len || (slice_cut_start(&rest, SLICE("#")) && rest.len && digits_length(rest) == rest.len);
}

static bool is_there(const char *path) {
    struct stat st;
    return source_is_address(path) || stat(path, &st) == 0;
}

/* Takes what is behind the last ':' from the text; empty: there is none. */
static struct slice cut_behind(struct slice *text) {
    size_t colon = slice_rfind_byte(*text, ':');
    struct slice behind = slice_from(*text, colon == SIZE_MAX ? text->len : colon + 1);
    *text = slice_first(*text, colon);
    return behind;
}

/* Sets the path, if something is there. */
static bool take_path(struct graph_name *name, struct slice text) {
    char *path = mem_printf("%.*s", SLICE_ARG(text));
    if (!is_there(path)) {
        mem_free(path);
        return false;
    }
    name->path = name->owned = path;
    return true;
}

/* "[PATH:]COMPILE[:STAGE]", "PATH[:STAGE]" or "STAGE". */
static void read_other(const char *other, struct graph_name *name) {
    struct slice text = slice_str(other), rest = text, head;
    if (take_path(name, text))
        return;
    struct slice behind = cut_behind(&rest);
    if (behind.len && rest.len < text.len && word_length(behind) == behind.len && !is_digit(behind.ptr[0])) {
        name->stage = behind;
        text = rest;
    }
    if (is_compile(text)) {
        name->compile = text;
        return;
    }
    head = text;
    behind = cut_behind(&head);
    if (is_compile(behind) && take_path(name, head))
        name->compile = behind;
    else if (is_stage(text) || (text.len && word_length(text) == text.len))
        name->stage = text;
    else if (text.len && !take_path(name, text))
        name->path = name->owned = mem_printf("%.*s", SLICE_ARG(text)); /* which is an error */
}

void graph_names_of(const struct options *options, struct graph_name names[2], bool *two) {
    const struct option_list *paths = &options->paths;
    size_t count = paths->count;
    names[0] = (struct graph_name){.stage = slice_str(options->stage ? options->stage : "")};
    if (count && is_compile(slice_str(paths->items[count - 1])) && (count > 1 || !is_there(paths->items[0])))
        names[0].compile = slice_str(paths->items[--count]);
    names[0].path = count ? paths->items[0] : NULL;
    names[1] = names[0];
    *two = options->other != NULL;
    if (options->other)
        read_other(options->other, &names[1]);
}

/* The beginning of the names of the compile's folders: "-_0_1_" for 0/1. The caller frees it. */
static char *folder_of_compile(struct slice key) {
    AUTO_BUF text = {0};
    struct slice process = key;
    if (!key.len)
        return mem_strdup("");
    if (cut_number(&process) && slice_cut_start(&process, SLICE(":")))
        key = process;
    key = slice_first(key, slice_find(key, SLICE("#")));
    if (!slice_cut_start(&key, SLICE("!")))
        buf_add_lit(&text, "-_");
    for (size_t i = 0; i < key.len; i++)
        buf_add_byte(&text, key.ptr[i] == '/' ? '_' : key.ptr[i]);
    return mem_printf("%.*s_", SLICE_ARG(buf_slice(&text)));
}

bool graph_input_read(struct answer_input *input, const struct options *options, const struct graph_name *names,
                      size_t count, struct err *err) {
    struct options own = *options;
    const char *path = names[0].path;
    static const char *folders[3];
    size_t wanted = count;
    own.paths = (struct option_list){path ? &path : NULL, path != NULL};
    char *made[2] = {0};
    for (size_t i = 0; i < count; i++)
        folders[i] = made[i] = folder_of_compile(names[i].compile);
    for (size_t i = 0; i < count && wanted == count;
         i++) /* exported programs have no file in the folder of a compile */
        if (slice_is(names[i].stage, "export") || slice_starts(names[i].stage, SLICE("exported_program")))
            folders[wanted++] = "payloads/";
    bool ok = answer_input_read_texts(input, &own, folders, wanted, err);
    for (size_t i = 0; i < count; i++)
        mem_free(made[i]);
    if (ok && input->report.kind != DOC_RUN)
        ok = err_set(err, ERR_USAGE, "%s has several logs: choose one with --rank, or name its file", input->name);
    return ok;
}

static bool is_graph(yyjson_val *artifact) {
    return slice_is(json_get_text(artifact, "lang"), "graph") && json_get_text(artifact, "url").len;
}

/* "forward", "backward_post_grad" */
static void add_stage_name(struct buf *out, yyjson_val *stage) {
    struct slice name = json_get_text(stage, "stage");
    if (yyjson_get_bool(json_get(stage, "backward")) && !slice_is(name, "backward"))
        buf_add_lit(out, "backward_");
    buf_add(out, name);
}

/* The last graph of a stage; NULL: none. *same: others with its name. */
static yyjson_val *graph_of_stage(yyjson_val *compile, yyjson_val *stage, size_t *same) {
    size_t i, max;
    yyjson_val *index, *found = NULL, *artifacts = json_get(compile, "artifacts");
    *same = 0;
    yyjson_arr_foreach(json_get(stage, "artifacts"), i, max, index) {
        uint64_t place;
        yyjson_val *artifact = json_to_u64(index, &place) ? yyjson_arr_get(artifacts, place) : NULL;
        if (!is_graph(artifact))
            continue;
        bool again = found && slice_eq(json_get_text(found, "name"), json_get_text(artifact, "name"));
        *same = again ? *same + 1 : 0;
        found = artifact;
    }
    return found;
}

/* The name of an artifact's file without its folder and extension: "before_post_grad_graph_12". */
static struct slice stem_of(yyjson_val *artifact) {
    struct slice name = path_last(json_get_text(artifact, "url"));
    return slice_first(name, slice_rfind_byte(name, '.'));
}

/* The last graph with this name, which may be that of its file; NULL: none. */
static yyjson_val *graph_of_name(yyjson_val *compile, struct slice name, size_t *same) {
    size_t i, max;
    yyjson_val *artifact, *found = NULL;
    *same = 0;
    yyjson_arr_foreach(json_get(compile, "artifacts"), i, max, artifact) {
        if (!is_graph(artifact))
            continue;
        if (slice_eq(stem_of(artifact), name)) {
            *same = 0;
            return artifact;
        }
        if (!slice_eq(json_get_text(artifact, "name"), name))
            continue;
        *same = found ? *same + 1 : 0;
        found = artifact;
    }
    return found;
}

/* Stages of compiles that the report gives none: those of torch.export, which ends before AOTAutograd. */
static const struct {
    struct slice stage, artifact;
} export_stages[] = {{SLICE_INIT("dynamo"), SLICE_INIT("dynamo_output_graph")},
                     {SLICE_INIT("export"), SLICE_INIT("exported_program")}};
enum { EXPORT_STAGES = sizeof export_stages / sizeof *export_stages };

/* The graph of such a stage; NULL: the compile has none, or a stage of that name. */
static yyjson_val *graph_of_export(yyjson_val *compile, size_t which, size_t *same) {
    size_t i, max;
    yyjson_val *stage;
    yyjson_arr_foreach(json_get(compile, "stages"), i, max, stage) {
        if (slice_eq(json_get_text(stage, "stage"), export_stages[which].stage))
            return NULL;
    }
    return graph_of_name(compile, export_stages[which].artifact, same);
}

static void add_stage(struct buf *out, struct slice name, yyjson_val *graph, const char *separator, bool first) {
    uint64_t ops;
    if (!first)
        buf_add_str(out, separator);
    buf_add(out, name);
    if (!json_to_u64(json_get(json_get(graph, "graph"), "ops"), &ops))
        return;
    buf_add_byte(out, ' ');
    unit_add_plural(out, ops, "op", NULL);
}

void graph_add_stages(struct buf *out, yyjson_val *compile, const char *separator) {
    size_t i, max, same, before = out->len;
    yyjson_val *stage;
    yyjson_arr_foreach(json_get(compile, "stages"), i, max, stage) {
        yyjson_val *graph = graph_of_stage(compile, stage, &same);
        AUTO_BUF name = {0};
        if (!graph)
            continue;
        add_stage_name(&name, stage);
        add_stage(out, buf_slice(&name), graph, separator, out->len == before);
    }
    for (i = 0; i < EXPORT_STAGES; i++) {
        yyjson_val *graph = graph_of_export(compile, i, &same);
        if (graph)
            add_stage(out, export_stages[i].stage, graph, separator, out->len == before);
    }
}

bool graph_has_stages(yyjson_val *compile) {
    AUTO_BUF text = {0};
    graph_add_stages(&text, compile, ", ");
    return text.len > 0;
}

static void add_stage_json(struct jsonw *w, struct slice stage, yyjson_val *graph) {
    int64_t ops = -1;
    uint64_t number;
    if (json_to_u64(json_get(json_get(graph, "graph"), "ops"), &number) && number <= INT64_MAX)
        ops = (int64_t)number;
    jsonw_object(w, NULL);
    JSON_ADD(w, "stage", stage, "artifact", json_get_text(graph, "name"), "ops", ops);
    jsonw_end_object(w);
}

void graph_add_stages_json(struct jsonw *w, yyjson_val *compile) {
    size_t i, max, same;
    yyjson_val *stage;
    jsonw_array(w, "graphs");
    yyjson_arr_foreach(json_get(compile, "stages"), i, max, stage) {
        yyjson_val *graph = graph_of_stage(compile, stage, &same);
        AUTO_BUF name = {0};
        if (!graph)
            continue;
        add_stage_name(&name, stage);
        add_stage_json(w, buf_slice(&name), graph);
    }
    for (i = 0; i < EXPORT_STAGES; i++) {
        yyjson_val *graph = graph_of_export(compile, i, &same);
        if (graph)
            add_stage_json(w, export_stages[i].stage, graph);
    }
    jsonw_end_array(w);
}

size_t graph_compiles(const struct answer_input *input, yyjson_val **only) {
    size_t i, max, count = 0;
    yyjson_val *compile;
    *only = NULL;
    yyjson_arr_foreach(json_get(input->report.root, "compiles"), i, max, compile) {
        if (!graph_has_stages(compile))
            continue;
        *only = compile;
        count++;
    }
    return count;
}

static yyjson_val *find_compile(const struct answer_input *input, struct slice key, struct err *err) {
    size_t i, max;
    yyjson_val *compile;
    if (!key.len) {
        if (graph_compiles(input, &compile) == 1)
            return compile;
        err_set(err, ERR_USAGE, "%s has several compiles with graphs: name one, such as 0/0", input->name);
        return NULL;
    }
    yyjson_arr_foreach(json_get(input->report.root, "compiles"), i, max, compile) {
        if (slice_eq(json_get_text(compile, "key"), key))
            return compile;
    }
    err_set(err, ERR_INPUT, "%s has no compile %.*s", input->name, SLICE_ARG(key));
    return NULL;
}

static yyjson_val *find_graph(yyjson_val *compile, struct slice wanted, size_t *same) {
    size_t i, max;
    yyjson_val *stage;
    yyjson_arr_foreach(json_get(compile, "stages"), i, max, stage) {
        AUTO_BUF name = {0};
        add_stage_name(&name, stage);
        yyjson_val *found = slice_eq(buf_slice(&name), wanted) ? graph_of_stage(compile, stage, same) : NULL;
        if (found)
            return found;
    }
    for (i = 0; i < EXPORT_STAGES; i++) {
        yyjson_val *found = slice_eq(export_stages[i].stage, wanted) ? graph_of_export(compile, i, same) : NULL;
        if (found)
            return found;
    }
    return graph_of_name(compile, wanted, same);
}

bool graph_find(struct graph_found *found, const struct answer_input *input, const struct options *options,
                const struct graph_name *name, struct err *err) {
    static const struct slice first = SLICE_INIT("dynamo");
    yyjson_val *compile = find_compile(input, name->compile, err);
    if (!compile)
        return false;
    size_t same;
    struct slice key = json_get_text(compile, "key"), stage = name->stage.len ? name->stage : first;
    yyjson_val *graph = find_graph(compile, stage, &found->same);
    if (!graph) {
        AUTO_BUF have = {0};
        graph_add_stages(&have, compile, ", ");
        return err_set(err, ERR_INPUT, "%s: compile %.*s has no graph %.*s. It has: %.*s", input->name, SLICE_ARG(key),
                       SLICE_ARG(stage), SLICE_ARG(have.len ? buf_slice(&have) : SLICE("none")));
    }
    found->subject = (struct graph_subject){.source = slice_str(input->name),
                                            .compile = key,
                                            .stage = stage,
                                            .artifact = json_get_text(graph, "name")};
    /* Modules are those of the latest attempt. */
    if (slice_is(found->subject.artifact, "dynamo_output_graph") &&
        graph == graph_of_name(compile, found->subject.artifact, &same))
        graph_modules_read(&found->subject.modules, input->report.root, key);
    struct slice path = json_get_text(graph, "payload_url");
    return answer_input_text(input, options, path.len ? path : json_get_text(graph, "url"), &found->text, err);
}
