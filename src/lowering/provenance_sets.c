#include "lowering/provenance_sets.h"

enum role {
    ROLE_NONE,
    ROLE_PRE,
    ROLE_PRE_ELSE, /* used if the other artifact is missing */
    ROLE_POST,
    ROLE_POST_ELSE,
    ROLE_PYTHON,
    ROLE_CPP,
    ROLE_KERNELS,
    ROLE_MAPPING,
    ROLE_STACKS,
};

static const struct {
    struct slice prefix;
    enum role role;
} roles[] = {
    {SLICE_INIT("after_post_grad_graph"), ROLE_POST},
    {SLICE_INIT("before_pre_grad_graph"), ROLE_PRE},
    {SLICE_INIT("inductor_aot_kernel_code"), ROLE_KERNELS},
    {SLICE_INIT("inductor_aot_wrapper_code"), ROLE_CPP},
    {SLICE_INIT("inductor_output_code"), ROLE_PYTHON},
    {SLICE_INIT("inductor_post_grad_graph"), ROLE_POST_ELSE},
    {SLICE_INIT("inductor_pre_grad_graph"), ROLE_PRE_ELSE},
    {SLICE_INIT("inductor_provenance_tracking_kernel_stack_traces"), ROLE_STACKS},
    {SLICE_INIT("inductor_provenance_tracking_node_mappings"), ROLE_MAPPING},
};

static enum role role_of(const struct artifact *artifact) {
    if (!artifact->url.ptr || artifact->outer || slice_is(artifact->kind, "dump_file") ||
        slice_find(artifact->name, SLICE("/")) != SIZE_MAX)
        return ROLE_NONE;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (slice_starts(artifact->name, roles[i].prefix))
            return roles[i].role == ROLE_PYTHON && artifact->lang == LANG_JSON ? ROLE_NONE : roles[i].role;
    return ROLE_NONE;
}

bool provenance_reads(struct slice name) {
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (slice_starts(name, roles[i].prefix))
            return true;
    return false;
}

static void add_code(struct provenance_set *set, const struct artifact *artifact, enum code_kind kind) {
    if (set->code_count == SET_CODES)
        memmove(set->codes, set->codes + 1, --set->code_count * sizeof *set->codes);
    set->codes[set->code_count].artifact = artifact;
    set->codes[set->code_count++].kind = kind;
}

/* The artifacts in the log since the last mapping, and before it. */
struct reading {
    struct provenance_set now;
    const struct artifact *pre, *pre_else, *post, *post_else; /* of `now`, once it is known which ones to use */
    const struct artifact *older_pre, *older_post;
};

static const struct artifact *first_of(const struct artifact *a, const struct artifact *b, const struct artifact *c) {
    return a ? a : b ? b : c;
}

static void end_set(struct provenance_sets *sets, struct reading *r) {
    struct provenance_set set = r->now;
    set.pre = r->older_pre = first_of(r->pre, r->pre_else, r->older_pre);
    set.post = r->older_post = first_of(r->post, r->post_else, r->older_post);
    if (sets->count == SETS_MAX) {
        memmove(sets->items, sets->items + 1, --sets->count * sizeof *sets->items);
        sets->left_out++;
    }
    sets->items[sets->count++] = set;
    r->now = (struct provenance_set){0};
    r->pre = r->pre_else = r->post = r->post_else = NULL;
}

static void read_one(struct provenance_sets *sets, struct reading *r, const struct artifact *artifact, enum role role) {
    const struct artifact **const graphs[] = {
        [ROLE_PRE] = &r->pre, [ROLE_PRE_ELSE] = &r->pre_else, [ROLE_POST] = &r->post, [ROLE_POST_ELSE] = &r->post_else};
    switch (role) {
    case ROLE_PRE:
    case ROLE_PRE_ELSE:
    case ROLE_POST:
    case ROLE_POST_ELSE:
        *graphs[role] = artifact;
        break;
    case ROLE_PYTHON:
        add_code(&r->now, artifact, CODE_PYTHON);
        break;
    case ROLE_CPP:
        add_code(&r->now, artifact, CODE_CPP);
        break;
    case ROLE_KERNELS:
        add_code(&r->now, artifact, CODE_KERNELS);
        break;
    case ROLE_MAPPING:
        r->now.mapping = artifact;
        end_set(sets, r);
        break;
    case ROLE_STACKS:
        if (sets->count && !r->now.code_count)
            sets->items[sets->count - 1].stacks = artifact;
        else
            r->now.stacks = artifact;
        break;
    case ROLE_NONE:
        break;
    }
}

static void take_latest(struct provenance_sets *sets, const struct artifact *const by_role[]) {
    struct provenance_set *latest = &sets->latest;
    latest->pre = first_of(by_role[ROLE_PRE], by_role[ROLE_PRE_ELSE], NULL);
    latest->post = first_of(by_role[ROLE_POST], by_role[ROLE_POST_ELSE], NULL);
    latest->mapping = by_role[ROLE_MAPPING];
    if (by_role[ROLE_PYTHON])
        add_code(latest, by_role[ROLE_PYTHON], CODE_PYTHON);
    if (by_role[ROLE_CPP])
        add_code(latest, by_role[ROLE_CPP], CODE_CPP);
}

/* Whether there is a graph without a mapping. */
static bool has_more(const struct reading *r) {
    return r->now.code_count || r->post || r->post_else;
}

void provenance_sets_find(struct provenance_sets *sets, const struct model *model, const uint32_t *artifacts,
                          size_t count, struct slice folder) {
    const struct artifact *by_role[ROLE_STACKS + 1] = {0};
    struct reading reading = {0};
    *sets = (struct provenance_sets){0};
    for (size_t i = 0; i < count; i++) {
        const struct artifact *artifact = &model->artifacts.items[artifacts[i]];
        enum role role = role_of(artifact);
        if (i && artifact->compile != model->artifacts.items[artifacts[i - 1]].compile) {
            if (has_more(&reading))
                end_set(sets, &reading);
            reading = (struct reading){0}; /* graphs of different compiles must not be mixed */
        }
        read_one(sets, &reading, artifact, role);
        if (slice_eq(model->folders.items[artifact->folder].name, folder))
            by_role[role] = artifact;
    }
    take_latest(sets, by_role);
    if (has_more(&reading) || !sets->count)
        end_set(sets, &reading);
}
