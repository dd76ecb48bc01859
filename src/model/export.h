/* export.h - what a log says of torch.export: what stood in the way, and the programs that came out.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. Expressions are kept by the id that the process
 * gave them; a Python id is used again, so the latest one with an id counts, and a failure takes its tree when it is
 * recorded. What a tree points at never changes afterwards: failures may be rendered by any thread.
 *
 * Everything has a bound: operands of an expression, nodes and depth of a tree, nodes of all trees together, locals. Where
 * one is reached, the tree says so. An expression that stands in a tree already is not unfolded again, so cycles end. */
#ifndef TLPARSE_MODEL_EXPORT_H
#define TLPARSE_MODEL_EXPORT_H

#include "model/model.h"

enum export_kind {
    EXPORT_DATA_DEPENDENT,    /* a decision that hangs on values of a tensor */
    EXPORT_GUARD,             /* a guard on sizes was evaluated */
    EXPORT_MISSING_KERNEL,    /* an operator without a fake kernel */
    EXPORT_MISMATCHED_KERNEL, /* one whose fake kernel does not do what the real one does */
    EXPORT_CONSTRAINT,        /* dynamic_shapes promised what the code does not keep */
    EXPORT_ERROR,             /* another error that ended an export */
    EXPORT_KINDS,
};
/* "data_dependent", for programs. */
const char *export_kind_name(enum export_kind kind);
/* "Data dependent error", for people. */
const char *export_kind_title(enum export_kind kind);

struct expression {
    struct slice result, method; /* method.ptr NULL: a symbol out of data (create_unbacked_symbol) */
    struct slice arguments;      /* joined by ", " */
    struct slice range;          /* of an unbacked symbol; ptr NULL: not known */
    struct operand {
        uint64_t id;
        struct slice text; /* ptr NULL: not known */
    } * operands;
    uint32_t operand_count, operand_cap;
    const struct stack_node *user_stack, *stack;
    uint32_t serial; /* of the tree that took it last */
    bool taken;      /* in a tree: must not change any more */
    bool cut;        /* it had more operands */
};

/* A tree is the list of its nodes, parents before children, each with its depth. */
struct tree_node {
    const struct expression *expression; /* NULL: a symbol or value of which the log says no more */
    struct slice text;                   /* of such a one */
    uint16_t depth;
    bool again; /* unfolded above, not again here */
    bool cut;   /* its operands are left out: too deep, or too many */
};

struct export_pair {
    struct slice name, value;
};

struct export_failure {
    enum export_kind kind;
    uint32_t compile, folder;
    uint64_t line;                 /* of the record in the log; 0: of a compile's metrics */
    struct slice type;             /* of an error: the exception's; else ptr NULL */
    struct slice expr, result, op; /* ptr NULL where there is none */
    struct slice detail;           /* what torch said; ptr NULL: nothing */
    struct slice code;             /* the line of the program */
    struct place place;
    const struct stack_node *user_stack, *stack;
    struct export_pair *locals, *symbols; /* symbols: name and source */
    uint32_t local_count, symbol_count;
    uint32_t more_locals; /* left out */
    struct tree_node *tree;
    uint32_t tree_count;
    bool tree_cut;    /* nodes are left out at its end */
    bool provenance;  /* of a record with the expression's id, not its short form */
    struct slice url; /* of symbolic_guard_information_N.html; ptr NULL: none */
    bool late;        /* its page is written at the end, see export_pages_write() */
};

struct export_program {
    uint32_t compile;
    uint32_t artifact; /* in model->artifacts */
    uint32_t place;    /* in the compile's list */
};

struct exports {
    struct arena *arena; /* the model's */
    bool found;          /* the log is of an export */
    bool asked;          /* --export */
    LIST(struct export_failure *) failures;
    LIST(struct export_program) programs;
    uint64_t more_failures;
    uint64_t starts; /* records that an export began, of TORCH_DTRACE */
    /* Of the fold's business. */
    struct map id_map, text_map, failure_map;
    LIST(struct expression *) expressions;
    LIST(struct export_failure *) remembered;
    LIST(struct slice) texts;
    uint32_t serial;
    uint64_t tree_nodes;
};

/* The report's, made where there is none. It dies with the report. */
struct exports *exports_of(struct model *model);
/* A copy of the text, kept once; keeps ptr NULL. */
struct slice exports_text(struct exports *exports, struct slice text);
/* The expression with that id of the process, ready to be filled: an older one of the id is forgotten. */
struct expression *exports_define(struct exports *exports, uint64_t process, uint64_t id);
/* Room for one more operand; NULL: there are too many, and the expression is marked as cut. */
struct operand *expression_add(struct exports *exports, struct expression *expression);
/* The failure's tree below the expression with that id, in the arena; nothing where there is none. */
void exports_take_tree(struct exports *exports, struct arena *arena, struct export_failure *failure, uint64_t process,
                       uint64_t id);
/* Where what a failure points at is to lie: with the report, or, when no more failures are kept, in the arena given. */
struct arena *exports_arena(struct exports *exports, struct arena *otherwise);
/* Adds a copy of the failure; NULL where there are too many (they are counted). */
struct export_failure *exports_fail(struct exports *exports, const struct export_failure *failure);
/* Remembers, or finds, the latest failure of the compile with that expression; without one, the latest that ended it. */
void exports_remember(struct exports *exports, struct export_failure *failure, struct slice expr);
struct export_failure *exports_recall(struct exports *exports, uint32_t compile, struct slice expr);
/* Takes the errors of exports out of the report's failures. Called once, when nothing more is added. */
void exports_take_errors(struct model *model);
/* Whether this failure of the report is among the export's, which know its place and what to do. All must have had room. */
bool exports_tell(const struct model *model, const struct failure *error);
/* Whether the report has something to show of an export. */
bool exports_shown(const struct model *model);

/* export_words.c: sentences. Pure. */
/* "Missing fake kernel: draft.no_fake.default" */
void export_add_title(struct buf *out, const struct export_failure *failure);
/* What happened; code stands in backticks. */
void export_add_reason(struct buf *out, const struct export_failure *failure);
/* What to do about it, a line for each way. */
void export_add_advice(struct buf *out, const struct export_failure *failure);
/* Of a log without any failure: what is known of its exports, as a title and a text. Whether all that began are known to have made
 * a program. */
bool export_add_outcome(struct buf *title, struct buf *text, const struct exports *exports);

#endif
