/* guard_tree.h - converts the tree of guards that Dynamo logs as text (dynamo_cpp_guards_str) to JSON.
 *
 * A tree has a manager for each guarded value ("source=L['x']"), and the guards below it. The line of a guard has its
 * code and, after "  # ", its origin: the user's source line and location, or a location in PyTorch. A check may have several lines, one for
 * each condition; one that relates several values is printed below each of them, and listed once (guard_checks.h). The list is in
 * log order. It is limited to GUARDS_MAX conditions and GUARDS_JSON_MAX bytes; the rest is counted. Texts longer than
 * GUARD_TEXT_MAX are truncated and end with "…". Pure; any thread; one pass. */
#pragma once

#include "base/base.h"
#include "scan/guard_checks.h"

enum { GUARDS_MAX = 20000, GUARDS_JSON_MAX = 4 << 20, GUARD_TEXT_MAX = 4000 };

struct guard_tree {
    uint32_t count; /* number of checks */
    uint32_t more;  /* number of checks that are not in the list */
};

/* A line of the user's source with the number of checks that have a condition from it. */
struct guard_line {
    struct slice file, code;
    uint64_t line, guards;
};
typedef LIST(struct guard_line) guard_lines;

/* A module (scan/module_source.h), with the number of its guards: of its attributes, not of its modules. Or what an attribute or an item has,
 * which may be a module, without guards. */
struct guard_module {
    struct slice source, type; /* type: its class; ptr NULL: not logged */
    uint64_t guards;
    bool
        called; /* as a module, not only a method or a parameter of it: PyTorch guards that the object has no forward() of its own */
};

/* A line of the code of a module's class: it reads an attribute of `self`, which is the module. */
struct guard_access {
    struct slice module, file, function;
    uint64_t line;
};

/* What a tree says about the program. Each list may name the same thing again. The owner frees the lists. */
struct guard_notes {
    guard_lines lines;
    LIST(struct guard_module) modules;
    LIST(struct guard_access) accesses;
    struct guard_checks checks;
};
void guard_notes_free(struct guard_notes *notes);

struct guard_facts; /* scan/guard_facts.h */
/* Adds the object that doc/report-data.md describes under "Guards", the notes, and the facts. Without json (NULL), only the facts and the notes of
 * checks, without their lines; `more` is then 0. */
struct guard_tree guard_tree_read(struct slice text, struct buf *json, struct guard_notes *notes,
                                  struct guard_facts *facts);
