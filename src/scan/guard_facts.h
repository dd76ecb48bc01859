/* guard_facts.h - what the guards of a compile state about the program, as facts that can be compared with those of
 * another compile of the frame.
 *
 * A fact has a key (what it is about: an aspect, a detail, a source as PyTorch spells it) and a value, both text. The tree
 * of guards (dynamo_cpp_guards_str) gives them: `L['n'] == 1` is (value, L['n']) = 1, a TENSOR_MATCH is one fact each for
 * class, dispatch keys, dtype, device, requires_grad, number of dimensions, and every size and stride. A guard whose text is
 * not understood gives no fact, so nothing is claimed about it. A key or value longer than GUARD_FACT_TEXT_MAX is left out,
 * as are all facts beyond GUARD_FACTS_MAX. Pure; any thread; one pass. */
#ifndef TLPARSE_SCAN_GUARD_FACTS_H
#define TLPARSE_SCAN_GUARD_FACTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"

enum { GUARD_FACTS_MAX = 20000, GUARD_FACT_TEXT_MAX = 1024 };

enum guard_aspect {
    ASPECT_VALUE = 'v',     /* L['n'] == 1, L['flag'] == True, L['bias'] is None */
    ASPECT_TYPE = 't',      /* class of a guarded value, whether or not a guard checks it */
    ASPECT_CLASS = 'c',     /* a guard on the class: "ID CLASS" */
    ASPECT_OBJECT = 'o',    /* a guard on identity: "ID CLASS" */
    ASPECT_LENGTH = 'l',    /* len(L['xs']) == 3 */
    ASPECT_PAIRS = 'p',     /* of a dict: items with guards, which are perhaps not all */
    ASPECT_KEY = 'k',       /* detail: the key; "True": the dict or set contains it */
    ASPECT_ATTRIBUTE = 'a', /* detail: the name; "True": there is such an attribute */
    ASPECT_MARK = 'm',      /* detail: the attribute, as _dynamo_dynamic_indices; the dimensions, or "" for no mark */
    ASPECT_KEYSET = 'd',    /* of a tensor: dispatch keys */
    ASPECT_DTYPE = 'y',
    ASPECT_DEVICE = 'e',   /* its index, or None */
    ASPECT_GRAD = 'g',     /* requires_grad */
    ASPECT_RANK = 'r',     /* number of dimensions */
    ASPECT_SIZE = 's',     /* detail: the dimension; "None": dynamic */
    ASPECT_STRIDE = 'w',   /* the same */
    ASPECT_GLOBAL = 'G',   /* source: a mode, as "grad_mode" */
    ASPECT_RELATION = 'R', /* source: the whole condition */
    ASPECT_EQUAL = 'E',    /* a size or number that equals what the value names */
    ASPECT_SYMBOL = 'S',   /* "s77 8": a symbol and the value it was created for */
    ASPECT_ALIAS = 'A',    /* detail: another source; "True": it is the same object */
    ASPECT_DISTINCT = 'N', /* a tensor that is none of the others that have this fact */
};

struct guard_fact {
    enum guard_aspect aspect;
    struct slice detail, source, value;
};

/* Adds the facts of a tree to `out`, packed; returns how many there are. */
uint32_t guard_facts_add(struct buf *out, struct slice tree);
/* The same of a list of guards as older versions of PyTorch log it (dynamo_guards): [{"code": "L['n'] == 1"}, …], without kinds. */
uint32_t guard_facts_add_list(struct buf *out, yyjson_val *list);
/* Takes the first of packed facts: its key and value; false at their end. */
bool guard_facts_next(struct slice *packed, struct slice *key, struct slice *value);
/* The key of a fact as one text, and back; slices of the key. */
void guard_key_add(struct buf *out, enum guard_aspect aspect, struct slice detail, struct slice source);
struct guard_fact guard_key_read(struct slice key);
/* Without "L['" and "']" around names of locals: L['x'].y → x.y, as reasons of a recompile spell it. */
void guard_plain_add(struct buf *out, struct slice code);
/* The same for readers: self._modules['drop'].training → self.drop.training, list(dict.keys(d))[0] → list(d)[0]. */
void guard_readable_add(struct buf *out, struct slice code);

#endif
