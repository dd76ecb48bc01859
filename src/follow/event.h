/* event.h - an event in a log that is being followed.
 *
 * Texts belong to the model of the log, and are valid during the call that passes the event. */
#pragma once

#include "model/model.h"

enum follow_kind {
    FOLLOW_LOG,        /* a log was found */
    FOLLOW_TRUNCATED,  /* the log was truncated or rewritten: it is read from its start */
    FOLLOW_ROTATED,    /* its name now refers to another file, which is read next */
    FOLLOW_REMOVED,    /* its name is gone */
    FOLLOW_COMPILE,    /* a compile ended */
    FOLLOW_BACKWARD,   /* the backward of a compile was compiled */
    FOLLOW_REFUSED,    /* a frame was rejected before its compile began (PyTorch 2.6) */
    FOLLOW_RECOMPILE,  /* a frame is being recompiled */
    FOLLOW_BREAK,      /* a graph break that is new in its compile */
    FOLLOW_UNFINISHED, /* a compile or a backward has run for longer than any before it */
    FOLLOW_KINDS,
};
/* "compile", "graph_break"; for JSON. */
const char *follow_kind_name(enum follow_kind kind);

struct follow_event {
    enum follow_kind kind;
    const char *path; /* of the log */
    bool has_rank;
    uint64_t rank;

    /* Set from FOLLOW_COMPILE on. */
    uint64_t process; /* the number in the record */
    struct slice date,
        clock;       /* timestamp of the record, as logged: MMDD, HH:MM:SS.ffffff; for FOLLOW_UNFINISHED, of its
                      * first record */
    struct slice id; /* "0/1"; "-" for records without an id */
    uint32_t generation;
    struct place place;      /* of the frame; for a graph break, its line */
    int64_t time_us;         /* compile time; for FOLLOW_UNFINISHED, the time so far; -1: unknown */
    struct slice reason;     /* of a recompile, graph break or failure; ptr NULL: not logged */
    size_t more_reasons;     /* number of further reasons of a recompile */
    struct slice error_type; /* of a failure; ptr NULL: none */
    const char *status;      /* FOLLOW_COMPILE: as in report.json. FOLLOW_BACKWARD: ok or error */
    bool interrupted;        /* FOLLOW_COMPILE: it ended with neither code nor a failure */
    bool ops_unknown;        /* FOLLOW_COMPILE: an export or AOTInductor, whose ops are not counted */
    size_t restarts;
    bool was_unfinished;   /* FOLLOW_COMPILE, FOLLOW_BACKWARD: it was reported as FOLLOW_UNFINISHED before */
    bool longest;          /* FOLLOW_COMPILE, FOLLOW_BACKWARD: it is the longest so far in its process */
    int64_t longest_us;    /* FOLLOW_UNFINISHED: time of the longest compile or backward before it; -1: none */
    int64_t quiet_us;      /* FOLLOW_UNFINISHED: time since the last record of the process was read */
    struct slice span;     /* FOLLOW_UNFINISHED: the name of its span, see running.h; ptr NULL: a compile by Dynamo */
    struct slice phase;    /* FOLLOW_UNFINISHED: innermost open span; ptr NULL: the log has no open span */
    struct slice artifact; /* FOLLOW_UNFINISHED: the latest artifact since it began; ptr NULL: none */
    struct slice break_id; /* "GB0123"; ptr NULL: none */
};

struct follow_listener {
    void *context;
    void (*event)(void *context, const struct follow_event *event);
    /* An error in a log, as in reading_watcher. */
    void (*fault)(void *context, const char *path, const char *kind, uint64_t line, struct slice detail);
};
