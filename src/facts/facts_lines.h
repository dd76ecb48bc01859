/* facts_lines.h - shared by the writer and the reader of facts files. */
#pragma once

#include "base/base.h"

enum definition {
    DEFINE_GRAPH,
    DEFINE_GUARDS,
    DEFINE_COMPILE,
    DEFINE_GRAPHS,
    DEFINE_PROGRAM,
    DEFINE_ORDER,
    DEFINE_FINDING,
    DEFINE_SETTINGS,
    DEFINE_CONFIGURATION,
    DEFINE_PARTS,
    DEFINE_KEY,
    DEFINE_LOOKUPS,
    DEFINE_NAMES,
    DEFINITIONS,
};
const char *definition_name(enum definition kind); /* "graph" */

enum { HASH_DIGITS = 16 };
/* The hash of a definition: of the part of its line after the hash and the comma. */
uint64_t facts_hash(struct slice line);
