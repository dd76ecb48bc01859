#include "hooks/hooks.h"

#include <sys/stat.h>

#include "base/jsonw.h"
#include "hooks/config.h"

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folder whose repository has the code: a root from the user's file that exists here, or else the folder of the
 * project. A project's file may name any folder as a root, so git is not run in those. */
static const char *code_folder(const struct user_config *config, const char *directory) {
    for (size_t i = 0; i < config->source_roots.count && !config->roots_of_project; i++)
        if (is_folder(config->source_roots.items[i]))
            return config->source_roots.items[i];
    return config->project.folder && config->project.folder[0] ? config->project.folder : directory;
}

static void add_template(struct jsonw *w, struct slice template, const char *commit) {
    AUTO_BUF filled = {0};
    for (size_t i = 0; i < template.len; i++) {
        if (template.ptr[i] == '{' && source_hole_at(slice_from(template, i)) == HOLE_COMMIT) {
            path_add_url(&filled, slice_str(commit));
            i += sizeof "{commit}" - 2;
        } else {
            buf_add_byte(&filled, template.ptr[i]);
        }
    }
    jsonw_text(w, "template", buf_slice(&filled));
}

/* A root without trailing slashes; "/" becomes "". */
static struct slice trimmed(const char *root) {
    struct slice text = slice_str(root);
    while (text.len && text.ptr[text.len - 1] == '/')
        text.len--;
    return text;
}

static void add_roots(struct jsonw *w, const struct user_config *config, const char *root) {
    jsonw_array(w, "roots");
    for (size_t i = 0; i < config->source_roots.count; i++)
        jsonw_text(w, NULL, trimmed(config->source_roots.items[i]));
    if (!config->source_roots.count)
        jsonw_text(w, NULL, trimmed(root));
    jsonw_end_array(w);
}

enum { HASHES_MAX = 20000 };

/* Files and their hashes, from git ls-tree -z: "100644 blob HASH\tPATH\0". */
static bool add_hashes(struct jsonw *w, const char *folder, const char *commit, struct err *err) {
    AUTO_BUF list = {0};
    const char *const arguments[] = {"ls-tree", "-r", "-z", "--full-tree", commit, NULL};
    if (!git_read(folder, arguments, &list, err)) {
        return false;
    }
    jsonw_object(w, "hashes");
    struct slice rest = buf_slice(&list);
    size_t count = 0;
    for (const char *end; rest.len && (end = memchr(rest.ptr, '\0', rest.len));) {
        struct slice line = slice_make(rest.ptr, (size_t)(end - rest.ptr));
        const char *tab = memchr(line.ptr, '\t', line.len);
        rest = slice_from(rest, line.len + 1);
        struct slice head = slice_first(line, tab ? (size_t)(tab - line.ptr) : 0);
        size_t space = slice_rfind_byte(head, ' ');
        struct slice path = slice_from(line, head.len + 1);
        if (!tab || space == SIZE_MAX || !slice_ends(path, SLICE(".py")))
            continue;
        if (++count > HASHES_MAX)
            break;
        jsonw_key(w, path);
        jsonw_text(w, NULL, slice_from(head, space + 1));
    }
    jsonw_end_object(w);
    return count <= HASHES_MAX ||
           err_set(err, ERR_INPUT, "{hash} works for at most %d Python files, and the commit has more", HASHES_MAX);
}

bool source_link_add(struct buf *json, const struct user_config *config, const char *commit, const char *directory,
                     struct err *err) {
    struct slice template = slice_str(config->source_link);
    if (!config->source_link)
        return true;
    char *root = NULL, *head = NULL;
    const char *folder = code_folder(config, directory);
    commit = commit ? commit : config->source_commit;
    bool hashes = source_has_hole(template, HOLE_HASH), needs_commit = hashes || source_has_hole(template, HOLE_COMMIT);
    if (((needs_commit && !commit) || !config->source_roots.count) && !git_head(folder, &root, &head, err))
        return false;
    commit = commit ? commit : head;
    AUTO_BUF object = {0};
    struct jsonw w = {.out = &object};
    jsonw_object(&w, NULL);
    add_template(&w, template, commit);
    jsonw_text(&w, "commit", slice_str(needs_commit ? commit : NULL));
    add_roots(&w, config, root);
    bool ok = !hashes || add_hashes(&w, folder, commit, err);
    jsonw_end_object(&w);
    if (ok)
        buf_add(json, buf_slice(&object));
    mem_free(root);
    mem_free(head);
    return ok;
}
