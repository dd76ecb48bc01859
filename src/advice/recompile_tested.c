/* recompile_tested.c - floats that Python branches on and that the graph also computes with. As a tensor, with the
 * result of the test as a separate argument, the values need no versions.
 *
 * Tried with PyTorch 2.15: of the recompiles for the float, only the one for the other result remains. */

#include "advice/recompile_advice.h"
#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "recompiles/dynamic.h"
#include "scan/library.h"

enum { VERSIONS_MAX = 64 /* versions searched before and after the compile */, SYMBOLS_MAX = 1024 };

/* Whether the float is a symbol in this version. */
static bool is_symbol(const struct compile *compile, struct slice source) {
    const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first;
    for (size_t i = 0; symbol && i < SYMBOLS_MAX; symbol = symbol->next, i++)
        if (slice_eq(symbol->source, source) && slice_starts(symbol->symbol, SLICE("zf")))
            return true;
    return false;
}

/* Whether the graph computes with the float. Dynamo passes such a float as a tensor: "l_scale_": []. A float that
 * Python only tests is not an input. */
static bool is_input(const struct compile *compile, struct slice name) {
    AUTO_BUF key = {0};
    buf_addf(&key, "\"l_%.*s_\":", SLICE_ARG(name));
    size_t at = slice_find(compile->sizes, buf_slice(&key));
    struct slice size = at == SIZE_MAX ? (struct slice){0} : slice_trim(slice_from(compile->sizes, at + key.len));
    return slice_starts(size, SLICE("[]"));
}

static bool is_version(const struct compile *compile, const struct compile *other) {
    return compile->process == other->process && compile->frame_id == other->frame_id &&
           slice_eq(compile->frame.file, other->frame.file) && compile->frame.line == other->frame.line;
}

bool number_is_tested_input(const struct model *model, const struct compile *compile, struct slice name,
                            struct slice code) {
    uint64_t line;
    AUTO_BUF source = {0};
    bool found = false;
    size_t first = compile->index > VERSIONS_MAX ? compile->index - VERSIONS_MAX : 0;
    resumed_function(compile->frame.function, &line);
    if (line || !name.len || word_length(name) != name.len || is_library_file(compile->frame.file) ||
        slice_starts(slice_trim(code), SLICE("while ")) ||
        (!line_tests(code) && slice_find(code, SLICE(" if ")) == SIZE_MAX))
        return false;
    buf_addf(&source, "L['%.*s']", SLICE_ARG(name));
    for (size_t i = first; i < model->compiles.count && i <= compile->index + VERSIONS_MAX && !found; i++) {
        const struct compile *version = model->compiles.items[i];
        found = is_version(version, compile) && is_input(version, name) && is_symbol(version, buf_slice(&source));
    }
    return found;
}

void advice_add_symbolic_break(struct buf *text, const struct advising *a, const struct step *step) {
    const struct compile *compile = a->model->compiles.items[step->compile];
    for (size_t i = 0; i < compile->breaks.count; i++) {
        const struct graph_break *found = a->model->breaks.items[compile->breaks.items[i]];
        if (!break_symbolic_bool(found).len)
            continue;
        buf_addf(text,
                 " Change %.*s:%" PRIu64 " first: with a dynamic size, the graph breaks there, because an operator "
                 "needs a bool.",
                 SLICE_ARG(path_last(found->place.file)), found->place.line);
        return;
    }
}
