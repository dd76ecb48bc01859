/* Backwards that Compiled Autograd captured and compiled again and again: identified by the nodes in the captured
 * graphs, or else by the reasons that PyTorch logs on request. */

#include "findings/findings_make.h"
#include "model/extras.h"

enum { NAMED_MAX = 4, NODES_SAID = 2 };

/* Why PyTorch captured the backward; ptr NULL: not logged. */
static struct slice reason_of(const struct model *model, uint32_t compile) {
    for (size_t i = 0; i < model->extras->notices.count; i++) {
        const struct notice *notice = &model->extras->notices.items[i];
        if (notice->kind == NOTICE_AUTOGRAD_REASON && notice->compile == compile)
            return notice->message;
    }
    return (struct slice){0};
}

struct again {
    uint32_t compile; /* in model->compiles */
    bool accumulates; /* it adds to gradients that did not exist in the earlier capture */
    bool hooked;      /* only its hooks differ from those of the earlier capture */
    const struct autograd_capture *capture, *earlier;
};

struct agains {
    LIST(struct again) list;
    size_t most;                            /* the most captures of one backward */
    const struct autograd_capture *of_most; /* the first of these */
};

/* The previous captures of a process with the same nodes. */
struct seen_nodes {
    const struct autograd_capture *first, *latest;
    size_t count;
};

static void find_again(struct findings *findings, const struct model *model, struct agains *found) {
    struct map nodes = {0};
    LIST(struct seen_nodes) seen = {0};
    for (size_t i = 0; i < model->extras->captures.count; i++) {
        const struct autograd_capture *capture = &model->extras->captures.items[i];
        struct buf key = {0};
        bool added;
        BUF_ADD(&key, (size_t)model->compiles.items[capture->compile]->process, " ", capture->nodes);
        uint32_t at = *map_put_in(&findings->scratch, &nodes, buf_slice(&key), (uint32_t)seen.count, &added);
        buf_free(&key);
        assert(added || at < seen.count);
        if (added) {
            ARENA_ADD(&findings->scratch, &seen, (struct seen_nodes){.first = capture});
        } else {
            const struct autograd_capture *earlier = seen.items[at].latest;
            ARENA_ADD(&findings->scratch, &found->list,
                      (struct again){.compile = capture->compile,
                                     .accumulates = capture->existing > earlier->existing,
                                     .hooked = capture->calls == earlier->calls &&
                                               capture->existing == earlier->existing &&
                                               memcmp(capture->hooks, earlier->hooks, sizeof capture->hooks) != 0,
                                     .capture = capture,
                                     .earlier = earlier});
        }
        seen.items[at].latest = capture;
        if (++seen.items[at].count > found->most) {
            found->most = seen.items[at].count;
            found->of_most = seen.items[at].first;
        }
    }
}

/* Adds the frames that the captures became, which have the cost. */
static void add_frames(struct findings *findings, struct finding *finding, const struct model *model,
                       const struct agains *found) {
    struct map captures = {0};
    for (size_t i = 0; i < found->list.count; i++) {
        const struct compile *compile = model->compiles.items[found->list.items[i].compile];
        int64_t id[2] = {(int64_t)compile->process, compile->autograd_id};
        map_put_in(&findings->scratch, &captures, slice_make((char *)id, sizeof id), 1, NULL);
        finding_name_compile(findings, finding, found->list.items[i].compile);
    }
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        int64_t id[2] = {(int64_t)compile->process, compile->autograd_id};
        if (compile->framed && compile->frame_compile_id == 0 && slice_starts(compile->frame.file, SLICE("<")) &&
            map_get(&captures, slice_make((char *)id, sizeof id)) != MAP_NONE)
            finding_add_compile(findings, finding, model, i);
    }
}

/* "The graphs of !1/-/- and !3/-/- add to gradients that were None in the earlier capture." */
static void add_gradients(struct buf *why, const struct model *model, const struct agains *found) {
    size_t count = 0, said = 0;
    for (size_t i = 0; i < found->list.count; i++)
        count += found->list.items[i].accumulates;
    for (size_t i = 0; i < found->list.count && said < NAMED_MAX; i++) {
        if (!found->list.items[i].accumulates)
            continue;
        BUF_ADD(why,
                !said               ? (count == 1 ? " The graph of " : " The graphs of ")
                : said + 1 == count ? " and "
                                    : ", ",
                model->compiles.items[found->list.items[i].compile]->key);
        said++;
    }
    if (count > said)
        buf_addf(why, " and %zu more", count - said);
    if (count)
        buf_addf(why, " add%s to gradients that were None in the capture before.", count == 1 ? "s" : "");
}

/* "1 more `tensor_pre_hook`" */
static void add_hook_counts(struct buf *why, const struct again *again) {
    const char *before = "";
    for (size_t i = 0; i < AUTOGRAD_HOOKS; i++) {
        uint32_t has = again->capture->hooks[i], had = again->earlier->hooks[i];
        if (has == had)
            continue;
        buf_addf(why, "%s%" PRIu32 " %s `%s`", before, has > had ? has - had : had - has, has > had ? "more" : "fewer",
                 autograd_hook_name((enum autograd_hook)i));
        before = " and ";
    }
}

/* "The graph of !4/-/- calls what that of !1/-/- calls, with 1 more `tensor_pre_hook`." */
static void add_hooks(struct buf *why, const struct model *model, const struct agains *found) {
    size_t said = 0;
    for (size_t i = 0; i < found->list.count; i++) {
        const struct again *again = &found->list.items[i];
        if (!again->hooked || said++ == NAMED_MAX)
            continue;
        buf_addf(why, " The graph of %.*s calls what that of %.*s calls, with ",
                 SLICE_ARG(model->compiles.items[again->compile]->key),
                 SLICE_ARG(model->compiles.items[again->earlier->compile]->key));
        add_hook_counts(why, again);
        buf_add_byte(why, '.');
    }
}

/* Whether the graphs show for each capture how it differs. */
static bool all_explained(const struct agains *found) {
    bool all = true;
    for (size_t i = 0; i < found->list.count; i++)
        all &= found->list.items[i].accumulates || found->list.items[i].hooked;
    return all;
}

/* "`SumBackward0`, `ScaleBackward` and 1 more": the nodes below the root. */
static void add_nodes(struct buf *out, struct slice nodes) {
    size_t said = 0, more = 0;
    for (size_t end; nodes.len; nodes = end == SIZE_MAX ? (struct slice){0} : slice_from(nodes, end + 1)) {
        end = slice_find(nodes, SLICE(" "));
        struct slice name = slice_first(nodes, end);
        if (slice_ends(name, SLICE("GraphRoot")))
            continue;
        if (said < NODES_SAID)
            buf_addf(out, "%s`%.*s`", said++ ? ", " : "", SLICE_ARG(name));
        else
            more++;
    }
    if (more)
        buf_addf(out, " and %zu more", more);
}

static void describe(struct findings *findings, struct finding *finding, const struct model *model,
                     const struct agains *found) {
    const struct again *first = &found->list.items[0];
    struct slice reason = reason_of(model, first->compile);
    size_t count = found->list.count;
    struct buf why = {0};
    finding->title =
        finding_say(findings, "Compiled Autograd captured %zu backward graph%s again", count, count == 1 ? "" : "s");
    if (reason.ptr) {
        finding->why = finding_line(findings, reason);
        return;
    }
    buf_add_lit(&why, "The backward with the autograd nodes ");
    add_nodes(&why, found->of_most->nodes);
    buf_addf(&why, " was captured %zu times, first in %.*s.", found->most,
             SLICE_ARG(model->compiles.items[found->of_most->compile]->key));
    add_gradients(&why, model, found);
    add_hooks(&why, model, found);
    buf_add_lit(&why, " `TORCH_LOGS=compiled_autograd_verbose` adds the reason to the log. Other input sizes may also "
                      "cause a new capture.");
    finding->why = finding_keep(findings, &why);
    for (size_t i = 0; i < found->list.count && !finding->advice.len; i++)
        if (found->list.items[i].hooked)
            finding->advice =
                SLICE("Register hooks before the first backward: a different number of hooks needs a new graph.");
    if (finding->advice.len)
        finding->evidence = SLICE("compiled_autograd_graph");
    if (all_explained(found))
        return;
    finding->advice =
        SLICE("Run again with `TORCH_LOGS=compiled_autograd_verbose`: the log then has the reason of each "
              "capture.");
    finding->evidence = SLICE("compiled_autograd_graph");
}

/* Adds captures whose graphs have no names of nodes: those after the first one of their process. */
static void add_reasons(struct findings *findings, const struct model *model) {
    struct map processes = {0};
    struct finding *finding = NULL;
    uint32_t last = UINT32_MAX;
    size_t count = 0;
    for (size_t i = 0; i < model->extras->notices.count; i++) {
        const struct notice *notice = &model->extras->notices.items[i];
        if (notice->kind != NOTICE_AUTOGRAD_REASON)
            continue;
        const struct compile *compile = model->compiles.items[notice->compile];
        bool first;
        uint32_t begun =
            *map_put_in(&findings->scratch, &processes,
                        slice_make((const char *)&compile->process, sizeof compile->process), notice->compile, &first);
        if (begun == notice->compile)
            continue; /* the first capture is unavoidable */
        if (!finding) {
            finding = finding_add(findings, FINDING_AUTOGRAD_CAPTURE, SEVERITY_INFO, IMPACT_COMPILE_TIME);
            finding->why = finding_line(findings, notice->message);
            finding->place = compile->frame;
            finding->link = finding_link(findings, compile);
        }
        count += notice->compile != last;
        last = notice->compile;
        finding_add_compile(findings, finding, model, notice->compile);
    }
    if (finding) {
        finding->time_us = -1;
        finding->title =
            finding_say(findings, "Compiled Autograd captured %zu more backward graph%s", count, count == 1 ? "" : "s");
    }
}

void findings_add_captures(struct findings *findings, const struct model *model) {
    struct agains found = {0};
    if (!model->extras)
        return;
    if (!model->extras->captures.count) {
        add_reasons(findings, model);
        return;
    }
    find_again(findings, model, &found);
    if (!found.list.count)
        return;
    struct finding *finding = finding_add(findings, FINDING_AUTOGRAD_CAPTURE, SEVERITY_INFO, IMPACT_COMPILE_TIME);
    finding->link = finding_link(findings, model->compiles.items[found.list.items[0].compile]);
    finding->place = found.of_most->place;
    finding->code = found.of_most->code;
    add_frames(findings, finding, model, &found);
    describe(findings, finding, model, &found);
}
