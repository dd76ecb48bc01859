/* export.h - torch.export: failures, and exported programs.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. Expressions are stored by the id that the
 * process gave them. Python reuses ids, so the latest expression with an id is the valid one, and a failure copies its
 * tree when it is recorded. Afterwards, neither the tree nor anything it refers to changes, so any thread may render
 * failures.
 *
 * Everything is limited: the operands of an expression, the nodes and depth of a tree, the nodes of all trees together,
 * locals. A tree records whether it reached a limit. An expression that is already in a tree is not expanded again, so
 * cycles terminate. */
#pragma once

#include "base/json.h"
#include "model/model.h"
#include "scan/constraint.h"

enum export_kind {
    EXPORT_DATA_DEPENDENT,    /* a decision that depends on tensor values */
    EXPORT_GUARD,             /* a guard on sizes */
    EXPORT_MISSING_KERNEL,    /* an operator without a fake kernel */
    EXPORT_MISMATCHED_KERNEL, /* an operator whose fake kernel behaves differently from the real one */
    EXPORT_CONSTRAINT,        /* dynamic_shapes declares something that the code does not satisfy */
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
    struct slice range;          /* range of an unbacked symbol; ptr NULL: unknown */
    struct operand {
        uint64_t id;
        struct slice text; /* ptr NULL: unknown */
    } * operands;
    uint32_t operand_count, operand_cap;
    const struct stack_node *user_stack, *stack;
    uint32_t serial; /* serial of the latest tree that includes the expression */
    bool taken;      /* part of a tree, so it must not change */
    bool cut;        /* it has more operands */
};

/* A tree is a list of nodes with their depths; parents come before children. */
struct tree_node {
    const struct expression *expression; /* NULL: a symbol or value about which nothing else is known */
    struct slice text;                   /* the text of such a node */
    uint16_t depth;
    bool again; /* already expanded above, so not repeated here */
    bool cut;   /* its operands are left out: too deep, or too many */
};

struct export_pair {
    struct slice name, value;
};

/* A dimension that the code restricts, and the line with the guard that does so. */
struct export_limit {
    struct constraint says;
    struct place place; /* file.ptr NULL: the log does not say */
};
enum { EXPORT_LIMITS_MAX = 64 };

struct export_failure {
    enum export_kind kind;
    uint32_t compile, folder;
    uint64_t line;                 /* line of the record in the log; 0: from the metrics of a compile */
    struct slice type;             /* for an error: the exception; otherwise ptr NULL */
    struct slice expr, result, op; /* ptr NULL if there is none */
    struct slice detail;           /* torch's message; ptr NULL: none */
    /* The number of the input whose size is out of range, among the flattened inputs; ptr NULL: unknown */
    struct slice input;
    uint64_t dimension; /* of the input */
    struct slice code;  /* source line of the program */
    struct place place,
        caller; /* caller: the call of torch.export if `place` is a line below it; file.ptr NULL: unknown */
    const struct stack_node *user_stack, *stack;
    struct export_pair *locals, *symbols; /* symbols: name and source */
    uint32_t local_count, symbol_count;
    uint32_t more_locals; /* number left out */
    struct tree_node *tree;
    uint32_t tree_count;
    bool tree_cut;               /* the tree is cut off at its end */
    bool provenance;             /* from the record with the expression's id, not from the short form of the record */
    struct slice url;            /* of symbolic_guard_information_N.html; ptr NULL: none */
    bool late;                   /* its page is written at the end, see export_pages_write() */
    struct export_limit *limits; /* for a constraint violation; set by exports_find_limits() */
    uint32_t limit_count, more_limits;
    bool equal;               /* a size is fixed because the size of another tensor is static, see equal_sizes.h */
    struct slice equal_sizes; /* static sizes of inputs that are equal, as export_add_static() formats them */
    size_t equal_count;
};

struct export_program {
    uint32_t compile;
    uint32_t artifact; /* in model->artifacts */
    uint32_t place;    /* index in the compile's list */
};

enum export_outcome {
    EXPORT_SUCCEEDED,  /* the log has its program */
    EXPORT_COMPILED,   /* AOTInductor later compiled a graph with its sizes */
    EXPORT_FAILED,     /* the log has its error, or its trace up to the error */
    EXPORT_NO_PROGRAM, /* the log has programs or the start of exports, but no program of this export */
    EXPORT_TRACED,     /* Dynamo traced it without an error; later steps are not logged */
    EXPORT_UNKNOWN,    /* not logged */
    EXPORT_OUTCOMES,
};
enum export_mode { EXPORT_MODE_UNKNOWN, EXPORT_STRICT, EXPORT_NOT_STRICT };

struct export_call {
    enum export_outcome outcome;
    enum export_mode mode;
    uint32_t compile;    /* of its trace, or of its metrics */
    int64_t ended;       /* the compile of its metrics, or -1 */
    int64_t failure;     /* index in exports->failures, or -1 */
    int64_t program;     /* index in exports->programs, or -1 */
    uint64_t line;       /* of its first record */
    struct place place;  /* the user's call; file.ptr NULL: unknown */
    struct place caller; /* the call of the function that contains `place`; file.ptr NULL: unknown */
    bool compiled;       /* AOTInductor compiled its program */
    bool partial;        /* its trace failed, and the log has the graph up to the failure */
};

/* A guard of an export that a named `Dim` does not allow: it narrows the range of a size, or relates two sizes. */
struct export_bound {
    const struct export_call *call;
    const struct shape_record *guard, *symbol; /* symbol: of the size */
    const struct shape_record *other;          /* of the size that it must equal; NULL: it narrows the range */
    bool upper;                                /* `limit` is the new maximum, not the new minimum */
    bool constant;                             /* it is the only value */
    uint64_t limit;
    uint64_t divisor; /* the size must be a multiple of it; 0: the guard is of another kind */
    bool declared; /* the program declared different ranges for the sizes, or a range for the size, or marked a constant
                    * size as dynamic: PyTorch rejects the export */
    struct place place;
};
enum { EXPORT_BOUNDS_MAX = 64 };

/* An input of an export with a size outside the range of its Dim, for the failure with this number. */
struct export_range {
    size_t failure;
    struct slice source;
    uint64_t dimension;
};

enum { EXPORT_SIZES_MAX = 8, EXPORT_INPUTS_MAX = 1024 };

/* An argument that an export described before it created symbols for dynamic sizes. */
struct export_input {
    uint32_t compile;
    uint64_t line; /* line of the record of its source */
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
    LIST(struct export_call) calls;   /* sorted by process and line; set by exports_find_calls() */
    LIST(struct export_bound) bounds; /* for calls with an unknown outcome; set by exports_find_bounds() */
    uint64_t more_failures;
    uint64_t starts; /* number of records that begin an export, from TORCH_DTRACE */
    /* For the fold. */
    struct map id_map, text_map, failure_map;
    LIST(struct expression *) expressions;
    LIST(struct export_failure *) remembered;
    LIST(struct slice) texts;
    uint32_t serial;
    uint64_t tree_nodes;
    struct {
        uint64_t process, describer, tensor, sizes[EXPORT_SIZES_MAX];
        size_t count;        /* number of its sizes; 0: unknown */
        struct slice source; /* ptr NULL: not logged yet */
    } input;                 /* the latest tensor that an export described */
    LIST(struct export_range) ranges;
    LIST(struct export_input) inputs; /* by line */
};

/* The exports of the report, created on demand. Owned by the report. */
struct exports *exports_of(struct model *model);
/* A copy of the text, stored once. Keeps ptr NULL. */
struct slice exports_text(struct exports *exports, struct slice text);
/* Returns the expression with this id in the process, for the caller to fill in. Discards an older one with the id. */
struct expression *exports_define(struct exports *exports, uint64_t process, uint64_t id);
/* Returns room for another operand. If there are too many, returns NULL and marks the expression as cut. */
struct operand *expression_add(struct exports *exports, struct expression *expression);
/* Copies the tree of the expression with this id to the failure, in the arena. Does nothing if there is no such
 * expression. */
void exports_take_tree(struct exports *exports, struct arena *arena, struct export_failure *failure, uint64_t process,
                       uint64_t id);
/* The arena for what a failure refers to: that of the report, or the given one if the limit on failures is reached. */
struct arena *exports_arena(struct exports *exports, struct arena *otherwise);
/* Adds a copy of the failure. If there are too many, returns NULL and counts it. */
struct export_failure *exports_fail(struct exports *exports, const struct export_failure *failure);
/* Stores or finds the latest failure of the compile with this expression, or, without an expression, the latest failure
 * that ended the compile. */
void exports_remember(struct exports *exports, struct export_failure *failure, struct slice expr);
struct export_failure *exports_recall(struct exports *exports, uint32_t compile, struct slice expr);
/* Notes the input that an export is about to create symbols for, from describe_tensor, and then its source, for which
 * `input` has no sizes. */
void exports_note_input(struct exports *exports, uint64_t process, uint64_t describer, uint64_t tensor,
                        yyjson_val *sizes);
void exports_note_source(struct exports *exports, uint64_t process, uint64_t describer, uint64_t tensor,
                         const struct export_input *input);
/* Notes an error of an export, with this number among the model's failures. If it is about the range of a size, the
 * size is one of the latest input. */
void exports_note_range(struct exports *exports, uint64_t process, size_t failure, struct slice reason);
/* Adds the export errors among the report's failures. Call it once, when the log is complete. */
void exports_take_errors(struct model *model);
/* Whether this failure of the report is listed among the export failures, which have a place and advice. False if some
 * of those did not fit. */
bool exports_tell(const struct model *model, const struct failure *error);
/* Whether the source is an argument of the export, rather than a parameter or buffer of the module. */
bool export_is_argument(struct slice source);
/* Adds the sizes of arguments that the latest export before this line of the compile left static and that have the value,
 * such as "`mask.size()[1]`". Returns their number, or 0 if there are too many inputs to tell. */
size_t export_add_static(struct buf *out, const struct model *model, const struct compile *compile, uint64_t before,
                         struct slice value);
/* Adds advice for a size that must equal a static one, with the result of export_add_static(). */
void export_add_equal_advice(struct buf *out, struct slice sizes, size_t count);
/* Determines whether the line of a constraint violation fixes a size because another one is static, and finds that
 * size. The metrics of an export have no id, so its records belong to a compile without metrics. */
void export_find_equal(const struct model *model, struct export_failure *failure);
/* Whether the stack passes through torch.export. */
bool export_is_in(const struct stack_node *stack);
/* Whether torch.export called the compiler for this compile. */
bool export_called(const struct compile *compile);
/* Whether the compile is the trace of an export: an export called it, or the log has an export and the compile has no
 * frame of its own (PyTorch logs neither dynamo_start nor metrics for it). */
bool exports_has_traced(const struct model *model, const struct compile *compile);
/* The user's line that called torch.export, from a stack that passes through it; NULL: none. */
const struct stack_node *export_site(const struct stack_node *stack);
/* The latest such line before this line of the log, from the records of a compile that an export traced; NULL: none. */
const struct stack_node *export_site_before(const struct compile *compile, uint64_t line);
/* Whether the report has an export to show. */
bool exports_shown(const struct model *model);

/* Whether the export continued after this failure: draft_export records failures and carries on. */
static inline bool export_continues(const struct export_failure *failure) {
    return failure->kind == EXPORT_GUARD || failure->kind == EXPORT_MISMATCHED_KERNEL || failure->result.ptr ||
           (failure->kind == EXPORT_MISSING_KERNEL && failure->line);
}
