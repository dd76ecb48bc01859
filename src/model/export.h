/* export.h - torch.export: failures, and exported programs.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. Expressions are stored by the id that the
 * process gave them. A Python id is reused, so the latest expression with an id is valid, and a failure copies its
 * tree when it is recorded. A tree and what it refers to never change afterwards, so any thread may render failures.
 *
 * Everything is limited: operands of an expression, nodes and depth of a tree, nodes of all trees together, locals. A
 * tree says so if it reached a limit. An expression that is already in a tree is not expanded again, so cycles end. */
#pragma once

#include "base/json.h"
#include "model/model.h"
#include "scan/constraint.h"

enum export_kind {
    EXPORT_DATA_DEPENDENT,    /* a decision that depends on tensor values */
    EXPORT_GUARD,             /* a guard on sizes was evaluated */
    EXPORT_MISSING_KERNEL,    /* an operator without a fake kernel */
    EXPORT_MISMATCHED_KERNEL, /* an operator whose fake kernel behaves differently from the real one */
    EXPORT_CONSTRAINT,        /* dynamic_shapes promised what the code does not satisfy */
    EXPORT_ERROR,             /* another error that ended an export */
    EXPORT_KINDS,
};
/* "data_dependent", for programs. */
const char *export_kind_name(enum export_kind kind);
/* "Data-dependent error", for people. */
const char *export_kind_title(enum export_kind kind);

struct expression {
    struct slice result, method; /* method.ptr NULL: an unbacked symbol (create_unbacked_symbol) */
    struct slice arguments;      /* joined by ", " */
    struct slice range;          /* of an unbacked symbol; ptr NULL: unknown */
    struct operand {
        uint64_t id;
        struct slice text; /* ptr NULL: unknown */
    } * operands;
    uint32_t operand_count, operand_cap;
    const struct stack_node *user_stack, *stack;
    uint32_t serial; /* of the last tree that includes it */
    bool taken;      /* part of a tree, so it must not change */
    bool cut;        /* it has more operands */
};

/* A tree is a list of nodes with their depths; parents come before children. */
struct tree_node {
    const struct expression *expression; /* NULL: a symbol or value without further information */
    struct slice text;                   /* the text of such a node */
    uint16_t depth;
    bool again; /* expanded above, not repeated here */
    bool cut;   /* its operands are left out: too deep, or too many */
};

struct export_pair {
    struct slice name, value;
};

/* A dimension that the code limits, and the line with the guard that does it. */
struct export_limit {
    struct constraint says;
    struct place place; /* file.ptr NULL: the log does not say */
};
enum { EXPORT_LIMITS_MAX = 64 };

struct export_failure {
    enum export_kind kind;
    uint32_t compile, folder;
    uint64_t line;                 /* of the record in the log; 0: from the metrics of a compile */
    struct slice type;             /* for an error: the exception; otherwise ptr NULL */
    struct slice expr, result, op; /* ptr NULL if there is none */
    struct slice detail;           /* torch's message; ptr NULL: none */
    struct slice
        input; /* the number of the input whose size is out of range, among the flattened ones; ptr NULL: unknown */
    uint64_t dimension; /* of the input */
    struct slice code;  /* source line of the program */
    struct place place,
        caller; /* caller: the call of torch.export, if place is a line below it; file.ptr NULL: unknown */
    const struct stack_node *user_stack, *stack;
    struct export_pair *locals, *symbols; /* symbols: name and source */
    uint32_t local_count, symbol_count;
    uint32_t more_locals; /* number left out */
    struct tree_node *tree;
    uint32_t tree_count;
    bool tree_cut;               /* nodes are left out at its end */
    bool provenance;             /* from a record with the expression's id, not its short form */
    struct slice url;            /* of symbolic_guard_information_N.html; ptr NULL: none */
    bool late;                   /* its page is written at the end, see export_pages_write() */
    struct export_limit *limits; /* of a constraint violation, from exports_find_limits() on */
    uint32_t limit_count, more_limits;
    bool equal;               /* a size is fixed because that of another tensor is static, see equal_sizes.h */
    struct slice equal_sizes; /* static sizes of inputs that are equal, as export_add_static() says them */
    size_t equal_count;
};

struct export_program {
    uint32_t compile;
    uint32_t artifact; /* in model->artifacts */
    uint32_t place;    /* index in the compile's list */
};

enum export_outcome {
    EXPORT_SUCCEEDED,  /* the log has its program */
    EXPORT_COMPILED,   /* AOTInductor compiled a graph with its sizes afterwards */
    EXPORT_FAILED,     /* the log has its error, or the trace up to it */
    EXPORT_NO_PROGRAM, /* the log has programs, or the start of exports, but not the program of this one */
    EXPORT_TRACED,     /* Dynamo traced it without an error; what followed is not logged */
    EXPORT_UNKNOWN,    /* not logged */
    EXPORT_OUTCOMES,
};
enum export_mode { EXPORT_MODE_UNKNOWN, EXPORT_STRICT, EXPORT_NOT_STRICT };

struct export_call {
    enum export_outcome outcome;
    enum export_mode mode;
    uint32_t compile;    /* of its trace, or of its metrics */
    int64_t ended;       /* the compile of its metrics, or -1 */
    int64_t failure;     /* in exports->failures, or -1 */
    int64_t program;     /* in exports->programs, or -1 */
    uint64_t line;       /* of its first record */
    struct place place;  /* the user's call; file.ptr NULL: unknown */
    struct place caller; /* what called the function with that line, likewise */
    bool compiled;       /* AOTInductor compiled its program */
    bool partial;        /* its trace failed, and the log has the graph up to that */
};

/* A guard of an export that a named `Dim` does not allow: it narrows the range of a size, or relates two sizes. */
struct export_bound {
    const struct export_call *call;
    const struct shape_record *guard, *symbol; /* symbol: of the size */
    const struct shape_record *other;          /* of the size that it must equal; NULL: it narrows the range */
    bool upper;                                /* the limit is the new maximum, not the minimum */
    bool constant;                             /* it is the only value */
    uint64_t limit;
    uint64_t divisor; /* the size must be a multiple of it; 0: it is another guard */
    bool
        declared; /* the program gave the sizes different ranges, or the size a range, or marked a size that is constant: PyTorch rejects
                         the export */
    struct place place;
};
enum { EXPORT_BOUNDS_MAX = 64 };

/* An input of an export with a size out of the range of its Dim, for the failure with this number. */
struct export_range {
    size_t failure;
    struct slice source;
    uint64_t dimension;
};

enum { EXPORT_SIZES_MAX = 8, EXPORT_INPUTS_MAX = 1024 };

/* An argument that an export described, before it made symbols for the sizes that are dynamic. */
struct export_input {
    uint32_t compile;
    uint64_t line; /* of the record of its source */
    struct slice source;
    uint64_t sizes[EXPORT_SIZES_MAX];
    size_t count; /* of the sizes */
};

struct exports {
    struct arena *arena; /* the model's */
    bool found;          /* the log is of an export */
    bool asked;          /* --export */
    LIST(struct export_failure *) failures;
    LIST(struct export_program) programs;
    LIST(struct export_call) calls;   /* by process and line; from exports_find_calls() on */
    LIST(struct export_bound) bounds; /* of calls without a known outcome; from exports_find_bounds() on */
    uint64_t more_failures;
    uint64_t starts; /* records with which an export begins, from TORCH_DTRACE */
    /* For the fold. */
    struct map id_map, text_map, failure_map;
    LIST(struct expression *) expressions;
    LIST(struct export_failure *) remembered;
    LIST(struct slice) texts;
    uint32_t serial;
    uint64_t tree_nodes;
    struct {
        uint64_t process, describer, tensor, sizes[EXPORT_SIZES_MAX];
        size_t count;        /* of its sizes; 0: unknown */
        struct slice source; /* ptr NULL: not logged yet */
    } input;                 /* the tensor that an export described last */
    LIST(struct export_range) ranges;
    LIST(struct export_input) inputs; /* by line */
};

/* The exports of the report, created on demand. Owned by the report. */
struct exports *exports_of(struct model *model);
/* A copy of the text, stored once. Keeps ptr NULL. */
struct slice exports_text(struct exports *exports, struct slice text);
/* Returns the expression with this id of the process, to be filled in. An older one with the id is forgotten. */
struct expression *exports_define(struct exports *exports, uint64_t process, uint64_t id);
/* Returns room for another operand. If there are too many, returns NULL and marks the expression as cut. */
struct operand *expression_add(struct exports *exports, struct expression *expression);
/* Copies the tree of the expression with this id to the failure, in the arena. Does nothing if there is none. */
void exports_take_tree(struct exports *exports, struct arena *arena, struct export_failure *failure, uint64_t process,
                       uint64_t id);
/* The arena for what a failure refers to: that of the report, or the given one if no more failures are stored. */
struct arena *exports_arena(struct exports *exports, struct arena *otherwise);
/* Adds a copy of the failure. If there are too many, returns NULL and counts it. */
struct export_failure *exports_fail(struct exports *exports, const struct export_failure *failure);
/* Stores, or finds, the latest failure of the compile with this expression; without an expression, the latest one that
 * ended it. */
void exports_remember(struct exports *exports, struct export_failure *failure, struct slice expr);
struct export_failure *exports_recall(struct exports *exports, uint32_t compile, struct slice expr);
/* The input that an export is about to make symbols for, from describe_tensor, and its source, in an input without
 * sizes. */
void exports_note_input(struct exports *exports, uint64_t process, uint64_t describer, uint64_t tensor,
                        yyjson_val *sizes);
void exports_note_source(struct exports *exports, uint64_t process, uint64_t describer, uint64_t tensor,
                         const struct export_input *input);
/* An error of an export, with this number among the model's failures: if it is about the range of a size, that of the
 * latest input. */
void exports_note_range(struct exports *exports, uint64_t process, size_t failure, struct slice reason);
/* Adds the export errors among the report's failures. Call it once, when the log is complete. */
void exports_take_errors(struct model *model);
/* Whether this failure of the report is among those of the export, which have a place and advice. False if some did
 * not fit. */
bool exports_tell(const struct model *model, const struct failure *error);
/* Whether the source is an argument of the export, and not a parameter or buffer of the module. */
bool export_is_argument(struct slice source);
/* Adds the sizes of arguments that the latest export before this line of the compile left static and that have the value,
 * such as "`mask.size()[1]`". Returns their number; 0: also if there are too many inputs to tell. */
size_t export_add_static(struct buf *out, const struct model *model, const struct compile *compile, uint64_t before,
                         struct slice value);
/* What to do about a size that must equal a static one, with what export_add_static() found. */
void export_add_equal_advice(struct buf *out, struct slice sizes, size_t count);
/* Whether the line of a constraint violation fixes a size because another one is static, and which. The metrics of an
 * export have no id: its records belong to a compile without metrics. */
void export_find_equal(const struct model *model, struct export_failure *failure);
/* Whether the stack leads through torch.export. */
bool export_is_in(const struct stack_node *stack);
/* Whether torch.export called the compiler for this compile. */
bool export_called(const struct compile *compile);
/* Whether the compile is the trace of an export: the log is of one, and the compile has no frame of its own (PyTorch
 * logs neither dynamo_start nor metrics for it), or an export called it. */
bool exports_has_traced(const struct model *model, const struct compile *compile);
/* The line of the user that called torch.export, from a stack through it; NULL: none. */
const struct stack_node *export_site(const struct stack_node *stack);
/* The one before this line of the log, of the records of a compile that an export traced; NULL: none. */
const struct stack_node *export_site_before(const struct compile *compile, uint64_t line);
/* Whether the report has an export to show. */
bool exports_shown(const struct model *model);

/* Whether the export went on after it: draft_export records what it passes by. */
static inline bool export_continues(const struct export_failure *failure) {
    return failure->kind == EXPORT_GUARD || failure->kind == EXPORT_MISMATCHED_KERNEL || failure->result.ptr ||
           (failure->kind == EXPORT_MISSING_KERNEL && failure->line);
}
