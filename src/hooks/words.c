#include "hooks/words.h"

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Takes one argument from the start of the text. Returns false if a quote is not closed. */
static bool take_word(struct slice *text, struct buf *word) {
    char quote = 0;
    size_t i = 0;
    for (; i < text->len && (quote || !is_space(text->ptr[i])); i++) {
        char c = text->ptr[i];
        if (c == '\\' && quote != '\'' && i + 1 < text->len)
            buf_add_byte(word, text->ptr[++i]);
        else if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? 0 : c;
        else
            buf_add_byte(word, c);
    }
    *text = slice_from(*text, i);
    return !quote;
}

static char *text_of(const struct buf *b) {
    return mem_printf("%.*s", SLICE_ARG(buf_slice(b)));
}

char **words_split(struct slice text, const char **why) {
    LIST(char *) list = {0};
    struct buf word = {0};
    bool closed = true;
    for (text = slice_trim(text); closed && text.len; text = slice_trim(text)) {
        word.len = 0;
        closed = take_word(&text, &word);
        LIST_ADD(&list, text_of(&word));
    }
    buf_free(&word);
    bool any = list.count > 0;
    MEM_GROW(&list);
    list.items[list.count] = NULL;
    if (closed && any && list.items[0][0])
        return list.items;
    *why = !closed ? "a quote is not closed" : "it names no program";
    words_free(list.items);
    return NULL;
}

static char *fill(const char *word, const char *name, const char *value) {
    struct slice rest = slice_str(word);
    char *hole = mem_printf("{%s}", name);
    struct slice mark = slice_str(hole);
    AUTO_BUF filled = {0};
    for (size_t at; (at = slice_find(rest, mark)) != SIZE_MAX; rest = slice_from(rest, at + mark.len))
        BUF_ADD(&filled, slice_first(rest, at), value);
    buf_add(&filled, rest);
    char *text = text_of(&filled);
    mem_free(hole);
    return text;
}

char **words_fill(char *const *words, const char *name, const char *value) {
    size_t count = 0;
    while (words[count])
        count++;
    char **filled = mem_zalloc(count + 1, sizeof *filled);
    for (size_t i = 0; i < count; i++)
        filled[i] = fill(words[i], name, value);
    return filled;
}

bool words_have(char *const *words, const char *name) {
    char *hole = mem_printf("{%s}", name);
    bool found = false;
    for (size_t i = 0; words[i]; i++)
        found |= strstr(words[i], hole) != NULL;
    mem_free(hole);
    return found;
}

void words_free(char **words) {
    for (size_t i = 0; words && words[i]; i++)
        mem_free(words[i]);
    mem_free(words);
}
