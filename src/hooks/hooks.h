/* hooks.h - runs what a configuration names, and git. Any thread. */
#pragma once

#include "base/child.h"
#include "base/jsonw.h"
#include "hooks/parser_answer.h"
#include "sink/files.h"

struct user_config;

/* hook_run.c - runs a hook to its end, and says what went wrong. Any thread. */
/* Runs the program with this input and adds its output. Standard error must be a pipe. Returns false if it could not be
 * started, failed, or was killed by a limit; the error begins with `what`. Its output until then
 * was added. */
bool hook_run(const char *what, const struct child_request *request, struct slice input, struct buf *out,
              struct err *err);
/* Sets the error of a program that was finished without success: "WHAT: aws: exit status 1: LAST LINES". Returns false.
 * `program` is its name. */
bool hook_failed(const char *what, const char *program, const struct child_request *request, const struct child *child,
                 const struct child_end *end, struct err *err);

/* git.c - asks git about the repository of a folder. Nothing that the repository contains, or its configuration names, is
 * run, and nothing is fetched. Any thread. */
/* Runs `git -C directory ARGUMENTS...` and adds its output. The arguments end in NULL. Returns false if git is missing,
 * fails, or takes too long. */
bool git_read(const char *directory, const char *const *arguments, struct buf *out, struct err *err);
/* The root of the repository that contains the folder, and the commit that is checked out, as texts that the caller
 * frees. Returns false, and sets nothing, if it is not in a repository, or if there is no commit. */
bool git_head(const char *directory, char **root, char **commit, struct err *err);

/* parser_json.c - what parsers added, as the member `parsers` of report.json; and their files. One thread. */
/* An array with an object for each parser. Without `whole`, only what the page's summary has: names, errors, columns. */
void parser_results_write(struct jsonw *w, const char *key, const struct parser_results *results,
                          const struct parser_keys *keys, bool whole);
/* Writes the files into parsers/. */
void parser_files_write(const struct parser_results *results, struct files *files);

/* source_link.c - links from places in the page to the code on a web server.
 *
 * A template such as https://github.com/me/project/blob/{commit}/{path}#L{line} has these holes:
 *
 *     {path}     the file below the root, percent-encoded; required
 *     {line}     the line
 *     {commit}   the commit of the code
 *     {hash}     git's hash of the file's content (its blob) in that commit
 *
 * report.json gets the template once, with the commit filled in; the page fills in the rest (web/src/store/source-link.ts).
 * A file that is below no root has no link, nor has one without a hash if the template asks for it. */
/* Adds the member source_link of report.json as an object, or nothing if there is no template. The commit is `commit`,
 * that of the configuration, or that of the git repository which contains `directory`; the root is that of the
 * configuration or of this repository. Runs git only for what is not configured. Returns false if something is
 * unknown: then there are no links. */
bool source_link_add(struct buf *json, const struct user_config *config, const char *commit, const char *directory,
                     struct err *err);
