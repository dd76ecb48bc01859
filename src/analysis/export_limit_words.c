/* PyTorch's statements about dimensions that dynamic_shapes declares as dynamic but the code restricts, and advice. */

#include "analysis/export_words.h"
#include "model/export.h"
#include "scan/guard_facts.h"

enum { LIMITS_SAID_MAX = 3, EXPR_MAX = 300 };

/* "`batch` (`x.size()[0]`)" */
static void add_dimension(struct buf *out, struct slice name, struct slice source) {
    buf_add_byte(out, '`');
    guard_readable_add(out, name);
    buf_add_byte(out, '`');
    if (!source.len || slice_eq(name, source))
        return;
    buf_add_lit(out, " (`");
    guard_readable_add(out, source);
    buf_add_lit(out, "`)");
}

static void add_line(struct buf *out, const char *before, const struct export_limit *limit) {
    if (!limit->place.file.ptr)
        return;
    buf_addf(out, "%s`%.*s:%" PRIu64 "`", before, SLICE_ARG(path_last(limit->place.file)), limit->place.line);
}

static void add_limit(struct buf *out, const struct export_limit *limit) {
    const struct constraint *says = &limit->says;
    buf_add_byte(out, ' ');
    switch (says->kind) {
    case CONSTRAINT_GUARD:
        buf_add_lit(out, "Not all values of ");
        add_dimension(out, says->name, says->source);
        buf_add_lit(out, " satisfy PyTorch's guard `");
        guard_readable_add(out, slice_first(says->expr, EXPR_MAX));
        buf_add_byte(out, '`');
        add_line(out, ", from ", limit);
        break;
    case CONSTRAINT_CONSTANT:
        buf_add_lit(out, "The code specialized ");
        add_dimension(out, says->name, says->source);
        buf_addf(out, " to %.*s", SLICE_ARG(slice_first(says->expr, EXPR_MAX)));
        add_line(out, " at ", limit);
        break;
    case CONSTRAINT_EQUAL:
        add_dimension(out, says->name, says->source);
        buf_add_lit(out, " and ");
        add_dimension(out, says->partner, says->other);
        buf_add_lit(out, " must always be equal");
        add_line(out, ", because of ", limit);
        break;
    default:
        buf_addf(out, "PyTorch says: %.*s", SLICE_ARG(slice_first(says->says, EXPR_MAX)));
        if (slice_ends(says->says, SLICE(".")))
            return;
    }
    buf_add_byte(out, '.');
}

/* Whether the limit is a guard on the same dimension and from the same line as an earlier one. */
static bool follows(const struct export_failure *failure, uint32_t nth) {
    const struct export_limit *limit = &failure->limits[nth];
    for (uint32_t i = 0; i < nth; i++) {
        const struct export_limit *earlier = &failure->limits[i];
        if (limit->says.kind == CONSTRAINT_GUARD && earlier->says.kind == CONSTRAINT_GUARD &&
            slice_eq(limit->says.name, earlier->says.name) && limit->place.line == earlier->place.line &&
            slice_eq(limit->place.file, earlier->place.file))
            return true;
    }
    return false;
}

/* The page shows the whole message. */
void export_add_limits(struct buf *out, const struct export_failure *failure) {
    uint32_t said = 0;
    for (uint32_t i = 0; i < failure->limit_count && said < LIMITS_SAID_MAX; i++) {
        if (follows(failure, i))
            continue;
        add_limit(out, &failure->limits[i]);
        said++;
    }
    uint32_t more = failure->limit_count - said + failure->more_limits;
    if (said && more)
        buf_addf(out, " The message has %" PRIu32 " more.", more);
}

/* PyTorch prints sympy's infinity, which Dim() does not accept: the fix leaves out max, so there is no limit. */
static void add_fix(struct buf *out, struct slice fix) {
    size_t end = slice_find(fix, SLICE(", max=oo"));
    BUF_ADD(out, "`", slice_first(fix, end == SIZE_MAX ? EXPR_MAX : end));
    if (end != SIZE_MAX)
        buf_add(out, slice_from(fix, end + sizeof ", max=oo" - 1));
    buf_add_byte(out, '`');
}

/* "PyTorch suggests `_batch = Dim('_batch', min=1)`, `batch = 2*_batch`" */
static bool add_fixes(struct buf *out, const struct export_failure *failure) {
    struct slice rest = failure->detail, fix;
    size_t count = 0;
    while ((fix = constraint_fix_next(&rest)).len) {
        buf_add_str(out, count++ ? ", " : "PyTorch suggests for `dynamic_shapes`: ");
        add_fix(out, fix);
    }
    if (count)
        buf_add_lit(out, ".\n");
    return count > 0;
}

static bool has(const struct export_failure *failure, enum constraint_kind kind) {
    for (uint32_t i = 0; i < failure->limit_count; i++)
        if (failure->limits[i].says.kind == kind)
            return true;
    return false;
}

void export_add_limit_advice(struct buf *out, const struct export_failure *failure) {
    bool relation = has(failure, CONSTRAINT_GUARD), equal = has(failure, CONSTRAINT_EQUAL),
         constant = has(failure, CONSTRAINT_CONSTANT) || !failure->limit_count || (!relation && !equal);
    if (failure->equal) {
        export_add_equal_advice(out, failure->equal_sizes, failure->equal_count);
        buf_add_byte(out, '\n');
    }
    bool fixes = add_fixes(out, failure);
    if (relation)
        buf_addf(out,
                 "If the model is only used where the guard holds, %sdeclare the dimension `Dim.AUTO`: export then "
                 "accepts the guard.\n",
                 fixes ? "do that, or " : "");
    if (equal)
        buf_addf(out, "If the dimensions are always equal, give both the same `Dim`%s or `Dim.AUTO`.\n",
                 fixes ? ", as PyTorch suggests," : "");
    if (constant)
        buf_add_lit(out, "If the dimension has to be this size, say so: `Dim.STATIC` or the number in "
                         "`dynamic_shapes`; `Dim.AUTO` lets export decide.\n");
    BUF_ADD(out,
            constant ? "If it has to be free, change the line that fixes it: take sizes from the input's shape "
                       "instead of writing numbers.\n"
                     : "If it has to be free, change the line with the guard.\n",
            "`torch.export.draft_export(…)` goes on past it and says which guard did it.\n");
}
