/* findings_make.h - what the files that look for findings share. For findings*.c only.
 *
 * Texts of a finding live in the findings' arena, in the report, or are constants. One thread. */
#ifndef TLPARSE_MODEL_FINDINGS_MAKE_H
#define TLPARSE_MODEL_FINDINGS_MAKE_H

#include "model/findings.h"

/* A text in the arena. */
__attribute__((format(printf, 2, 3))) struct slice finding_say(struct findings *findings, const char *format, ...);
/* A finding at the end of the list; valid until the next one is added. */
struct finding *finding_add(struct findings *findings, const char *kind, enum severity severity, enum impact impact);
/* The compile and its time, once. */
void finding_add_compile(struct findings *findings, struct finding *finding, const struct report *report,
                         uint32_t place);
/* The first line that says something, bounded; where it ends in a colon, with the line behind it. */
struct slice finding_line(struct findings *findings, struct slice text);
/* The function's name, or "a frame". */
struct slice finding_function(const struct compile *compile);
/* "#/c/0%2F1" */
struct slice finding_link(struct findings *findings, const struct compile *compile);
/* Whether a file belongs to Python, torch or another package, or is no file at all. */
bool is_library_file(struct slice file);
/* `place`, or, where that is a library's, the innermost frame of the stack that is the user's own. */
struct place finding_place(struct place place, const struct stack_node *stack);

/* Finders, each in the file of its concern. */
void findings_add_costs(struct findings *findings, const struct report *report);   /* findings_costs.c */
void findings_add_shapes(struct findings *findings, const struct report *report);  /* findings_shapes.c */
void findings_add_log(struct findings *findings, const struct report *report);     /* findings_log.c */
void findings_add_records(struct findings *findings, const struct report *report); /* findings_records.c */

#endif
