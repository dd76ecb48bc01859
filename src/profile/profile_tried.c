#include "profile/profile_join.h"

/* Dynamo keeps the versions of a frame in a list. A call tries them from its front; the one that fits moves to the front, and so does a new
 * one. What a profile has of a frame's calls gives the order behind the front, as far as it has been called. */

/* A frame's versions that the trace has called, the latest first. */
struct tried_order {
    uint32_t front; /* index of a compile; NONE: none yet */
    uint32_t track; /* of its calls; NONE: none yet */
    bool unknown;   /* calls of several tracks, or more than TRIED_MAX versions */
};

void join_tried_index(struct join *j) {
    size_t count = j->model->compiles.count;
    struct tried *tried = &j->tried;
    struct map known = {0};
    AUTO_BUF key = {0};
    uint32_t frames = 0;
    tried->frame = mem_alloc((count + 1) * sizeof *tried->frame);
    tried->next = mem_alloc((count + 1) * sizeof *tried->next);
    tried->listed = mem_alloc((count + 1) * sizeof *tried->listed);
    for (size_t i = 0; i < count; i++) {
        const struct compile *compile = j->model->compiles.items[i];
        bool added;
        key.len = 0;
        buf_addf(&key, "%" PRIu64 " %" PRIu32 " %" PRId64, compile->process, compile->epoch, compile->frame_id);
        tried->frame[i] = *map_put(&known, buf_slice(&key), frames, &added);
        frames += added;
    }
    map_free(&known);
    tried->frames = frames;
    tried->orders = mem_alloc((frames + 1) * sizeof *tried->orders);
    join_tried_begin(j);
    for (uint32_t i = 0; i < frames; i++)
        tried->orders[i].unknown = false;
}

void join_tried_begin(struct join *j) {
    for (size_t i = 0; i < j->model->compiles.count; i++)
        j->tried.listed[i] = false;
    for (uint32_t i = 0; i < j->tried.frames; i++)
        j->tried.orders[i].front = j->tried.orders[i].track = NONE;
}

/* The number of versions before this one, which is in the list; it leaves the list. TRIED_MAX: at least so many. */
static uint32_t take_out(struct tried *tried, struct tried_order *order, uint32_t compile) {
    uint32_t *link = &order->front, before = 0;
    while (*link != compile && before < TRIED_MAX) {
        link = &tried->next[*link];
        before++;
    }
    if (*link == compile)
        *link = tried->next[compile];
    return before;
}

void join_note_tried(struct join *j, uint32_t compile, uint32_t track, bool looked_up) {
    struct tried *tried = &j->tried;
    struct tried_order *order = &tried->orders[tried->frame[compile]];
    struct profiled_compile *profiled = join_compile(j, compile);
    order->unknown |= order->track != NONE && order->track != track;
    order->track = track;
    if (order->unknown)
        return;
    if (tried->listed[compile]) {
        uint32_t before = take_out(tried, order, compile);
        order->unknown |= before == TRIED_MAX;
        profiled->ordered_calls += looked_up;
        profiled->tried_before += looked_up ? before : 0;
    }
    tried->listed[compile] = true;
    tried->next[compile] = order->front;
    order->front = compile;
}

void join_tried_end(struct join *j) {
    for (uint32_t i = 0; i < j->model->compiles.count; i++)
        if (j->profile->unknown_ids || j->tried.orders[j->tried.frame[i]].unknown)
            join_compile(j, i)->ordered_calls = join_compile(j, i)->tried_before = 0;
    mem_free(j->tried.frame);
    mem_free(j->tried.next);
    mem_free(j->tried.listed);
    mem_free(j->tried.orders);
}
