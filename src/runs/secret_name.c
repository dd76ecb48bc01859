#include "runs/secret_name.h"

#define IS_IN(word, words) is_in(word, words, sizeof(words) / sizeof *(words))
#define ENDS_IN(word, words) ends_in(word, words, sizeof(words) / sizeof *(words))

/* At the end of a word, which may be compound: "githubtoken". Not "tokens" and "tokenizer", because models have these.
 */
static const char *const ends[] = {"accesskey",   "apikey",        "authkey",   "cred",       "credential",
                                   "credentials", "creds",         "jwt",       "licensekey", "passcode",
                                   "passphrase",  "passwd",        "password",  "passwords",  "privatekey",
                                   "pswd",        "pword",         "secret",    "secretkey",  "secrets",
                                   "sessionid",   "signingkey",    "sshkey",    "token",      "accesskeys",
                                   "apikeys",     "encryptionkey", "sharedkey", "masterkey",  "accountkey",
                                   "psk",         "accesstokens"};
static const char *const starts[] = {"apikey", "passwd", "password"};
/* Before "key" or "keys". */
static const char *const of_keys[] = {"access",     "account", "api",    "auth",    "client",      "deploy",
                                      "encryption", "license", "master", "private", "secret",      "service",
                                      "shared",     "signing", "ssh",    "storage", "subscription"};
/* Before "tokens". */
static const char *const of_tokens[] = {"access", "api", "auth",  "bearer",  "github",
                                        "hf",     "hub", "oauth", "refresh", "secret"};
/* The last word of a name. */
static const char *const lasts[] = {"auth",    "authorization", "bearer",  "cookie",   "cookies", "dsn", "key",
                                    "keys",    "pass",          "pat",     "private",  "pw",      "pwd", "sas",
                                    "session", "signature",     "webhook", "webhooks", "otp"};
/* Words that may follow the last significant word. */
static const char *const fillers[] = {"b",    "base",   "current", "data",  "default", "dev",  "env",
                                      "hash", "header", "hex",     "json",  "main",    "new",  "old",
                                      "prod", "raw",    "staging", "str",   "string",  "test", "text",
                                      "uri",  "url",    "urls",    "value", "var"};
/* Before "key" or "keys": not secret, because columns, caches and settings have keys, too. */
static const char *const plain_keys[] = {"answer",  "attn",     "audio",   "cache",    "caption",    "code",
                                         "column",  "config",   "data",    "dataset",  "dict",       "doc",
                                         "feature", "field",    "filter",  "group",    "hot",        "id",
                                         "image",   "index",    "input",   "json",     "label",      "labels",
                                         "loss",    "map",      "message", "messages", "metric",     "missing",
                                         "mm",      "monitor",  "num",     "output",   "partition",  "primary",
                                         "prompt",  "question", "remap",   "response", "router",     "sort",
                                         "state",   "system",   "target",  "text",     "unexpected", "video"};
static const char *const plain_passes[] = {"backward", "custom", "forward", "fusion", "fx", "grad",
                                           "graph",    "joint",  "num",     "post",   "pre"};
/* Before "token": not secret, but the special tokens of a tokenizer. */
static const char *const special[] = {"audio", "bos",     "cls",   "decoder", "eos", "image", "mask", "pad",
                                      "sep",   "special", "start", "stop",    "unk", "video", "end"};
/* After "token". */
static const char *const of_models[] = {"budget",  "classification", "count",     "dim",        "dims",    "drop",
                                        "dropout", "embed",          "embedding", "embeddings", "healing", "ids",
                                        "idx",     "index",          "latency",   "len",        "length",  "level",
                                        "limit",   "loss",           "mask",      "merge",      "merging", "mixer",
                                        "mixing",  "parallel",       "pos",       "position",   "pruning", "ratio",
                                        "shift",   "size",           "stats",     "throughput", "type",    "types",
                                        "usage",   "weight",         "weights"};
/* If the name has one of these words, a number is not secret. */
static const char *const counts[] = {"age",      "batch",   "count",  "expires", "expiry",   "first",  "id",
                                     "interval", "last",    "length", "len",     "lifetime", "limit",  "max",
                                     "min",      "n",       "new",    "next",    "num",      "number", "per",
                                     "rate",     "retries", "size",   "timeout", "total",    "ttl"};
static const char *const files[] = {"dir", "directory", "file", "filename", "files", "folder", "path", "paths"};
static const char *const denials[] = {"disable", "no", "skip", "without"};

static bool is_in(struct slice word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (secret_is_word(word, words[i]))
            return true;
    return false;
}

static bool ends_in(struct slice word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(words[i]);
        if (word.len >= len && secret_starts(slice_from(word, word.len - len), words[i]))
            return true;
    }
    return false;
}

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

/* Whether a word begins at `at`, inside letters and digits: apiKey, HFToken. */
static bool is_hump(struct slice text, size_t at) {
    char before = text.ptr[at - 1], c = text.ptr[at];
    bool lower_follows = at + 1 < text.len && secret_is_letter(text.ptr[at + 1]) && !is_upper(text.ptr[at + 1]);
    return is_upper(c) && (!is_upper(before) || lower_follows);
}

/* The next word at or after *at, without trailing digits. Skips words that consist of digits. */
static bool next_word(struct slice text, bool humps, size_t *at, struct slice *word) {
    while (*at < text.len) {
        size_t from = *at, end;
        while (from < text.len && !secret_is_alnum(text.ptr[from]))
            from++;
        for (end = from; end < text.len && secret_is_alnum(text.ptr[end]); end++)
            if (humps && end > from && is_hump(text, end))
                break;
        *at = end;
        *word = slice_make(text.ptr + from, end - from);
        while (word->len && secret_is_digit(word->ptr[word->len - 1]))
            word->len--;
        if (word->len)
            return true;
    }
    return false;
}

struct reading {
    struct slice before; /* the previous word */
    bool strong, tokens; /* strong: a word that is secret anywhere; tokens: of the words, only "token" is secret */
    bool last, keys;     /* last: the last word, except fillers, is that of a secret */
    bool counts, files, of_model, denied;
};

static void read_word(struct reading *in, struct slice word) {
    bool key = secret_is_word(word, "key") || secret_is_word(word, "keys"), filler = IS_IN(word, fillers);
    bool token = secret_is_word(word, "token");
    bool pair = (key && IS_IN(in->before, of_keys)) ||
                (secret_is_word(word, "tokens") && IS_IN(in->before, of_tokens)) ||
                (secret_is_word(in->before, "pass") &&
                 (secret_is_word(word, "word") || secret_is_word(word, "phrase") || secret_is_word(word, "code"))) ||
                (secret_is_word(in->before, "session") && secret_is_word(word, "id"));
    bool any = pair || ENDS_IN(word, ends);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        any |= secret_starts(word, starts[i]);
    if (!in->before.len)
        in->denied = IS_IN(word, denials);
    bool of_tokenizer = token && IS_IN(in->before, special);
    if (any && !of_tokenizer) {
        in->tokens = token && (!in->strong || in->tokens);
        in->strong = true;
        in->of_model = false;
    } else if (of_tokenizer || (in->tokens && IS_IN(word, of_models))) {
        in->of_model = true;
    }
    bool plain =
        (key && IS_IN(in->before, plain_keys)) || (secret_is_word(word, "pass") && IS_IN(in->before, plain_passes));
    if (!filler)
        in->last = IS_IN(word, lasts) && !plain;
    in->counts |= IS_IN(word, counts);
    in->files = IS_IN(word, files);
    in->before = word;
}

static enum secret_name judge(const struct reading *in) {
    if (in->files || in->denied)
        return SECRET_NO;
    if (in->strong && (!in->tokens || !in->of_model))
        return in->counts ? SECRET_MAYBE : SECRET_YES;
    return in->last ? SECRET_MAYBE : SECRET_NO;
}

enum secret_name secret_name_of(struct slice text, bool query) {
    static const char *const users[] = {"--proxy-user", "--user", "--userpwd", "-u"};
    if (IS_IN(text, users))
        return SECRET_OF_USER;
    for (int humps = 1; humps >= 0; humps--) {
        struct reading in = {0};
        struct slice word;
        for (size_t at = 0; next_word(text, humps, &at, &word);)
            read_word(&in, word);
        if (in.strong || in.last || in.of_model || !humps)
            return query && secret_is_word(text, "sig") ? SECRET_YES : judge(&in);
    }
    return SECRET_NO;
}

bool secret_name_is_plural(struct slice text) {
    char c = text.len ? secret_lower(text.ptr[text.len - 1]) : '\0';
    return c == 's';
}

bool secret_is_scheme(struct slice word) {
    static const char *const schemes[] = {"apikey", "aws", "basic", "bearer", "digest", "negotiate", "token"};
    return IS_IN(word, schemes);
}
