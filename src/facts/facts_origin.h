/* facts_origin.h - where and when the facts in a facts file were taken, and what receives the file. */
#pragma once

#include "base/base.h"

struct choice_paths;

struct facts_origin {
    struct slice host;                 /* of all logs that do not name another; ptr NULL: unknown */
    int64_t made_us;                   /* since the epoch */
    const struct choice_paths *unread; /* folders that could not be searched for logs, with reasons; NULL: none */
};

/* Receives a facts file (facts_file.h). */
struct ranks_facts_out {
    struct facts_origin origin;
    bool (*write)(void *context, struct slice bytes); /* false ends it */
    void *context;
};
