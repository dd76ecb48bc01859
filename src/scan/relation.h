/* relation.h - from numbers to numbers: which lines of one text belong to which of another.
 *
 * A row has the numbers that belong to one number, in ascending order and each once. Built row by row: relation_begin, any
 * number of relation_add, relation_end; a row without numbers is none. relation_sort() when all rows are there; only then
 * may it be asked. Bounded by RELATION_MAX, so that a hostile mapping cannot fill the memory. {0} is a valid empty
 * relation. One thread at a time. */
#ifndef TLPARSE_SCAN_RELATION_H
#define TLPARSE_SCAN_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RELATION_MAX = 2 << 20 }; /* numbers that may be added, those that come twice too: sorting them takes time */

struct relation_row {
    uint32_t from;
    size_t first, count; /* in `to` */
};

struct relation {
    struct {
        struct relation_row *items;
        size_t count, cap;
    } rows;
    struct {
        uint32_t *items;
        size_t count, cap;
    } to;
    size_t added;
};

void relation_free(struct relation *r);
void relation_begin(struct relation *r, uint32_t from);
/* False when the relation is full. */
bool relation_add(struct relation *r, uint32_t to);
/* Adds all numbers of another relation's row. False when the relation is full. */
bool relation_add_row(struct relation *r, const struct relation *other, uint32_t from);
void relation_end(struct relation *r);
/* Of rows of the same number the one that was made last counts. */
void relation_sort(struct relation *r);
/* NULL where there is none. */
const struct relation_row *relation_row(const struct relation *r, uint32_t from);

#endif
