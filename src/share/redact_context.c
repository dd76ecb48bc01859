#include "share/redact_parts.h"

#include "share/redact_word.h"

enum { NAME_MAX_BYTES = 64, VALUE_MAX = 4096 };

static char at_of(struct slice text, size_t i) {
    return i < text.len ? text.ptr[i] : '\0';
}

/* The position after backslashes and a quote; sets *quote to the quote. */
static size_t skip_quote(struct slice text, size_t at, char *quote) {
    size_t from = at;
    while (at_of(text, at) == '\\' && at - from < 4)
        at++;
    *quote = redact_is_in(at_of(text, at), "'\"`") ? text.ptr[at] : '\0';
    return *quote ? at + 1 : from;
}

struct slice redact_value_behind(struct slice text, size_t end) {
    char quote;
    size_t at = skip_quote(text, end, &quote);
    if (quote && at_of(text, at) == ']')
        at++;
    size_t spaces = at;
    while (at_of(text, at) == ' ' && at - spaces < 8)
        at++;
    char sign = at_of(text, at), next = at_of(text, at + 1);
    bool is_colon = sign == ':' && next != ':' && next != '/', is_equal = sign == '=' && next != '=';
    if (!is_colon && !is_equal)
        return (struct slice){0};
    spaces = ++at;
    while (at_of(text, at) == ' ' && at - spaces < 8)
        at++;
    if (is_equal && at > spaces && text.ptr[spaces - 2] != ' ')
        return (struct slice){0}; /* "NAME= python x.py": an empty value */
    at = skip_quote(text, at, &quote);
    size_t from = at;
    while (at < text.len && at - from < VALUE_MAX && text.ptr[at] != '\n') {
        char c = text.ptr[at];
        if (quote ? c == quote : redact_is_in(c, " \t\r'\"`,;)]}&"))
            break;
        at++;
    }
    while (quote && at > from && text.ptr[at - 1] == '\\')
        at--;
    return slice_make(text.ptr + from, at - from);
}

bool redact_is_variable(struct slice text, size_t from, size_t end) {
    static const char *const owners[] = {"TORCH",  "PYTORCH_", "CUDA_", "NCCL_", "TRITON_", "MASTER_",
                                         "SLURM_", "OMPI_",    "PMI",   "GLOO_", "HIP_",    "LD_",
                                         "LC_",    "XDG_",     "GIT",   "VLLM_", "CONDA_",  "OMP_"};
    struct slice word = slice_make(text.ptr + from, end - from);
    bool parted = false, is_quoted = redact_is_in(at_of(text, end), "'\"\\");
    if (word.len < 4 || word.len > NAME_MAX_BYTES || word.ptr[0] < 'A' || word.ptr[0] > 'Z')
        return false;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        if (!(c >= 'A' && c <= 'Z') && !redact_is_digit(c) && c != '_')
            return false;
        parted |= c == '_';
    }
    if (!parted || slice_ends(word, SLICE("BLOCK"))) /* of a kernel */
        return false;
    if (is_quoted || at_of(text, end) == '=' || !redact_is_kept(word))
        return true;
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) /* otherwise, it may be a guard: "TYPE_MATCH: x" */
        if (slice_starts(word, slice_str(owners[i])))
            return true;
    return false;
}

bool redact_is_person(struct slice word, enum redact_style style) {
    if (word.len < 4 || !redact_is_in(*word.ptr, "uUlLhHnoea"))
        return false;
    static const char *const variables[] = {"USER", "USERNAME", "LOGNAME", "HOST", "HOSTNAME", "HOME"};
    static const char *const others[] = {"user",     "User",     "username", "Username", "login", "host",  "Host",
                                         "hostname", "Hostname", "nodename", "owner",    "email", "author"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (slice_is(word, variables[i]))
            return true;
    for (size_t i = 0; style == REDACT_SENTENCE && i < sizeof others / sizeof *others; i++)
        if (slice_is(word, others[i]))
            return true;
    return false;
}

/* The end of words that are joined by dots and the other characters. */
static size_t joined_end(struct slice text, size_t at, const char *others) {
    for (;;) {
        size_t end = redact_word_end(text, at);
        if (end == at && !redact_is_in(at_of(text, at), others))
            return at;
        at = end > at ? end : at + 1;
    }
}

static size_t ip_at(struct slice text, size_t at) {
    size_t end = at, parts = 0;
    for (;; end++) {
        size_t from = end;
        while (redact_is_digit(at_of(text, end)))
            end++;
        if (end == from || end - from > 3)
            return 0;
        if (++parts == 4 || at_of(text, end) != '.')
            break;
    }
    bool goes_on =
        redact_word_end(text, end) > end || (at_of(text, end) == '.' && redact_word_end(text, end + 1) > end + 1);
    return parts == 4 && !goes_on ? end - at : 0;
}

/* In code, the operands of the operator @, and a decorator, do not end like this. */
static bool is_host(struct slice host, enum redact_style style) {
    static const char *const ends[] = {"com", "org", "net", "edu", "gov", "io", "ai",  "de",      "uk",    "fr",
                                       "eu",  "cn",  "jp",  "kr",  "in",  "ch", "dev", "example", "local", "internal"};
    if (style == REDACT_SENTENCE || style == REDACT_FUNCTION)
        return host.len > 0;
    size_t dot = slice_rfind_byte(host, '.');
    for (size_t i = 0; dot != SIZE_MAX && i < sizeof ends / sizeof *ends; i++)
        if (slice_is(slice_from(host, dot + 1), ends[i]))
            return true;
    return false;
}

size_t redact_address_at(struct slice text, size_t at, enum redact_style style) {
    static const char joints[] = ".+-";
    char before = at ? text.ptr[at - 1] : ' ';
    if (!redact_is_word_byte(text.ptr[at]) && !(text.ptr[at] & 0x80) && !redact_is_in(text.ptr[at], "\\%&"))
        return 0;
    if (redact_is_in(before, ".+-@") || redact_is_word_byte(before) || before & 0x80)
        return 0; /* it is part of the text already examined */
    size_t ip = redact_is_digit(text.ptr[at]) ? ip_at(text, at) : 0;
    if (ip)
        return ip;
    size_t end = joined_end(text, at, joints);
    if (end == at || at_of(text, end) != '@')
        return 0;
    size_t host = end + 1, last = joined_end(text, host, ".-");
    while (last > host && redact_is_in(text.ptr[last - 1], ".-"))
        last--;
    return is_host(slice_make(text.ptr + host, last - host), style) ? last - at : 0;
}
