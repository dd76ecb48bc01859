/* stack.h - deduplicated stacks of frames.
 *
 * A log repeats the same stacks many times. Here, each frame exists once, and a stack is a node of a tree: its
 * innermost frame and the node of the remaining frames. Nodes and frames never move or change, so any thread may read a
 * node. Only the fold adds nodes, on one thread. They live until stacks_finish(). */
#pragma once

#include "base/json.h"
#include "trace/strings.h"

struct frame {
    struct slice function; /* empty if the log has none */
    struct slice file;     /* the part after "#link-tree/", if it has that */
    struct slice code;     /* the text of the line; ptr NULL if the log has none */
    uint64_t line;
};

#define UNKNOWN_FILE "(unknown)" /* the name of a file that is missing in the log */

struct stack_node {
    const struct stack_node *parent; /* the caller; NULL for the outermost frame */
    const struct frame *frame;
    uint32_t index; /* in the order of creation; parents come before children */
    uint32_t depth; /* 1 for the outermost frame */
};

struct stacks {
    struct arena arena;
    struct map frame_map, node_map;
    LIST(struct frame *) frames;
    LIST(struct stack_node *) nodes;
};

/* The node of a stack as a log writes it: a list of frames, outermost first. NULL for an empty or malformed list.
 * Items that are not frames are skipped. */
const struct stack_node *stacks_add(struct stacks *stacks, yyjson_val *list, const struct strings *strings);
/* The same for a dynamo_start: without the (up to three) innermost frames in torch/_dynamo/convert_frame.py. */
const struct stack_node *stacks_add_start(struct stacks *stacks, yyjson_val *list, const struct strings *strings);
/* The node of this frame below `parent` (NULL: the outermost frame). The frame may belong to other stacks. */
const struct stack_node *stacks_add_frame(struct stacks *stacks, const struct stack_node *parent,
                                          const struct frame *frame);
/* Removes the nodes for which keep is false, and renumbers the others. A node that is kept has a parent that is
 * kept. Nothing may be added afterwards. */
void stacks_keep(struct stacks *stacks, const bool *keep);
void stacks_finish(struct stacks *stacks);
