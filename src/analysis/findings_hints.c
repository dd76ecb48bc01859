/* Advice from PyTorch's hints: settings that are named in full, with what was found when they were followed. */
#include "analysis/chains.h"
#include "analysis/findings_failures.h"
#include "base/word.h"

static const struct slice module = SLICE_INIT("torch._dynamo."), config = SLICE_INIT("torch._dynamo.config.");

/* What each hint leaves out. doc/reliability.md has the programs that followed it. */
static const struct {
    struct slice setting;
    const char *note;
} notes[] = {
    {SLICE_INIT("allow_rnn"),
     "`RNN` and `GRU` are then traced. An `LSTM` on the CPU raises an error in PyTorch 2.15 unless it runs without "
     "gradients."},
    {SLICE_INIT("capture_dynamic_output_shape_ops"),
     "Where Python tests the resulting size, write a comparison: `if n > 0` breaks the graph there, and `if n` raises "
     "an error."},
    {SLICE_INIT("capture_scalar_outputs"),
     "Where Python tests the resulting number, write a comparison: `if n > 0` breaks the graph there, and `if n` "
     "raises an error."},
    {SLICE_INIT("compiled_autograd"),
     "Compile the function that calls `backward()`, too: otherwise it raises an error."},
};

/* What PyTorch captures with these settings is a symbol. A test of it breaks the graph again, or raises an error. */
static bool captures(struct slice hint) {
    return slice_find(hint, SLICE("config.capture_scalar_outputs")) != SIZE_MAX ||
           slice_find(hint, SLICE("config.capture_dynamic_output_shape_ops")) != SIZE_MAX;
}

static bool is_setting(struct slice hint) {
    return slice_find(hint, config) != SIZE_MAX || slice_find(hint, SLICE("`export TORCH")) != SIZE_MAX ||
           slice_starts(hint, SLICE("Set TORCH"));
}

/* With Compiled Autograd, PyTorch captures no call of autograd, whatever this setting is. */
static bool has_no_effect(const struct model *model, const struct graph_break *found, struct slice hint) {
    struct buf value = {0};
    bool on = slice_find(hint, SLICE("trace_autograd_ops")) != SIZE_MAX && found->compiles.count &&
              recompile_setting(&value, model, found->compiles.items[0], "compiled_autograd") &&
              slice_is(buf_slice(&value), "true");
    buf_free(&value);
    return on;
}

enum hint_use failure_hint_use(const struct model *model, const struct graph_break *found, struct slice hint,
                               struct slice code) {
    static const char *const branches[] = {"if ", "elif ", "while "};
    bool library = found->library;
    if ((library && !is_setting(hint)) || has_no_effect(model, found, hint))
        return HINT_USELESS;
    if (!captures(hint))
        return HINT_USEFUL;
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++)
        if (slice_starts(slice_trim(code), slice_str(branches[i])))
            return library ? HINT_USELESS : HINT_BRANCHES;
    return slice_find(code, SLICE("bool(")) != SIZE_MAX ? HINT_USELESS : HINT_USEFUL;
}

struct slice failure_setting_in(struct slice text) {
    size_t at = slice_find(text, SLICE("Set torch._dynamo.config."));
    struct slice rest = at == SIZE_MAX ? (struct slice){0} : slice_from(text, at), line = {0};
    slice_next_line(&rest, &line);
    return slice_trim(line);
}

/* One of PyTorch's hints sets torch._dynamo.NAME, which has no effect. */
static struct slice named_in_full(struct findings *findings, const struct model *model, struct slice hint) {
    size_t at = slice_find(hint, module);
    if (at == SIZE_MAX)
        return hint;
    struct slice name = slice_from(hint, at + module.len);
    name = slice_first(name, word_length(name));
    struct slice rest = slice_trim(slice_from(hint, at + module.len + name.len));
    if (!slice_starts(rest, SLICE("=")) || slice_starts(rest, SLICE("==")))
        return hint;
    struct buf key = {0};
    bool known = false;
    buf_addf(&key, "\"%.*s\":", SLICE_ARG(name));
    for (size_t i = 0; i < model->configs.count && i < CONFIGS_COMPARED_MAX && !known; i++)
        known = model->configs.items[i].kind == CONFIG_DYNAMO &&
                slice_find(model->configs.items[i].json, buf_slice(&key)) != SIZE_MAX;
    buf_free(&key);
    if (!known)
        return hint;
    return finding_say(findings, "%.*sconfig.%.*s", SLICE_ARG(slice_first(hint, at + module.len)),
                       SLICE_ARG(slice_from(hint, at + module.len)));
}

struct slice failure_hint(struct findings *findings, const struct model *model, struct slice hint) {
    hint = named_in_full(findings, model, hint);
    size_t at = slice_find(hint, config);
    struct slice name = at == SIZE_MAX ? (struct slice){0} : slice_from(hint, at + config.len);
    name = slice_first(name, word_length(name));
    for (size_t i = 0; name.len && i < sizeof notes / sizeof *notes; i++)
        if (slice_eq(name, notes[i].setting))
            return finding_say(findings, "%.*s%s %s", SLICE_ARG(slice_trim(hint)),
                               slice_ends(slice_trim(hint), SLICE(".")) ? "" : ".", notes[i].note);
    return hint;
}
