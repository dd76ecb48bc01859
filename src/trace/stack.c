#include "trace/stack.h"

enum { CONVERT_FRAMES = 3 };

static struct slice file_of(yyjson_val *value, const struct strings *strings) {
    struct slice file = json_get_text(value, "uninterned_filename");
    uint64_t id;
    if (!file.ptr && json_to_u64(json_get(value, "filename"), &id))
        file = strings_get(strings, id);
    if (!file.ptr)
        file = json_get_text(value, "filename");
    if (!file.ptr)
        return SLICE(UNKNOWN_FILE);
    size_t tree = slice_find(file, SLICE("#link-tree/"));
    return tree == SIZE_MAX ? file : slice_from(file, tree + sizeof "#link-tree/" - 1);
}

/* The index of an equal frame in stacks->frames. */
static uint32_t intern_frame(struct stacks *stacks, const struct frame *given) {
    struct buf key = {0};
    uint64_t line = given->line;
    size_t lens[2] = {given->file.len, given->function.len};
    BUF_ADD(&key, slice_make((char *)&line, sizeof line), slice_make((char *)lens, sizeof lens));
    buf_add_byte(&key, given->code.ptr ? 1 : 0);
    BUF_ADD(&key, given->file, given->function, given->code);
    bool added;
    uint32_t index =
        *map_put_in(&stacks->arena, &stacks->frame_map, buf_slice(&key), (uint32_t)stacks->frames.count, &added);
    buf_free(&key);
    if (!added)
        return index;
    struct frame *frame = arena_zalloc(&stacks->arena, sizeof *frame);
    frame->file = arena_slice(&stacks->arena, given->file);
    frame->function = arena_slice(&stacks->arena, given->function);
    frame->code = given->code.ptr ? arena_slice(&stacks->arena, given->code) : given->code;
    frame->line = line;
    ARENA_ADD(&stacks->arena, &stacks->frames, frame);
    return index;
}

static const struct stack_node *child(struct stacks *stacks, const struct stack_node *parent, uint32_t frame) {
    uint32_t key[2] = {parent ? parent->index : UINT32_MAX, frame};
    bool added;
    uint32_t index = *map_put_in(&stacks->arena, &stacks->node_map, slice_make((char *)key, sizeof key),
                                 (uint32_t)stacks->nodes.count, &added);
    if (added) {
        struct stack_node *node = arena_zalloc(&stacks->arena, sizeof *node);
        *node = (struct stack_node){parent, stacks->frames.items[frame], index, parent ? parent->depth + 1 : 1};
        ARENA_ADD(&stacks->arena, &stacks->nodes, node);
    }
    return stacks->nodes.items[index];
}

const struct stack_node *stacks_add_frame(struct stacks *stacks, const struct stack_node *parent,
                                          const struct frame *frame) {
    return child(stacks, parent, intern_frame(stacks, frame));
}

static struct frame frame_of(yyjson_val *value, const struct strings *strings) {
    struct frame frame = {.file = file_of(value, strings),
                          .function = json_get_text(value, "name"),
                          .code = json_get_text(value, "loc")};
    json_to_u64(json_get(value, "line"), &frame.line);
    return frame;
}

static const struct stack_node *add_first(struct stacks *stacks, yyjson_val *list, size_t count,
                                          const struct strings *strings) {
    const struct stack_node *node = NULL;
    size_t i, max;
    yyjson_val *value;
    yyjson_arr_foreach(list, i, max, value) {
        if (i >= count)
            break;
        if (!yyjson_is_obj(value))
            continue;
        struct frame frame = frame_of(value, strings);
        node = stacks_add_frame(stacks, node, &frame);
    }
    return node;
}

const struct stack_node *stacks_add(struct stacks *stacks, yyjson_val *list, const struct strings *strings) {
    return yyjson_is_arr(list) ? add_first(stacks, list, yyjson_arr_size(list), strings) : NULL;
}

const struct stack_node *stacks_add_start(struct stacks *stacks, yyjson_val *list, const struct strings *strings) {
    if (!yyjson_is_arr(list))
        return NULL;
    size_t count = yyjson_arr_size(list);
    for (int cut = 0; cut < CONVERT_FRAMES && count > 0; cut++, count--) {
        yyjson_val *last = yyjson_arr_get(list, count - 1);
        if (!yyjson_is_obj(last) || !slice_ends(file_of(last, strings), SLICE("torch/_dynamo/convert_frame.py")))
            break;
    }
    return add_first(stacks, list, count, strings);
}

void stacks_keep(struct stacks *stacks, const bool *keep) {
    uint32_t count = 0;
    for (size_t i = 0; i < stacks->nodes.count; i++) {
        if (!keep[i])
            continue;
        stacks->nodes.items[i]->index = count;
        stacks->nodes.items[count++] = stacks->nodes.items[i];
    }
    stacks->nodes.count = count;
}

void stacks_finish(struct stacks *stacks) {
    arena_free(&stacks->arena);
    *stacks = (struct stacks){0};
}
