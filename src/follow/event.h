/* event.h - something that happened in a log that is being followed.
 *
 * Texts belong to the model of the log: they are valid during the call that passes the event. */
#pragma once

#include "model/model.h"

enum follow_kind {
    FOLLOW_LOG,        /* a log was found */
    FOLLOW_TRUNCATED,  /* it was truncated or written again: it is read from its start */
    FOLLOW_ROTATED,    /* its name now is another file, which is read next */
    FOLLOW_REMOVED,    /* its name is gone */
    FOLLOW_COMPILE,    /* a compile ended */
    FOLLOW_BACKWARD,   /* the backward of a compile was compiled */
    FOLLOW_REFUSED,    /* a frame was refused before its compile began (PyTorch 2.6) */
    FOLLOW_RECOMPILE,  /* a frame is being compiled again */
    FOLLOW_BREAK,      /* a graph break in a compile, the first time that this compile has it */
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

    /* From FOLLOW_COMPILE on. */
    uint64_t process; /* the number in the record */
    struct slice date,
        clock;       /* of the record, as logged: MMDD, HH:MM:SS.ffffff; of FOLLOW_UNFINISHED, its first record */
    struct slice id; /* "0/1"; "-" for records without an id */
    uint32_t generation;
    struct place place;      /* of the frame; of a graph break, its line */
    int64_t time_us;         /* compile time; of FOLLOW_UNFINISHED, the time so far; -1: unknown */
    struct slice reason;     /* of a recompile, a break, a failure; ptr NULL: not logged */
    size_t more_reasons;     /* of a recompile: further ones */
    struct slice error_type; /* of a failure; ptr NULL: none */
    const char *status;      /* FOLLOW_COMPILE: that of report.json. FOLLOW_BACKWARD: ok or error */
    bool interrupted;        /* FOLLOW_COMPILE: neither code nor a failure */
    bool ops_unknown;        /* FOLLOW_COMPILE: of an export or of AOTInductor, whose ops are not counted */
    size_t restarts;
    bool was_unfinished;   /* FOLLOW_COMPILE, FOLLOW_BACKWARD: it was passed as FOLLOW_UNFINISHED before */
    bool longest;          /* FOLLOW_COMPILE, FOLLOW_BACKWARD: none of the process before it took longer */
    int64_t longest_us;    /* FOLLOW_UNFINISHED: the longest compile or backward before it; -1: there is none */
    int64_t quiet_us;      /* FOLLOW_UNFINISHED: since the last record of the process was read */
    struct slice span;     /* FOLLOW_UNFINISHED: the span that it is, see running.h; ptr NULL: a compile of Dynamo */
    struct slice phase;    /* FOLLOW_UNFINISHED: innermost open span; ptr NULL: the log has no open span */
    struct slice artifact; /* FOLLOW_UNFINISHED: the last artifact since it began; ptr NULL: none */
    struct slice break_id; /* "GB0123"; ptr NULL: none */
};

struct follow_listener {
    void *context;
    void (*event)(void *context, const struct follow_event *event);
    /* An error in a log, as in reading_watcher. */
    void (*fault)(void *context, const char *path, const char *kind, uint64_t line, struct slice detail);
};
