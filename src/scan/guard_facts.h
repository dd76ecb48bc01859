/* guard_facts.h - the statements of a compile's guards about the program, as facts that can be compared with those of
 * another compile of the frame.
 *
 * A fact has a key (aspect, detail, and source in PyTorch's notation) and a value, both text. The facts come from the
 * guard tree (dynamo_cpp_guards_str): `L['n'] == 1` is (value, L['n']) = 1. A TENSOR_MATCH yields one fact each for
 * class, dispatch keys, dtype, device, requires_grad, number of dimensions, and every size and stride. A guard whose
 * text is not recognized yields no fact, so the report makes no claim about it. Facts with a key or value longer than
 * GUARD_FACT_TEXT_MAX, and facts beyond GUARD_FACTS_MAX, are dropped. Pure; any thread; one pass. */
#pragma once

#include "base/base.h"
#include "base/json.h"
enum { GUARD_FACTS_MAX = 20000, GUARD_FACT_TEXT_MAX = 1024, GUARD_DEPTH_MAX = 256 };

enum guard_aspect {
    ASPECT_VALUE = 'v',     /* L['n'] == 1, L['flag'] == True, L['bias'] is None */
    ASPECT_TYPE = 't',      /* class of a guarded value, even if no guard checks it */
    ASPECT_CLASS = 'c',     /* a guard on the class: "ID CLASS" */
    ASPECT_OBJECT = 'o',    /* a guard on identity: "ID CLASS" */
    ASPECT_LENGTH = 'l',    /* len(L['xs']) == 3 */
    ASPECT_PAIRS = 'p',     /* of a dict: number of items with guards, possibly not all items */
    ASPECT_KEY = 'k',       /* detail: the key; "True": the dict or set contains it */
    ASPECT_ATTRIBUTE = 'a', /* detail: the name; "True": the attribute exists */
    ASPECT_MARK = 'm',   /* detail: the attribute, such as _dynamo_dynamic_indices; value: the dimensions, or "" if not
                          * marked */
    ASPECT_KEYSET = 'd', /* dispatch keys of a tensor */
    ASPECT_DTYPE = 'y',
    ASPECT_DEVICE = 'e',   /* its index, or None */
    ASPECT_GRAD = 'g',     /* requires_grad */
    ASPECT_RANK = 'r',     /* number of dimensions */
    ASPECT_SIZE = 's',     /* detail: the dimension; "None": dynamic */
    ASPECT_STRIDE = 'w',   /* the same */
    ASPECT_GLOBAL = 'G',   /* source: a mode, such as "grad_mode" */
    ASPECT_RELATION = 'R', /* source: the whole condition */
    ASPECT_EQUAL = 'E',    /* a size or number that equals the operand given as the value */
    ASPECT_SYMBOL = 'S',   /* "s77 8": a symbol and the value for which it was created */
    ASPECT_ALIAS = 'A',    /* detail: another source; "True": both are the same object */
    ASPECT_DISTINCT = 'N', /* a tensor that is different from all others with this fact */
};

struct guard_fact {
    enum guard_aspect aspect;
    struct slice detail, source, value;
};

/* Facts while they are collected. The caller sets `out`, to which they are added, packed. */
struct guard_facts {
    struct buf *out;
    uint32_t count;
    struct slice open[GUARD_DEPTH_MAX]; /* sources of the managers around a line */
    struct slice dict;                  /* the latest dict with guards on its items */
    size_t dict_depth;
    uint64_t pairs; /* its items with guards */
};

struct guard_node; /* scan/guard_text.h */
/* Adds the facts of a line of a tree. The lines are noted in order. */
void guard_facts_note(struct guard_facts *facts, const struct guard_node *node);
void guard_facts_end(struct guard_facts *facts);
/* Adds those of a list of guards as logged by older versions of PyTorch (dynamo_guards): [{"code": "L['n'] == 1"}, …],
 * without kinds. Returns their number. */
uint32_t guard_facts_add_list(struct buf *out, yyjson_val *list);
/* Removes the first of the packed facts. Returns false at the end. */
bool guard_facts_next(struct slice *packed, struct slice *key, struct slice *value);
/* Converts the key of a fact to one text, and back to slices of it. */
void guard_key_add(struct buf *out, enum guard_aspect aspect, struct slice detail, struct slice source);
struct guard_fact guard_key_read(struct slice key);
/* Removes "L['" and "']" around names of locals: L['x'].y → x.y, the notation of recompile reasons. */
void guard_plain_add(struct buf *out, struct slice code);
/* The same in readable form: self._modules['drop'].training → self.drop.training, list(dict.keys(d))[0] → list(d)[0].
 */
void guard_readable_add(struct buf *out, struct slice code);
