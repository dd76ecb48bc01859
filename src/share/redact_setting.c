#include "share/redact_parts.h"

#include "share/redact_word.h"

enum { VALUE_LEAST = 4 };

void redact_learn_setting(struct redact *r, struct slice name) {
    bool added;
    for (size_t at = 0, from; redact_next_word(name, &at, &from);) { /* "triton.cudagraph_or_error" */
        struct slice word = slice_make(name.ptr + from, at - from);
        if (memchr(word.ptr, '_', word.len)) /* "debug" and "trace" are words, too */
            map_put(&r->settings, word, 1, &added);
    }
}

void redact_learn_value(struct redact *r, struct slice value) {
    value = slice_trim(value);
    if (value.len >= VALUE_LEAST && !redact_is_plain(value))
        redact_known_add(&r->values, value);
}

size_t redact_value_at(struct redact *r, struct slice text, size_t at) {
    bool within = at && redact_is_word_byte(text.ptr[at - 1]) && redact_is_word_byte(text.ptr[at]);
    return within ? 0 : redact_known_at(&r->values, slice_from(text, at), true);
}

bool redact_is_setting(const struct redact *r, struct slice word) {
    static const struct slice parts[] = {SLICE_INIT("inductor_config"), SLICE_INIT("dynamo_config"),
                                         SLICE_INIT("functorch_config"), SLICE_INIT("compilation_config"),
                                         SLICE_INIT("compiler_config")};
    static const char *const stages[] = {"fx_graph", "pre_grad", "output_code",
                                         "compiled_autograd"}; /* also settings */
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (slice_is(word, stages[i]))
            return false;
    if (slice_starts(word, SLICE("config_")) || vocabulary_is_setting(word) || map_get(&r->settings, word) != MAP_NONE)
        return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts;
         i++) /* other configurations belong to the program: text_config */
        if (slice_find(word, parts[i]) != SIZE_MAX)
            return true;
    return false;
}

bool redact_has_setting(const struct redact *r, struct slice line) {
    static const char *const owners[] = {"torch",  "_dynamo",  "_inductor", "_functorch",
                                         "dynamo", "inductor", "functorch"};
    struct slice before = {0};
    if (slice_starts(slice_trim(line), SLICE("export ")))
        return true;
    for (size_t at = 0, from; redact_next_word(line, &at, &from);) {
        struct slice word = slice_make(line.ptr + from, at - from);
        if (redact_is_setting(r, word) || slice_is(word, "environ") || slice_is(word, "getenv"))
            return true;
        for (size_t i = 0; slice_is(word, "config") && i < sizeof owners / sizeof *owners; i++)
            if (slice_is(before, owners[i]))
                return true;
        before = word;
    }
    return false;
}
