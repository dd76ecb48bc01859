#include "extract/program.h"

#include "base/word.h"
#include "extract/python_text.h"
#include "extract/runnable.h"

#include "harness.inc"

static const char *const modes[] = {[PROGRAM_RUN] = "run",
                                    [PROGRAM_CHECK] = "check",
                                    [PROGRAM_BENCH] = "bench",
                                    [PROGRAM_ABLATE] = "ablate",
                                    [PROGRAM_MINIFY] = "minify"};

/* Namespaces of operators that PyTorch has itself. */
static const char *const own_namespaces[] = {
    "aten",
    "prims",
    "prim",
    "inductor",
    "higher_order",
    "rngprims",
    "quantized",
    "quantized_decomposed",
    "mkldnn",
    "mkl",
    "_quantized",
    "onednn",
    "_c10d_functional",
    "c10d_functional",
    "_c10d_functional_autograd",
    "c10d",
    "fsdp",
    "profiler",
    "_inductor_test",
    "symm_mem",
    "bucketing",
    "debugprims",
    "streams",
    "_dtensor",
};

enum { LISTED = 12 };

/* Names, each once, in order. */
struct names {
    struct slice items[LISTED];
    size_t count, more;
};

static void names_add(struct names *names, struct slice name) {
    for (size_t i = 0; i < names->count; i++)
        if (slice_eq(names->items[i], name))
            return;
    if (names->count < LISTED)
        names->items[names->count++] = name;
    else
        names->more++;
}

/* Adds a member of a dict in Python. */
static void add_member(struct buf *out, const char *indent, struct slice name, struct slice value) {
    BUF_ADD(out, indent, "    ");
    python_add_string(out, name);
    buf_add_lit(out, ": ");
    python_add_string(out, value);
    buf_add_lit(out, ",\n");
}

/* Adds a line of the head. */
static void add_names(struct buf *out, const char *label, const struct names *names) {
    if (!names->count)
        return;
    BUF_ADD(out, "#   - ", label, ": ");
    for (size_t i = 0; i < names->count; i++) {
        if (i)
            buf_add_lit(out, ", ");
        python_add_comment(out, names->items[i], 120);
    }
    buf_add_str(out, names->more ? ", …\n" : "\n");
}

/* ---- what the text has ------------------------------------------------------------------------------------------ */

static bool is_own_namespace(struct slice name) {
    for (size_t i = 0; i < sizeof own_namespaces / sizeof *own_namespaces; i++)
        if (slice_is(name, own_namespaces[i]))
            return true;
    return false;
}

/* Operators of other libraries: "torch.ops.vision.nms". */
static void find_operators(struct slice text, struct names *names) {
    for (struct slice rest = text; (rest = slice_after(rest, SLICE("torch.ops."))).ptr;) {
        size_t length = word_length(rest), end = length;
        if (!length || is_own_namespace(slice_first(rest, length)))
            continue;
        if (end < rest.len && rest.ptr[end] == '.')
            end += 1 + word_length(slice_from(rest, end + 1));
        names_add(names, slice_first(rest, end));
    }
}

/* Whether the text defines the class inside of the graph. */
static bool has_class(struct slice text, struct slice name) {
    AUTO_BUF mark = {0};
    BUF_ADD(&mark, "class ", name, "(");
    return slice_find(text, buf_slice(&mark)) != SIZE_MAX;
}

/* The annotation before " self.x" at `at`: the text f32[3][1]cpu of x: "f32[3][1]cpu" = self.x; empty: there is none. */
static struct slice annotation_before(struct slice text, size_t at) {
    struct slice head = slice_first(text, at);
    if (!slice_cut_end(&head, SLICE("\" =")))
        return (struct slice){0};
    size_t quote = slice_rfind_byte(head, '"');
    struct slice annotation = slice_from(head, quote == SIZE_MAX ? head.len : quote + 1);
    return memchr(annotation.ptr, '\n', annotation.len) ? (struct slice){0} : annotation;
}

enum { ATTRIBUTES_MAX = 4096 };

/* Attributes of the module that the text of the graph does not define: their names and, if `out` is not NULL, members of a dict with
 * the types of those that are tensors. */
static void find_attributes(struct slice text, struct names *names, struct buf *out) {
    size_t at, seen = 0;
    for (struct slice rest = text; (at = slice_find(rest, SLICE(" self."))) != SIZE_MAX && seen++ < ATTRIBUTES_MAX;) {
        struct slice annotation = annotation_before(rest, at);
        rest = slice_from(rest, at + SLICE(" self.").len);
        struct slice name = slice_first(rest, word_length(rest));
        if (!name.len || (!annotation.len && has_class(text, name)))
            continue;
        if (!annotation.len)
            names_add(names, name);
        else if (out)
            add_member(out, "    ", name, annotation);
    }
}

static const char *device_of(struct slice text) {
    static const char *const devices[] = {"cuda", "xpu", "mps", "hpu", "npu"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        AUTO_BUF typed = {0}, annotated = {0}, allocated = {0};
        BUF_ADD(&typed, "type='", devices[i], "'");
        BUF_ADD(&annotated, "]", devices[i]);
        BUF_ADD(&allocated, "empty_strided_", devices[i], "(");
        if (slice_find(text, buf_slice(&typed)) != SIZE_MAX || slice_find(text, buf_slice(&annotated)) != SIZE_MAX ||
            slice_find(text, buf_slice(&allocated)) != SIZE_MAX)
            return devices[i];
    }
    return "cpu";
}

/* ---- the graph of the request ----------------------------------------------------------------------------------- */

static const struct compile_text *pick(const struct compile_texts *texts, bool backward, bool any, size_t part,
                                       size_t *parts) {
    const struct compile_text *found = NULL;
    *parts = 0;
    for (size_t i = 0; i < texts->count; i++)
        if ((any || texts->items[i].backward == backward) && ++*parts == (part ? part : 1))
            found = &texts->items[i];
    return found;
}

const struct compile_text *program_graph(const struct compile_records *records, const struct program_request *request,
                                         struct program_result *result, struct err *err) {
    const struct compile_text *found =
        pick(&records->programs, request->backward, false, request->part, &result->parts);
    result->from_dynamo = !found && !result->parts;
    if (result->from_dynamo)
        found = pick(&records->graphs, false, true, request->part, &result->parts);
    if (found)
        return found;
    if (result->parts)
        err_set(err, ERR_INPUT, "%s: compile %.*s has %zu graphs: there is no part %zu", request->source,
                SLICE_ARG(request->compile), result->parts, request->part);
    else if (records->fail_type.len)
        err_set(err, ERR_INPUT, "%s: compile %.*s has no graph to extract: it failed before (%.*s)", request->source,
                SLICE_ARG(request->compile), SLICE_ARG(slice_first(records->fail_type, 80)));
    else
        err_set(err, ERR_INPUT, "%s: compile %.*s has no graph to extract", request->source,
                SLICE_ARG(request->compile));
    return NULL;
}

/* The number of a graph, "0" of "# AOT ID: ['0_backward']", which its forward and backward share; empty: unknown. */
static struct slice graph_number(struct slice code) {
    struct slice line = slice_first_line(code);
    if (!slice_cut_start(&line, SLICE("# AOT ID: ['")))
        return (struct slice){0};
    return slice_first(line, digits_length(line));
}

/* The inputs of the backward to which Inductor may write: its forward's metadata names them. */
static struct slice donated_to(const struct compile_records *records, const struct compile_text *backward) {
    struct slice number = graph_number(backward->code);
    const struct compile_text *only = NULL, *same = NULL;
    size_t forwards = 0;
    for (size_t i = 0; i < records->programs.count; i++) {
        const struct compile_text *forward = &records->programs.items[i];
        if (forward->backward)
            continue;
        forwards++;
        only = forward;
        if (number.len && slice_eq(graph_number(forward->code), number))
            same = forward;
    }
    const struct compile_text *forward = same ? same : forwards == 1 ? only : NULL;
    return forward ? forward->donated : (struct slice){0};
}

/* ---- the program ------------------------------------------------------------------------------------------------ */

/* A program that is being written. */
struct writer {
    struct buf *out;
    const struct compile_records *records;
    const struct program_request *request;
    struct program_result *result;
    struct runnable runnable; /* of the graph that Inductor got */
    struct slice text;        /* of the graph or the code */
    struct slice code;        /* what Inductor wrote for the graph; empty: unknown */
    struct slice donated;     /* inputs of a backward that Inductor may write to, "7, 8" */
    const char *kind;         /* "inductor", "dynamo", "kernel" */
    struct slice version;
    bool backward;
};

static void add_title(struct buf *out, const struct writer *w) {
    const struct program_request *request = w->request;
    if (request->kernel.len)
        BUF_ADD(out, "Kernel ", request->kernel, " of compile ", request->compile);
    else
        BUF_ADD(out, "Compile ", request->compile, w->backward ? ", backward" : "");
    if (request->part && !request->kernel.len)
        BUF_ADD(out, ", part ", (uint64_t)request->part);
}

static void add_versions(struct writer *w) {
    struct buf *out = w->out;
    buf_add_lit(out, "# For PyTorch ");
    python_add_comment(out, w->version.len ? w->version : SLICE("of an unknown version: the log does not say"), 80);
    if (w->records->torch_commit.len) {
        buf_add_lit(out, ", commit ");
        python_add_comment(out, w->records->torch_commit, 64);
    }
    if (w->runnable.cuda.len) {
        buf_add_lit(out, ", CUDA ");
        python_add_comment(out, w->runnable.cuda, 40);
    }
    buf_add_byte(out, '\n');
    for (size_t i = 0; i < w->runnable.hardware.count && i < 8; i++) {
        buf_add_lit(out, "# Recorded on ");
        python_add_comment(out, w->runnable.hardware.items[i], 80);
        buf_add_byte(out, '\n');
    }
}

/* ---- a compile that failed ---------------------------------------------------------------------------------------- */

/* Backends of PyTorch itself that a CPU can run. */
static const char *const own_backends[] = {"inductor", "aot_eager", "aot_eager_decomp_partition",
                                           "aot_eager_default_partitioner", "eager"};

/* The exception with which the compile failed; empty: it did not, or in its backward only, which this is not. */
static struct slice failure_of(const struct writer *w) {
    const struct compile_records *records = w->records;
    bool other = records->failed_in_backward && !w->backward && !slice_is(slice_str(w->kind), "dynamo");
    return other || w->request->kernel.len ? (struct slice){0} : records->fail_type;
}

/* The start of the message, without what may be a path of the recorded run. */
static struct slice failure_text(const struct writer *w) {
    struct slice text = utf8_first(w->records->fail_reason, 160);
    return slice_first(text, slice_find(text, SLICE("/")));
}

/* The sizes that were marked as dynamic, without the stack behind them: "Constraints violated (L['x'].size()[0])! …". */
static struct slice marks_of(const struct writer *w) {
    enum { MARKS_BYTES = 2000 };
    struct slice reason = w->records->fail_reason;
    if (!slice_is(failure_of(w), "ConstraintViolationError"))
        return (struct slice){0};
    return utf8_first(slice_first(reason, slice_find(reason, SLICE("User stack:"))), MARKS_BYTES);
}

/* The backend that failed: "backend='picky' raised: …", or since PyTorch 2.8 "Backend compiler `aot_eager` failed with …". */
static struct slice failed_backend(struct slice reason) {
    static const struct slice starts[] = {SLICE_INIT("backend='"), SLICE_INIT("Backend compiler `")};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct slice name = slice_after(reason, starts[i]);
        size_t length = word_length(name);
        if (length && length <= 80 && length < name.len && (name.ptr[length] == '\'' || name.ptr[length] == '`'))
            return slice_first(name, length);
    }
    return (struct slice){0};
}

static const char *own_backend(struct slice name) {
    for (size_t i = 0; i < sizeof own_backends / sizeof *own_backends; i++)
        if (slice_is(name, own_backends[i]))
            return own_backends[i];
    return NULL;
}

/* Adds why the program may not fail like the compile; nothing: it should. */
static void add_failure_note(struct buf *out, const struct writer *w) {
    struct slice reason = w->records->fail_reason, type = failure_of(w), backend = failed_backend(reason);
    if (!type.len)
        return;
    if (backend.len && !own_backend(backend))
        BUF_ADD(out, "the log does not have the backend ", backend);
    else if (slice_is(type, "ConstraintViolationError"))
        buf_add_lit(out, "what fixes the size may not be in the graph that Dynamo traced, such as an assertion");
    else if (slice_find(reason, SLICE("CppCompileError")) != SIZE_MAX)
        buf_add_lit(out, "another C++ compiler may take the code");
    else if (slice_is(type, "KeyboardInterrupt"))
        buf_add_lit(out, "the interrupt came from outside");
    else if (slice_is(slice_str(w->kind), "dynamo") && !backend.len &&
             slice_find(reason, SLICE("Backend compiler failed")) == SIZE_MAX)
        buf_add_lit(out, "what failed is not in the graph that Dynamo traced");
}

static void add_failure(struct writer *w) {
    AUTO_BUF note = {0};
    struct slice type = failure_of(w);
    if (!type.len)
        return;
    buf_add_lit(w->out, "#\n# The compile failed in the log: ");
    python_add_comment(w->out, type, 80);
    if (w->records->fail_reason.len) {
        buf_add_lit(w->out, ": ");
        python_add_comment(w->out, slice_first_line(failure_text(w)), 160);
    }
    add_failure_note(&note, w);
    BUF_ADD(w->out, "\n# ",
            note.len ? "This program may not fail like that: "
                     : "This program should fail with the same exception, if the version of PyTorch is the same.\n",
            buf_slice(&note), note.len ? ".\n" : "");
}

static void add_left_out(struct writer *w) {
    struct names left = {0};
    for (size_t i = 0; i < w->runnable.left.count; i++)
        names_add(&left, w->runnable.left.items[i].name);
    add_names(w->out, "settings of the first run (its folders, logs, processes)", &left);
}

/* A graph inside of the graph that PyTorch up to 2.11 does not log: "self.score0 = <lambda>()", or GraphModule(). *name: its name. */
static bool is_lost_graph(struct slice line, struct slice *name) {
    struct slice text = slice_trim(line);
    bool lost = slice_cut_start(&text, SLICE("self.")) &&
                (slice_cut_end(&text, SLICE(" = <lambda>()")) || slice_cut_end(&text, SLICE(" = GraphModule()")));
    *name = text;
    return lost && text.len && word_length(text) == text.len;
}

static void add_lost_graphs(struct writer *w) {
    struct names lost = {0};
    struct slice name;
    for (size_t i = 0; i < w->runnable.code.count; i++)
        if (is_lost_graph(w->runnable.code.items[i], &name))
            names_add(&lost, name);
    add_names(w->out, "graphs inside of the graph, which this PyTorch does not log", &lost);
}

static void add_lacks(struct writer *w) {
    struct buf *out = w->out;
    struct names operators = {0}, attributes = {0};
    bool dynamo = slice_is(slice_str(w->kind), "dynamo");
    find_operators(w->text, &operators);
    if (dynamo)
        find_attributes(w->text, &attributes, NULL);
    buf_add_lit(
        out,
        "#\n# What it lacks:\n#   - the values of inputs, weights and constants: floats are random, integers are 0\n");
    if (dynamo && w->records->programs.count)
        buf_add_lit(
            out,
            "#   - what Inductor got: this is the graph from Dynamo, because the log has no program of this graph\n");
    else if (dynamo)
        buf_add_lit(out, "#   - what Inductor got: this is the graph from Dynamo, because Inductor did not run\n");
    if (w->request->kernel.len)
        buf_add_lit(out, "#   - other kernels: they are not run, so what they would compute is uninitialized memory\n");
    add_names(out, "custom operators, which must be imported", &operators);
    add_names(out, "attributes of the module", &attributes);
    add_lost_graphs(w);
    if (slice_find(w->text, SLICE("kernel_side_table.add_kernel(")) != SIZE_MAX)
        buf_add_lit(out, "#   - functions that the user's Triton kernels call\n");
    if (slice_find(w->text, SLICE("reader.const(")) != SIZE_MAX ||
        slice_find(w->text, SLICE("reader.unsupported(")) != SIZE_MAX ||
        slice_find(w->text, SLICE("reader.opaque(")) != SIZE_MAX)
        buf_add_lit(out, "#   - inputs that are no tensors and no integers: they are None\n");
    if (w->runnable.groups.len || slice_find(w->text, SLICE("c10d")) != SIZE_MAX)
        buf_add_lit(out, "#   - other processes: groups of processes are fake, and collectives do not communicate\n");
    add_left_out(w);
}

static void add_head(struct writer *w) {
    struct buf *out = w->out;
    AUTO_BUF title = {0};
    add_title(&title, w);
    buf_add_lit(out, "#!/usr/bin/env python3\n# ");
    python_add_comment(out, buf_slice(&title), 200);
    buf_add_lit(
        out,
        ", extracted by tlparse " TLPARSE_VERSION " from a log of torch.compile.\n"
        "#\n# THIS PROGRAM CONTAINS CODE FROM THE LOG: READ IT BEFORE YOU RUN IT. The code is below the heading\n"
        "# \"From the log\". All else is data, or a part of tlparse. See --help for what the program can do.\n#\n");
    add_versions(w);
    add_failure(w);
    add_lacks(w);
    if (w->result->changed)
        buf_add_lit(out, "#\n# Invisible or invalid characters in the code were replaced by U+FFFD.\n");
}

static void add_bool(struct buf *out, const char *name, bool value) {
    BUF_ADD(out, "    \"", name, "\": ", value ? "True,\n" : "False,\n");
}

static void add_pairs(struct buf *out, const char *name, const struct runnable_pair *pairs, size_t count, bool list) {
    BUF_ADD(out, "    \"", name, list ? "\": [\n" : "\": {\n");
    for (size_t i = 0; i < count; i++) {
        buf_add_str(out, list ? "        (" : "        ");
        python_add_string(out, pairs[i].name);
        buf_add_str(out, list ? ", " : ": ");
        python_add_string(out, pairs[i].value);
        buf_add_str(out, list ? "),\n" : ",\n");
    }
    buf_add_str(out, list ? "    ],\n" : "    },\n");
}

static void add_facts(struct buf *out, const char *name, const struct compile_fact *facts, size_t count) {
    BUF_ADD(out, "    \"", name, "\": {\n");
    for (size_t i = 0; i < count; i++)
        add_member(out, "    ", facts[i].name, facts[i].value);
    buf_add_lit(out, "    },\n");
}

static void add_attributes(struct buf *out, struct slice text) {
    struct names names = {0};
    buf_add_lit(out, "    \"attributes\": {\n");
    find_attributes(text, &names, out);
    buf_add_lit(out, "    },\n");
}

/* Whether the code is for more than one thread, even if no loop is parallel: additions of a scatter are atomic, or left to eager mode. */
static bool is_for_several_threads(struct slice code) {
    struct slice scatter = slice_after(code, SLICE("aten.scatter_reduce_.two("));
    return slice_find(code, SLICE("atomic_add")) != SIZE_MAX || slice_find(scatter, SLICE("reduce='sum'")) != SIZE_MAX;
}

/* What Inductor wrote: the names of its kernels, and for how many threads they are. */
static void add_code_facts(struct writer *w) {
    struct buf *out = w->out;
    struct slice threads = slice_after(w->code, SLICE("#pragma omp parallel num_threads("));
    bool several = !threads.len && is_for_several_threads(w->code);
    BUF_ADD(out, "    \"kernels\": [\n");
    kernel_order_add(out, w->code);
    BUF_ADD(out, "    ],\n    \"donated\": [", w->donated, "],\n");
    add_member(out, "", SLICE("threads"),
               several ? SLICE("several") : slice_first(threads, digits_length(slice_first(threads, 3))));
}

/* The backend of the run, as far as the log shows it. */
static const char *backend_of(const struct writer *w) {
    const struct compile_records *records = w->records;
    if (!slice_is(slice_str(w->kind), "dynamo"))
        return "inductor";
    if (records->programs.count || records->codes.count)
        return "inductor";
    const char *failed = own_backend(failed_backend(records->fail_reason));
    if (failed)
        return failed;
    if (slice_starts(records->fail_reason, SLICE("Backend compiler failed with a fake tensor exception")))
        return "aot_eager"; /* PyTorch up to 2.7 does not name the backend: one that traces with fake tensors, which Inductor does like this */
    return records->has_aot ? "aot_eager" : "eager";
}

static void add_data(struct writer *w) {
    struct buf *out = w->out;
    AUTO_BUF title = {0}, note = {0};
    const struct compile_records *records = w->records;
    struct slice failed = failure_of(w);
    bool dynamo = slice_is(slice_str(w->kind), "dynamo");
    add_title(&title, w);
    buf_add_lit(out, "\n" PYTHON_HEADING " Data of the log\nPROGRAM = {\n");
    add_member(out, "", SLICE("title"), buf_slice(&title));
    add_member(out, "", SLICE("kind"), slice_str(w->kind));
    add_member(out, "", SLICE("torch"), w->version);
    add_member(out, "", SLICE("device"), slice_str(device_of(w->text)));
    add_member(out, "", SLICE("mode"), slice_str(modes[w->request->mode]));
    add_member(out, "", SLICE("ablate"), slice_str(w->request->ablate ? w->request->ablate : ""));
    add_member(out, "", SLICE("backend"), slice_str(backend_of(w)));
    add_failure_note(&note, w);
    add_member(out, "", SLICE("failure"), utf8_first(failed, 80));
    add_member(out, "", SLICE("failure_text"), failed.len ? failure_text(w) : SLICE(""));
    add_member(out, "", SLICE("failure_note"), buf_slice(&note));
    add_member(out, "", SLICE("marks"), marks_of(w));
    add_bool(out, "run_backward", dynamo && w->request->backward);
    add_member(out, "", SLICE("tracing_mode"), slice_str(w->runnable.symbolic ? "symbolic" : "real"));
    add_bool(out, "is_inference", w->runnable.is_inference);
    add_bool(out, "is_backward", w->backward);
    add_member(out, "", SLICE("kernel"), w->request->kernel);
    add_code_facts(w);
    add_member(out, "", SLICE("groups"), w->runnable.groups);
    add_pairs(out, "settings", w->runnable.settings.items, w->runnable.settings.count, true);
    add_pairs(out, "environment", w->runnable.environment.items, w->runnable.environment.count, false);
    add_facts(out, "hints", records->symbols.items, dynamo ? records->symbols.count : 0);
    add_facts(out, "sources", records->sources.items, dynamo ? records->sources.count : 0);
    add_attributes(out, dynamo ? w->text : SLICE(""));
    buf_add_lit(out, "}\n\n" PYTHON_HEADING " How the program runs: this part is tlparse's own\n");
    buf_add(out, slice_make((const char *)harness, sizeof harness));
}

static void add_imports(struct buf *out) {
    buf_add_lit(out, "\n\ntl_start(PROGRAM)\n\n"
                     "import torch\nimport torch.fx as fx\nimport torch._inductor.inductor_prims\n"
                     "import torch._higher_order_ops.triton_kernel_wrap\nimport torch.utils._pytree as pytree\n"
                     "import builtins, collections, functools, itertools, operator, typing\n"
                     "from math import inf, nan\nfrom torch import tensor\n"
                     "from torch._dynamo.testing import rand_strided\n\n"
                     "device, NoneType, fx_pytree = tl_device, type(None), torch.fx._pytree\n"
                     "Max, Min = max, min  # in sizes that PyTorch up to 2.11 writes\n\n");
}

static void add_all(struct writer *w, struct slice code) {
    add_head(w);
    add_data(w);
    add_imports(w->out);
    buf_add_lit(w->out, PYTHON_HEADING " From the log\n");
    buf_add(w->out, code);
    buf_add_lit(w->out, "\n" PYTHON_HEADING " End of what is from the log\n"
                        "if __name__ == \"__main__\":\n    sys.exit(tl_main(globals()))\n");
}

static bool add_kernel(struct writer *w, struct err *err) {
    AUTO_BUF code = {0}, have = {0};
    if (!kernel_code_add(&code, w->records, w->request->kernel, &w->result->changed)) {
        kernel_names_add(&have, w->records);
        return err_set(err, ERR_INPUT, "%s: compile %.*s has no kernel %.*s. It has: %.*s", w->request->source,
                       SLICE_ARG(w->request->compile), SLICE_ARG(w->request->kernel),
                       SLICE_ARG(have.len ? buf_slice(&have) : SLICE("none")));
    }
    w->kind = "kernel";
    w->text = buf_slice(&code);
    add_all(w, buf_slice(&code));
    return true;
}

static void add_code(struct writer *w, struct buf *out) {
    for (size_t i = 0; i < w->runnable.code.count; i++) {
        struct slice name, line = w->runnable.code.items[i];
        if (is_lost_graph(line, &name))
            BUF_ADD(out, "        self.", name, " = None\n");
        else
            python_add_code(out, line.len ? line : SLICE("\n"), &w->result->changed);
    }
}

static bool add_graph(struct writer *w, struct err *err) {
    AUTO_BUF code = {0};
    const struct compile_text *graph = program_graph(w->records, w->request, w->result, err);
    if (!graph)
        return false;
    w->text = graph->text;
    w->kind = w->result->from_dynamo ? "dynamo" : "inductor";
    w->backward = !w->result->from_dynamo && graph->backward;
    if (w->result->from_dynamo) {
        if (slice_find(graph->text, SLICE("class GraphModule(")) == SIZE_MAX)
            return err_set(err, ERR_INPUT, "%s: the graph of compile %.*s is in a form that cannot be run",
                           w->request->source, SLICE_ARG(w->request->compile));
        python_add_code(&code, graph->text, &w->result->changed);
    } else {
        w->code = graph->code;
        if (w->backward)
            w->donated = donated_to(w->records, graph);
        runnable_read(&w->runnable, graph->text);
        if (!w->runnable.has_graph)
            return err_set(err, ERR_INPUT, "%s: fx_graph_runnable of compile %.*s has no graph", w->request->source,
                           SLICE_ARG(w->request->compile));
        add_code(w, &code);
        if (w->runnable.version.len)
            w->version = w->runnable.version;
    }
    add_all(w, buf_slice(&code));
    return true;
}

bool program_add(struct buf *out, const struct compile_records *records, const struct program_request *request,
                 struct program_result *result, struct err *err) {
    struct writer w = {.out = out,
                       .records = records,
                       .request = request,
                       .result = result,
                       .version = records->torch_version,
                       .kind = "inductor"};
    *result = (struct program_result){0};
    bool ok = request->kernel.len ? add_kernel(&w, err) : add_graph(&w, err);
    runnable_free(&w.runnable);
    return ok;
}
