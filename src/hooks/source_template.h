/* source_template.h - the template of a link to code, described in hooks.h. Pure; any thread. */
#pragma once

#include "base/base.h"

enum source_hole { HOLE_PATH, HOLE_LINE, HOLE_COMMIT, HOLE_HASH, HOLES };

/* The hole at the start of the text, which begins with '{'. HOLES: none. */
enum source_hole source_hole_at(struct slice text);
bool source_has_hole(struct slice template, enum source_hole hole);
/* NULL if the template is valid, otherwise the error. */
const char *source_template_complaint(struct slice template);
/* Whether the text can be the name of a commit: it becomes an argument of git, and part of a URL. */
bool source_commit_is_good(struct slice commit);
