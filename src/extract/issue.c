#include "extract/issue.h"

#include "base/text.h"
#include "extract/python_text.h"
#include "extract/runnable.h"

enum { REASON_BYTES = 6000, VALUE_BYTES = 120, SETTINGS_SHOWN = 60 };

static void add_fence(struct buf *out, size_t ticks, const char *language) {
    for (size_t i = 0; i < ticks; i++)
        buf_add_byte(out, '`');
    BUF_ADD(out, language, "\n");
}

/* A code block that the text cannot end. */
static void add_block(struct buf *out, struct slice text, const char *language) {
    bool changed = false;
    size_t run = markdown_backticks(text), ticks = run < 3 ? 3 : run + 1;
    add_fence(out, ticks, language);
    python_add_code(out, text, &changed);
    add_fence(out, ticks, "");
}

/* A code span on one line. */
static void add_span(struct buf *out, struct slice text, size_t max) {
    markdown_add_code(out, text.len ? utf8_first(text, max) : SLICE(" "));
    if (text.len > max)
        buf_add_lit(out, "…");
}

static void add_folded(struct buf *out, const char *title, struct slice text, const char *language) {
    BUF_ADD(out, "<details><summary>", title, "</summary>\n\n");
    add_block(out, text, language);
    buf_add_lit(out, "\n</details>\n\n");
}

static void add_what(struct buf *out, const struct compile_records *records, const struct program_request *request) {
    buf_add_lit(out, "### Describe the bug\n\n<!-- What did you expect, and what happened? -->\n\nCompile ");
    add_span(out, request->compile, 40);
    if (records->frame_name.len) {
        buf_add_lit(out, " of ");
        add_span(out, records->frame_name, 120);
    }
    if (records->fail_type.len) {
        buf_add_lit(out, " failed with ");
        add_span(out, records->fail_type, 120);
    }
    buf_add_lit(out, ".\n\n");
    if (records->fail_reason.len)
        add_block(out, utf8_first(records->fail_reason, REASON_BYTES), "text");
    if (records->recompile_reasons.len) {
        buf_add_lit(out, "\nIt is a recompile. Guards that failed:\n\n");
        add_block(out, utf8_first(records->recompile_reasons, REASON_BYTES), "text");
    }
    buf_add_byte(out, '\n');
}

static void add_versions(struct buf *out, const struct compile_records *records, const struct runnable *runnable) {
    struct slice version = runnable->version.len ? runnable->version : records->torch_version;
    buf_add_lit(out, "### Versions\n\n- PyTorch ");
    add_span(out, version.len ? version : SLICE("unknown"), 80);
    if (records->torch_commit.len) {
        buf_add_lit(out, ", commit ");
        add_span(out, records->torch_commit, 64);
    }
    if (runnable->cuda.len) {
        buf_add_lit(out, "\n- CUDA ");
        add_span(out, runnable->cuda, 40);
    }
    for (size_t i = 0; i < runnable->hardware.count && i < 8; i++) {
        buf_add_lit(out, "\n- ");
        add_span(out, runnable->hardware.items[i], 80);
    }
    buf_add_lit(out, "\n\n<!-- Add the output of: python -m torch.utils.collect_env -->\n\n");
}

static void add_row(struct buf *out, const struct runnable_pair *pair) {
    buf_add_lit(out, "| ");
    add_span(out, pair->name, VALUE_BYTES);
    buf_add_lit(out, " | ");
    add_span(out, pair->value, VALUE_BYTES);
    buf_add_lit(out, " |\n");
}

static void add_settings(struct buf *out, const struct runnable *runnable, bool known) {
    size_t shown = 0, count = runnable->settings.count + runnable->environment.count;
    buf_add_lit(out, "### Settings that differ from the defaults\n\n");
    if (!known || !count) {
        buf_add_str(out, known ? "None.\n\n" : "Unknown: the log has them only if Inductor ran.\n\n");
        return;
    }
    buf_add_lit(out, "| setting | value |\n|---|---|\n");
    for (size_t i = 0; i < runnable->settings.count && shown < SETTINGS_SHOWN; i++, shown++)
        add_row(out, &runnable->settings.items[i]);
    for (size_t i = 0; i < runnable->environment.count && shown < SETTINGS_SHOWN; i++, shown++)
        add_row(out, &runnable->environment.items[i]);
    if (shown < count)
        BUF_ADD(out, "\n", (uint64_t)(count - shown), " more.\n");
    buf_add_byte(out, '\n');
}

/* ---- PyTorch's own program -------------------------------------------------------------------------------------- */

/* A literal: nothing in it is called. */
static bool is_literal(struct slice value) {
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.ptr[i];
        if (c >= 0x80 || c < ' ' || strchr("()=*;\\#@`", c))
            return false;
    }
    return value.len && slice_find(value, SLICE("__")) == SIZE_MAX;
}

static void add_literal(struct buf *out, const char *before, struct slice name, struct slice value) {
    if (is_literal(value))
        BUF_ADD(out, before, name, " = ", value, "\n");
}

/* The program as PyTorch logs it, which its developers know, without what belongs to the recorded run: its caches, logs and folders. */
static void add_own_program(struct buf *out, const struct runnable *runnable) {
    bool changed = false;
    buf_add_lit(out, "import os, tempfile\n\nos.environ[\"TORCHINDUCTOR_CACHE_DIR\"] = tempfile.mkdtemp()\n");
    for (size_t i = 0; i < runnable->environment.count; i++) {
        BUF_ADD(out, "os.environ[\"", runnable->environment.items[i].name, "\"] = ");
        python_add_string(out, runnable->environment.items[i].value);
        buf_add_byte(out, '\n');
    }
    buf_add_lit(out,
                "\nimport torch\nimport torch.fx as fx\nimport torch._dynamo.config\nimport torch._inductor.config\n"
                "import torch._functorch.config\nimport torch.fx.experimental._config\n"
                "import torch._inductor.inductor_prims\nimport torch._higher_order_ops.triton_kernel_wrap\n"
                "from math import inf, nan\nfrom torch import device, tensor\n"
                "from torch._dynamo.testing import rand_strided\n"
                "from torch._dynamo.repro.after_aot import run_repro\n\n");
    for (size_t i = 0; i < runnable->settings.count; i++)
        add_literal(out, "", runnable->settings.items[i].name, runnable->settings.items[i].value);
    if (is_literal(runnable->groups))
        BUF_ADD(out, "from torch._dynamo.repro.after_aot import setup_fake_process_groups\nsetup_fake_process_groups(",
                runnable->groups, ")\n");
    for (size_t i = 0; i < runnable->code.count; i++)
        if (runnable->code.items[i].len)
            python_add_code(out, runnable->code.items[i], &changed);
    BUF_ADD(out,
            "\nif __name__ == \"__main__\":\n    with torch.no_grad():\n        run_repro(Repro(), load_args, "
            "accuracy=False, command=\"run\", save_dir=None, tracing_mode=\"",
            runnable->symbolic ? "symbolic" : "real",
            "\", check_str=None, is_inference=", runnable->is_inference ? "True" : "False", ")\n");
}

/* ---- the text --------------------------------------------------------------------------------------------------- */

/* Adds the section if it fits. */
static bool add_if_fits(struct buf *out, struct slice section, size_t room) {
    if (section.len > ISSUE_BYTES || out->len + room > ISSUE_BYTES - section.len)
        return false;
    buf_add(out, section);
    return true;
}

void issue_add(struct buf *out, const struct compile_records *records, const struct program_request *request,
               struct program_result *result) {
    enum { NOTE_BYTES = 512 };
    struct err err = {0};
    struct runnable runnable = {0};
    AUTO_BUF program = {0}, folded = {0}, graph = {0};
    const struct compile_text *text = program_graph(records, request, result, &err);
    bool known = text && !result->from_dynamo;
    if (known)
        runnable_read(&runnable, text->text);
    add_what(out, records, request);
    add_versions(out, records, &runnable);
    add_settings(out, &runnable, known);
    if (known && runnable.has_graph)
        add_own_program(&program, &runnable);
    if (program.len || (text && program_add(&program, records, request, result, &err)))
        add_folded(&folded, "A program that runs the graph", buf_slice(&program), "python");
    if (records->graphs.count)
        add_folded(&graph, "The graph from Dynamo", records->graphs.items[0].text, "python");
    bool graph_fits = graph.len <= ISSUE_BYTES && folded.len + graph.len + NOTE_BYTES + out->len <= ISSUE_BYTES;
    buf_add_lit(out, "### To reproduce\n\n");
    if (!folded.len)
        buf_add_lit(out, "The log has no graph that can be run.\n\n");
    else if (!add_if_fits(out, buf_slice(&folded), NOTE_BYTES))
        buf_add_lit(out, "The program is too large for an issue: attach the file that `tlparse extract LOG COMPILE -o "
                         "repro.py` writes.\n\n");
    if (graph.len && (graph_fits || !folded.len || out->len < ISSUE_BYTES / 2) &&
        !add_if_fits(out, buf_slice(&graph), NOTE_BYTES))
        buf_add_lit(out, "The graph from Dynamo is left out: it is too large.\n\n");
    buf_add_lit(out, "<!-- Written by tlparse " TLPARSE_VERSION
                     ". The program contains code from the log: read it before you run it. -->\n");
    runnable_free(&runnable);
}
