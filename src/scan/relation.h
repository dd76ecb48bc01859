/* relation.h - a relation between numbers, such as corresponding lines of two texts.
 *
 * A row has the numbers that correspond to one number, ascending and unique. Build it row by row: relation_begin,
 * any number of relation_add, relation_end. Empty rows are dropped. Call relation_sort() after the last row and before
 * any lookup. Limited by RELATION_MAX, so a malicious mapping cannot exhaust memory. {0} is a valid empty relation.
 * One thread at a time. */
#pragma once

#include "base/base.h"

enum { RELATION_MAX = 2 << 20 }; /* limit on added numbers, including duplicates, because sorting takes time */

struct relation_row {
    uint32_t from;
    size_t first, count; /* range of `to` */
};

struct relation {
    LIST(struct relation_row) rows;
    LIST(uint32_t) to;
    size_t added;
};

void relation_free(struct relation *r);
void relation_begin(struct relation *r, uint32_t from);
/* Returns false if the relation is full. */
bool relation_add(struct relation *r, uint32_t to);
/* Adds all numbers of a row of another relation. Returns false if the relation is full. */
bool relation_add_row(struct relation *r, const struct relation *other, uint32_t from);
void relation_end(struct relation *r);
/* If a number has several rows, the last added one wins. */
void relation_sort(struct relation *r);
/* Returns NULL if there is none. */
const struct relation_row *relation_row(const struct relation *r, uint32_t from);
