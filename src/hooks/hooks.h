/* hooks.h - runs the programs that a configuration names, and git, and reads templates of links to code. Any thread. */
#pragma once

#include "base/base.h"
#include "base/child.h"
#include "base/jsonw.h"
#include "hooks/parser_answer.h"
#include "sink/files.h"

struct user_config;

/* hook_run.c - runs a hook to its end, and reports errors. Any thread. */
/* Runs the program with this input and adds its output. Standard error must be a pipe. Returns false if it could not be
 * started, failed, or was killed by a limit; the error begins with `what`. Its output up to then has been added. */
bool hook_run(const char *what, const struct child_request *request, struct slice input, struct buf *out,
              struct err *err);
/* Sets the error of a program that was finished without success: "WHAT: aws: exit status 1: LAST LINES". Returns false.
 * `program` is its name. */
bool hook_failed(const char *what, const char *program, const struct child_request *request, const struct child *child,
                 const struct child_end *end, struct err *err);

/* git.c - asks git about the repository of a folder. Runs no program that is in the repository or that its
 * configuration names, and fetches nothing. Any thread. */
/* Runs `git -C directory ARGUMENTS...` and adds its output. The arguments end in NULL. Returns false if git is missing,
 * fails, or takes too long. */
bool git_read(const char *directory, const char *const *arguments, struct buf *out, struct err *err);
/* The root of the repository that contains the folder, and the commit that is checked out. The caller frees the texts.
 * Returns false and sets nothing if the folder is not in a repository, or if there is no commit. */
bool git_head(const char *directory, char **root, char **commit, struct err *err);

/* parser_json.c - the results of parsers, as the member `parsers` of report.json, and their files. One thread. */
/* An array with an object for each parser. Without `whole`, only the members of the page's summary: names, errors,
 * columns. */
void parser_results_write(struct jsonw *w, const char *key, const struct parser_results *results,
                          const struct parser_keys *keys, bool whole);
/* Writes the files into parsers/. */
void parser_files_write(const struct parser_results *results, struct files *files);

/* source_link.c - links from source locations in the page to the code on a web server.
 *
 * A template such as https://github.com/me/project/blob/{commit}/{path}#L{line} has these holes:
 *
 *     {path}     the file below the root, percent-encoded; required
 *     {line}     the line
 *     {commit}   the commit of the code
 *     {hash}     git's hash of the file's content (its blob) in that commit
 *
 * report.json gets the template once, with the commit filled in; the page fills in the rest (web/src/store/source-link.ts).
 * A file outside of all roots has no link, nor does a file without a hash if the template uses {hash}. */
/* Adds the member source_link of report.json as an object, or nothing if there is no template. The commit is `commit`,
 * or else the configured commit, or else that of the git repository that contains `directory`. The root is the
 * configured root or that of this repository. Runs git only for values that are not configured. Returns false if a
 * value is unknown: then there are no links. */
bool source_link_add(struct buf *json, const struct user_config *config, const char *commit, const char *directory,
                     struct err *err);

/* source_template.c - the template of a link to code, described in hooks.h. Pure; any thread. */
enum source_hole { HOLE_PATH, HOLE_LINE, HOLE_COMMIT, HOLE_HASH, HOLES };

/* The hole at the start of the text, which begins with '{'. HOLES: none. */
enum source_hole source_hole_at(struct slice text);
bool source_has_hole(struct slice template, enum source_hole hole);
/* NULL if the template is valid, otherwise the error. */
const char *source_template_complaint(struct slice template);
/* Whether the text can be the name of a commit: it becomes an argument of git, and part of a URL. */
bool source_commit_is_good(struct slice commit);
