#include "hooks/hooks.h"

static const struct slice names[HOLES] = {
    [HOLE_PATH] = SLICE_INIT("path"),
    [HOLE_LINE] = SLICE_INIT("line"),
    [HOLE_COMMIT] = SLICE_INIT("commit"),
    [HOLE_HASH] = SLICE_INIT("hash"),
};

enum source_hole source_hole_at(struct slice text) {
    size_t i = 0;
    const char *end = memchr(text.ptr, '}', text.len);
    struct slice name = end ? slice_make(text.ptr + 1, (size_t)(end - text.ptr) - 1) : (struct slice){0};
    while (i < HOLES && !slice_eq(name, names[i]))
        i++;
    return (enum source_hole)i;
}

bool source_has_hole(struct slice template, enum source_hole hole) {
    for (size_t i = 0; i < template.len; i++)
        if (template.ptr[i] == '{' && source_hole_at(slice_from(template, i)) == hole)
            return true;
    return false;
}

/* The length of "https://host/", which must not contain holes: a source location from a log must not choose the host.
 * 0: invalid. */
static size_t origin_len(struct slice template) {
    size_t scheme = slice_starts(template, SLICE("https://")) ? sizeof "https://" - 1
                  : slice_starts(template, SLICE("http://"))  ? sizeof "http://" - 1
                                                              : 0;
    struct slice rest = slice_from(template, scheme);
    const char *slash = scheme ? memchr(rest.ptr, '/', rest.len) : NULL;
    if (!slash || slash == rest.ptr || memchr(rest.ptr, '{', (size_t)(slash - rest.ptr)))
        return 0;
    return scheme + (size_t)(slash - rest.ptr) + 1;
}

const char *source_template_complaint(struct slice template) {
    if (!origin_len(template))
        return "expected an address such as https://HOST/{path}, with http or https";
    for (size_t i = 0; i < template.len; i++) {
        unsigned char c = (unsigned char)template.ptr[i];
        if (c <= ' ' || c >= 0x7f || strchr("\"<>\\^`|", c))
            return "an address has no spaces, quotes or other characters that need an escape";
        if (c == '{' && source_hole_at(slice_from(template, i)) == HOLES)
            return "only {path}, {line}, {commit} and {hash} are filled in";
    }
    return source_has_hole(template, HOLE_PATH) ? NULL : "{path} is missing";
}

bool source_commit_is_good(struct slice commit) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+@-";
    for (size_t i = 0; i < commit.len; i++)
        if (!memchr(allowed, commit.ptr[i], sizeof allowed - 1))
            return false;
    return commit.len && commit.len <= 200 && commit.ptr[0] != '-' && slice_find(commit, SLICE("..")) == SIZE_MAX;
}
