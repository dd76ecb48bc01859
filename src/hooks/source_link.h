/* source_link.h - links from places in the page to the code on a web server.
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
#ifndef TLPARSE_HOOKS_SOURCE_LINK_H
#define TLPARSE_HOOKS_SOURCE_LINK_H

#include "base/buf.h"
#include "base/err.h"

struct config;

/* Adds the member source_link of report.json as an object, or nothing if there is no template. The commit is `commit`,
 * that of the configuration, or that of the git repository which contains `directory`; the root is that of the
 * configuration or of this repository. Runs git only for what is not configured. Returns false if something is
 * unknown: then there are no links. */
bool source_link_add(struct buf *json, const struct config *config, const char *commit, const char *directory,
                     struct err *err);

#endif
