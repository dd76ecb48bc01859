/* name_ranges.h - names that differ in their numbers, as one: "h.0.attn" and "h.1.attn" are "h.0–1.attn". Pure; any thread. */
#pragma once

#include "base/buf.h"

/* Adds at most `most` texts for the names, joined by ", ", and how many more there are: "h.0–11.attn, h.0–11.mlp". Numbers are whole parts
 * between dots and brackets. Where several parts differ, and not each in combination with each, or where there are many gaps, a part is
 * "*": "layers.*.experts.*". The same name counts once. */
void name_ranges_add(struct buf *out, const struct slice *names, size_t count, size_t most);
