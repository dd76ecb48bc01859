#include "runs/secret.h"

#define HIDDEN "***"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_letter(char c) {
    c = lower(c);
    return c >= 'a' && c <= 'z';
}

/* Whether the word is in the text, in any case, with no letter after it; with `whole`, with none before it either. */
static bool has_word(struct slice text, const char *word, bool whole) {
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= text.len; i++) {
        size_t same = 0;
        while (same < len && lower(text.ptr[i + same]) == word[same])
            same++;
        bool begins = i == 0 || !is_letter(text.ptr[i - 1]);
        bool ends = i + len == text.len || !is_letter(text.ptr[i + len]);
        if (same == len && ends && (begins || !whole))
            return true;
    }
    return false;
}

bool secret_is_name(struct slice name) {
    /* Not "tokens" and "tokenizer", which models have. */
    static const char *const ends[] = {"token",      "secret",     "secrets",     "password", "passwd",
                                       "passphrase", "credential", "credentials", "apikey",   "privatekey"};
    static const char *const words[] = {"key",    "keys", "auth", "authorization", "cookie",    "cookies",
                                        "pass",   "pwd",  "pat",  "private",       "signature", "session",
                                        "bearer", "sas",  "dsn",  "webhook"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (has_word(name, ends[i], false))
            return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(name, words[i], true))
            return true;
    return false;
}

/* scheme://user:password@host */
static bool has_password(struct slice value) {
    for (struct slice rest = value;;) {
        size_t scheme = slice_find(rest, SLICE("://"));
        if (scheme == SIZE_MAX)
            return false;
        rest = slice_from(rest, scheme + 3);
        size_t end = 0;
        while (end < rest.len && rest.ptr[end] != '/' && rest.ptr[end] != ' ' && rest.ptr[end] != '?')
            end++;
        if (slice_find(slice_first(rest, end), SLICE("@")) != SIZE_MAX)
            return true;
    }
}

bool secret_is_value(struct slice value) {
    static const char *const prefixes[] = {"AKIA", "ASIA",  "AIza", "Bearer ", "Basic ", "eyJ",
                                           "ghp_", "gho_",  "ghs_", "ghu_",    "ghr_",   "glpat-",
                                           "hf_",  "pypi-", "sk-",  "xoxb-",   "xoxp-",  "github_pat_"};
    static const char *const parts[] = {"PRIVATE KEY-----", "X-Amz-Signature=", "&sig=", "?sig="};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (slice_starts(value, slice_str(prefixes[i])))
            return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (slice_find(value, slice_str(parts[i])) != SIZE_MAX)
            return true;
    return has_password(value);
}

void secret_add_argument(struct buf *out, struct slice argument, struct slice before) {
    size_t equals = slice_find(argument, SLICE("="));
    struct slice name = slice_first(argument, equals);
    bool assigns = equals != SIZE_MAX, option = slice_starts(argument, SLICE("-"));
    if (assigns && (secret_is_name(name) || secret_is_value(slice_from(argument, equals + 1)))) {
        buf_add(out, name);
        buf_add_lit(out, "=" HIDDEN);
    } else if (secret_is_value(argument) || (!option && slice_starts(before, SLICE("-")) &&
                                             slice_find(before, SLICE("=")) == SIZE_MAX && secret_is_name(before))) {
        buf_add_lit(out, HIDDEN);
    } else {
        buf_add(out, argument);
    }
}
