#include "extract/runnable.h"

#include "base/word.h"

static const struct slice configs[] = {SLICE_INIT("torch._inductor.config."), SLICE_INIT("torch._dynamo.config."),
                                       SLICE_INIT("torch._functorch.config."),
                                       SLICE_INIT("torch.fx.experimental._config.")};

/* Settings that name folders and processes of the first run, or that make PyTorch write files for it. */
static const struct slice settings_of_run[] = {
    SLICE_INIT("torch._inductor.config.aot_inductor."),
    SLICE_INIT("torch._inductor.config.trace."),
    SLICE_INIT("torch._inductor.config.debug"),
    SLICE_INIT("torch._inductor.config.log_tlparse"),
    SLICE_INIT("torch._inductor.config.compile_threads"),
    SLICE_INIT("torch._inductor.config.worker_"),
    SLICE_INIT("torch._inductor.config.triton.store_cubin"),
    SLICE_INIT("torch._inductor.config.triton.debug_"),
    SLICE_INIT("torch._inductor.config.autotune_in_subproc"),
    SLICE_INIT("torch._dynamo.config.debug_dir_root"),
    SLICE_INIT("torch._dynamo.config.repro_"),
    SLICE_INIT("torch._dynamo.config.base_dir"),
    SLICE_INIT("torch._dynamo.config.log_"),
    SLICE_INIT("torch._dynamo.config.replay_record_enabled"),
    SLICE_INIT("torch._dynamo.config.caching_precompile"),
};

/* Variables with these beginnings change what PyTorch compiles, unless they have one of the words. */
static const struct slice variables[] = {SLICE_INIT("TORCHINDUCTOR_"), SLICE_INIT("TORCHDYNAMO_"),
                                         SLICE_INIT("TORCH_COMPILE_"), SLICE_INIT("TORCHFUNCTORCH_"),
                                         SLICE_INIT("PYTORCH_")};
static const struct slice words_of_run[] = {
    SLICE_INIT("DIR"),     SLICE_INIT("PATH"),  SLICE_INIT("TRACE"), SLICE_INIT("LOG"),      SLICE_INIT("CACHE"),
    SLICE_INIT("THREADS"), SLICE_INIT("DEBUG"), SLICE_INIT("DUMP"),  SLICE_INIT("REPRO"),    SLICE_INIT("WORKER"),
    SLICE_INIT("REMOTE"),  SLICE_INIT("JOB"),   SLICE_INIT("PTR"),   SLICE_INIT("DISABLED"),
};

static bool starts_with_any(struct slice text, const struct slice *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_starts(text, list[i]))
            return true;
    return false;
}

static bool has_any(struct slice text, const struct slice *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_find(text, list[i]) != SIZE_MAX)
            return true;
    return false;
}

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* A value that may be the path of a file. */
static bool is_path(struct slice value) {
    return memchr(value.ptr, '/', value.len) || memchr(value.ptr, '\\', value.len);
}

/* "a.b_c" */
static bool is_dotted(struct slice text) {
    while (text.len) {
        size_t length = word_length(text);
        if (!length || is_digit(text.ptr[0]))
            return false;
        text = slice_from(text, length);
        if (text.len && (!slice_cut_start(&text, SLICE(".")) || !text.len))
            return false;
    }
    return true;
}

/* torch._inductor.config.NAME = VALUE */
static bool read_setting(struct runnable *runnable, struct slice line) {
    size_t equals = slice_find(line, SLICE(" = "));
    if (equals == SIZE_MAX || !starts_with_any(line, configs, COUNT_OF(configs)))
        return false;
    struct runnable_pair pair = {slice_first(line, equals), slice_trim(slice_from(line, equals + 3))};
    if (!is_dotted(pair.name))
        return false;
    bool remote = slice_find(pair.name, SLICE("remote")) != SIZE_MAX; /* such as fx_graph_remote_cache: a service */
    if (remote || starts_with_any(pair.name, settings_of_run, COUNT_OF(settings_of_run)) || is_path(pair.value))
        LIST_ADD(&runnable->left, pair);
    else
        LIST_ADD(&runnable->settings, pair);
    return true;
}

/* The text of a string without escapes, "'x'"; false: it is none. */
static bool read_string(struct slice *text, struct slice *value) {
    if (text->len < 2 || (text->ptr[0] != '\'' && text->ptr[0] != '"'))
        return false;
    size_t end = behind_string(*text, 0);
    if (text->ptr[end - 1] != text->ptr[0] || end < 2)
        return false;
    *value = slice_make(text->ptr + 1, end - 2);
    *text = slice_from(*text, end);
    return !memchr(value->ptr, '\\', value->len);
}

/* os.environ['NAME'] = 'VALUE' */
static bool read_variable(struct runnable *runnable, struct slice line) {
    struct runnable_pair pair = {0};
    if (!slice_cut_start(&line, SLICE("os.environ")))
        return false;
    if (!slice_cut_start(&line, SLICE("[")) || !read_string(&line, &pair.name) ||
        !slice_cut_start(&line, SLICE("] = ")) || !read_string(&line, &pair.value))
        return true; /* such as os.environ.pop(…) */
    bool kept = starts_with_any(pair.name, variables, COUNT_OF(variables)) &&
                !has_any(pair.name, words_of_run, COUNT_OF(words_of_run)) && !is_path(pair.value) &&
                word_length(pair.name) == pair.name.len;
    if (kept)
        LIST_ADD(&runnable->environment, pair);
    else
        LIST_ADD(&runnable->left, pair);
    return true;
}

static bool read_comment(struct runnable *runnable, struct slice line) {
    if (!slice_cut_start(&line, SLICE("# ")))
        return false;
    if (slice_cut_start(&line, SLICE("torch version:")))
        runnable->version = slice_trim(line);
    else if (slice_cut_start(&line, SLICE("torch git version:")))
        runnable->git = slice_trim(line);
    else if (slice_cut_start(&line, SLICE("torch cuda version:")))
        runnable->cuda = slice_trim(line);
    else if (slice_find(line, SLICE(" : ")) != SIZE_MAX)
        LIST_ADD(&runnable->hardware, slice_trim(line));
    return true;
}

/* Lines that the program has itself. */
static bool is_frame(struct slice line) {
    static const struct slice lines[] = {
        SLICE_INIT("import os"),
        SLICE_INIT("import torch"),
        SLICE_INIT("from torch import tensor, device"),
        SLICE_INIT("import torch.fx as fx"),
        SLICE_INIT("from torch._dynamo.testing import rand_strided"),
        SLICE_INIT("import math"),
        SLICE_INIT("from math import inf"),
        SLICE_INIT("import torch._inductor.inductor_prims"),
        SLICE_INIT("import torch._dynamo.config"),
        SLICE_INIT("import torch._inductor.config"),
        SLICE_INIT("import torch._functorch.config"),
        SLICE_INIT("import torch.fx.experimental._config"),
        SLICE_INIT("isolate_fails_code_str = None"),
        SLICE_INIT("import torch.distributed as dist"),
        SLICE_INIT("from torch.testing._internal.distributed.fake_pg import FakeStore"),
        SLICE_INIT("mod = Repro()"),
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        if (slice_eq(line, lines[i]))
            return true;
    return false;
}

/* The call at the end. */
static void read_call(struct runnable *runnable, struct slice line) {
    struct slice groups = slice_after(line, SLICE("setup_fake_process_groups("));
    if (groups.len && slice_ends(groups, SLICE(")")))
        runnable->groups = slice_first(groups, groups.len - 1);
    if (slice_find(line, SLICE("run_repro(mod,")) == SIZE_MAX)
        return;
    runnable->symbolic = slice_find(line, SLICE("tracing_mode='symbolic'")) != SIZE_MAX;
    runnable->is_inference = slice_find(line, SLICE("is_inference=True")) != SIZE_MAX;
}

void runnable_read(struct runnable *runnable, struct slice text) {
    enum { CODE, SKIPPED, CALL } within = CODE;
    bool graph = false, inputs = false;
    struct slice line;
    *runnable = (struct runnable){0};
    while (slice_next_line(&text, &line)) {
        bool indented = line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t');
        if (within != CODE && (indented || !line.len)) {
            if (within == CALL)
                read_call(runnable, slice_trim(line));
            continue;
        }
        within = CODE;
        if (slice_starts(line, SLICE("if \"__compile_source__\" in globals()")))
            within = SKIPPED;
        else if (slice_starts(line, SLICE("if __name__ == ")))
            within = CALL;
        else if (indented || !(read_setting(runnable, line) || read_variable(runnable, line) || is_frame(line) ||
                               read_comment(runnable, line)))
            LIST_ADD(&runnable->code, line);
        graph |= slice_starts(line, SLICE("class Repro("));
        inputs |= slice_starts(line, SLICE("def load_args("));
    }
    runnable->has_graph = graph && inputs;
}

void runnable_free(struct runnable *runnable) {
    mem_free(runnable->settings.items);
    mem_free(runnable->environment.items);
    mem_free(runnable->left.items);
    mem_free(runnable->code.items);
    mem_free(runnable->hardware.items);
    *runnable = (struct runnable){0};
}
