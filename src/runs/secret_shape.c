#include "runs/secret_view.h"

enum { GLUED_MIN = 16, JWT_MIN = 8, BASIC_MIN = 8 };

/* Where a prefix counts. Other words begin like prefixes of kind WORD: hf_model, sk-learn, npm_config. */
enum place { WORD, CLEAR, ANYWHERE };

/* Prefixes of tokens. */
static const struct prefix {
    const char *text;
    size_t least; /* characters that follow */
    bool upper;   /* only upper-case letters and digits follow */
    enum place place;
} prefixes[] = {
    {"AIza", 8, false, CLEAR},      {"AKIA", 4, true, ANYWHERE},
    {"ASIA", 8, true, CLEAR},       {"ATATT", 8, false, CLEAR},
    {"dapi", 16, false, CLEAR},     {"dckr_pat_", 3, false, CLEAR},
    {"dop_v1_", 3, false, CLEAR},   {"eyJ", JWT_MIN, false, CLEAR},
    {"gho_", 3, false, ANYWHERE},   {"ghp_", 3, false, ANYWHERE},
    {"ghr_", 3, false, ANYWHERE},   {"ghs_", 3, false, ANYWHERE},
    {"ghu_", 3, false, ANYWHERE},   {"github_pat_", 3, false, ANYWHERE},
    {"glpat-", 3, false, ANYWHERE}, {"gsk_", 16, false, CLEAR},
    {"hf_", 3, false, WORD},        {"hvs.", 8, false, CLEAR},
    {"lsv2_", 8, false, CLEAR},     {"npm_", 3, false, WORD},
    {"nvapi-", 3, false, ANYWHERE}, {"pypi-", 8, false, WORD},
    {"r8_", 16, false, CLEAR},      {"rk_live_", 3, false, CLEAR},
    {"sk-", 3, false, WORD},        {"sk_live_", 3, false, CLEAR},
    {"sk_test_", 3, false, CLEAR},  {"whsec_", 3, false, CLEAR},
    {"xapp-", 3, false, CLEAR},     {"xoxa-", 3, false, CLEAR},
    {"xoxb-", 3, false, ANYWHERE},  {"xoxp-", 3, false, CLEAR},
    {"xoxs-", 3, false, CLEAR},     {"ya29.", 8, false, CLEAR},
};
/* Addresses whose remainder is the secret. */
static const char *const webhooks[] = {"api.telegram.org/bot", "discord.com/api/webhooks/",
                                       "discordapp.com/api/webhooks/", "hooks.slack.com/services/"};

static bool is_body(char c) {
    return secret_is_alnum(c) || c == '_' || c == '-';
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_quote(char c) {
    return c == '\'' || c == '"' || c == '`';
}

static bool ends_word(char c) {
    return is_space(c) || is_quote(c) || c == '<' || c == '>';
}

static bool is_upper_or_digit(char c) {
    return (c >= 'A' && c <= 'Z') || secret_is_digit(c);
}

/* Whether the text after a prefix of kind WORD consists of words, with nothing random: hf_transfer, hf_my_model,
 * data/hf_corpus. */
static bool is_plain(struct slice body, bool in_path) {
    static const char *const words[] = {"api",     "bert",      "cache",   "config",  "configs",  "data",
                                        "dataset", "datasets",  "dir",     "format",  "gpt",      "home",
                                        "hub",     "image",     "learn",   "llama",   "model",    "models",
                                        "name",    "package",   "path",    "repo",    "run",      "task",
                                        "token",   "tokenizer", "train",   "trainer", "transfer", "transformers",
                                        "user",    "version",   "weights", "xet"};
    struct slice word = body;
    bool parted = false;
    while (word.len && body.len - word.len < 2 && secret_is_digit(word.ptr[word.len - 1]))
        word.len--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (secret_is_word(word, words[i]))
            return true;
    for (size_t i = 0; i < body.len; i++) {
        if (is_upper_or_digit(body.ptr[i]))
            return false;
        parted |= body.ptr[i] == '_';
    }
    return parted || (in_path && body.len < GLUED_MIN);
}

/* The end of what may follow the characters of a token: the parts of a JSON Web Token, and padding. */
static size_t tail_end(struct slice text, size_t end) {
    while (end < text.len &&
           (is_body(text.ptr[end]) || text.ptr[end] == '=' || text.ptr[end] == '+' || text.ptr[end] == '/' ||
            (text.ptr[end] == '.' && end + 1 < text.len && is_body(text.ptr[end + 1]))))
        end++;
    return end;
}

static size_t prefix_at(struct slice view, size_t at) {
    struct slice rest = slice_from(view, at);
    char before = at ? view.ptr[at - 1] : ' ';
    bool glued = secret_is_alnum(before), joined = is_body(before);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const struct prefix *prefix = &prefixes[i];
        size_t len = strlen(prefix->text), end = len;
        if (*prefix->text != *rest.ptr || (joined && prefix->place == WORD) || (glued && prefix->place != ANYWHERE) ||
            !slice_starts(rest, slice_str(prefix->text)))
            continue;
        while (end < rest.len && (prefix->upper ? is_upper_or_digit(rest.ptr[end]) : is_body(rest.ptr[end])))
            end++;
        if (end - len < (glued ? GLUED_MIN : prefix->least))
            continue;
        struct slice body = slice_make(rest.ptr + len, end - len);
        char next = end < rest.len ? rest.ptr[end] : ' ';
        bool named = next == '=' || next == '(' || next == '/' ||
                     (next == '.' && end + 1 < rest.len && secret_is_letter(rest.ptr[end + 1]));
        if (prefix->place == WORD && (named || is_plain(body, before == '/')))
            continue;
        return at + tail_end(rest, end);
    }
    return 0;
}

static size_t webhook_at(struct slice view, size_t at, size_t *from) {
    for (size_t i = 0; i < sizeof webhooks / sizeof *webhooks; i++)
        if (secret_starts(slice_from(view, at), webhooks[i])) {
            size_t end = *from = at + strlen(webhooks[i]);
            while (end < view.len && !ends_word(view.ptr[end]))
                end++;
            return end > *from ? end : 0;
        }
    return 0;
}

/* "Bearer x", "Basic eDp5" */
static size_t scheme_at(struct slice view, size_t at, size_t *from) {
    struct slice rest = slice_from(view, at);
    bool bearer = secret_starts(rest, "bearer"), upper = false, other = false;
    size_t end = bearer ? 6 : 5;
    if ((!bearer && !secret_starts(rest, "basic")) || (at && is_body(view.ptr[at - 1])) || end >= rest.len ||
        !is_space(rest.ptr[end]))
        return 0;
    while (end < rest.len && is_space(rest.ptr[end]))
        end++;
    *from = at + end;
    for (; end < rest.len && !ends_word(rest.ptr[end]); end++) {
        char c = rest.ptr[end];
        upper |= is_upper_or_digit(c) || c == '=';
        other |= !secret_is_alnum(c) && !(c && strchr("+/=-_", c));
    }
    size_t len = at + end - *from;
    return len && (bearer || (len >= BASIC_MIN && upper && !other)) ? at + end : 0;
}

static size_t private_key_at(struct slice view, size_t at) {
    static const struct slice begin = SLICE_INIT("-----BEGIN "), last = SLICE_INIT("-----END ");
    struct slice rest = slice_from(view, at);
    if (!slice_starts(rest, begin))
        return 0;
    struct slice head = slice_first(slice_from(rest, begin.len), 64);
    if (slice_find(head, SLICE("PRIVATE KEY")) == SIZE_MAX)
        return 0;
    size_t end = slice_find(rest, last);
    if (end == SIZE_MAX)
        return view.len;
    struct slice tail = slice_from(rest, end + last.len);
    size_t dashes = slice_find(slice_first(tail, 64), SLICE("-----"));
    return dashes == SIZE_MAX ? view.len : at + end + last.len + dashes + 5;
}

/* The last @ in the word from `at` on; SIZE_MAX: none. */
static size_t last_at_sign(struct secret_shapes *shapes, struct slice view, size_t at) {
    size_t found = SIZE_MAX, end = at;
    if (at < shapes->no_at)
        return SIZE_MAX;
    for (; end < view.len && !ends_word(view.ptr[end]); end++)
        if (view.ptr[end] == '@')
            found = end;
    shapes->no_at = found == SIZE_MAX ? end : 0;
    return found;
}

/* scheme://user:password@host: `at` is after "://". A password may have a slash that should have been %2F. */
static size_t user_at(struct secret_shapes *shapes, struct slice view, size_t at) {
    size_t end = at, sign = SIZE_MAX, colon = SIZE_MAX;
    bool port = true;
    for (; end < view.len && !ends_word(view.ptr[end]) && view.ptr[end] != '/' && view.ptr[end] != '?' &&
           view.ptr[end] != '#';
         end++) {
        if (view.ptr[end] == '@')
            sign = end;
        if (colon != SIZE_MAX && !secret_is_digit(view.ptr[end]))
            port = false;
        if (view.ptr[end] == ':' && colon == SIZE_MAX)
            colon = end;
    }
    bool ipv6 = at < view.len && view.ptr[at] == '[';
    if (sign == SIZE_MAX && colon != SIZE_MAX && !ipv6 && !(port && end > colon + 1))
        sign = last_at_sign(shapes, view, end);
    return sign == SIZE_MAX ? 0 : sign;
}

static bool is_user(char c) {
    return secret_is_alnum(c) || c == '.' || c == '_' || c == '-' || c == '%' || c == '+';
}

/* user:password@host without a scheme. */
static size_t bare_user_at(struct slice view, size_t at) {
    size_t end = at;
    while (end < view.len && is_user(view.ptr[end]))
        end++;
    if (end == at || end >= view.len || view.ptr[end] != ':')
        return 0;
    size_t from = ++end;
    while (end < view.len && !ends_word(view.ptr[end]) && !strchr("@/:,;=()[]{}", view.ptr[end]))
        end++;
    bool sign = end > from && end + 1 < view.len && view.ptr[end] == '@' && secret_is_alnum(view.ptr[end + 1]);
    return sign && !secret_starts(slice_from(view, end + 1), "sha256:") ? end : 0;
}

size_t secret_shape_at(struct secret_shapes *shapes, struct slice view, size_t at, size_t *from) {
    size_t end = 0;
    char c = view.ptr[at];
    *from = at;
    if (c == '-')
        return private_key_at(view, at);
    if (c == '/')
        return at >= 2 && view.ptr[at - 1] == '/' && view.ptr[at - 2] == ':' && (end = user_at(shapes, view, at + 1))
                 ? (*from = at + 1, end)
                 : 0;
    if (!secret_is_alnum(c))
        return 0;
    if ((end = prefix_at(view, at)) || (end = webhook_at(view, at, from)) || (end = scheme_at(view, at, from)))
        return end;
    *from = at;
    return at && (is_user(view.ptr[at - 1]) || view.ptr[at - 1] == '/') ? 0 : bare_user_at(view, at);
}
