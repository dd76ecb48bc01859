/* fold.h - what the kinds of records need while a log is folded.
 *
 * One fold per log, in log order, one thread. It numbers outputs, fills the model, and says which files are to be written.
 * fold_record() does one record; the fold functions of the kinds (registry.h) are called by it and use the rest. */
#ifndef TLPARSE_KINDS_FOLD_H
#define TLPARSE_KINDS_FOLD_H

#include "kinds/clock.h"
#include "kinds/run.h"
#include "model/model.h"
#include "report/json/texts.h"
#include "sink/output.h"
#include "sink/spool.h"
#include "trace/process.h"
#include "trace/record.h"

struct node;

struct fold {
    /* Of the log. */
    struct model *model;
    struct processes *processes;
    struct files *files;
    struct texts *texts;
    const struct run_options *options;
    const struct run_watcher *watcher;
    struct spooled jsonl; /* the lines of raw.jsonl, which comes last: it begins with what is known only then */
    struct stream events;
    bool several_files; /* the log is several files, of a process each: its events get the process as their pid */
    struct clock clock;
    uint64_t guessed_bytes;                     /* of jsonl: added before the year was known */
    uint64_t no_compile_id, no_compile_id_line; /* records that have a stack and no compile id; the line of the first */
    const struct process *first; /* of the first record: its table is that of raw.jsonl; NULL: no record yet */
    bool several_processes;      /* another one has been seen */
    bool shared_numbers; /* ranks that wrote into the log have a process number in common: their tables are mixed */
    /* Of the block. */
    uint64_t block_line; /* 1-based line of the log at which the block begins */
    struct outputs *outputs;
    struct arena *arena;
    /* Of the record. */
    const struct record *record;
    struct process *process;
    struct strings *strings; /* of the process */
    uint64_t line;
    uint32_t folder;
    bool left_out;             /* the reference leaves it out */
    bool aside;                /* its outputs take no number, because of that or for another reason */
    bool payload_used;         /* an artifact has the payload as its text */
    struct slice payload_file; /* the file that holds the payload; ptr NULL: none yet */
};

/* In which runs an output is a file with a number; in others it stands aside. */
enum when {
    MAKE_USUALLY,   /* but not with --export */
    MAKE_IN_EXPORT, /* with --export only */
    MAKE_ALWAYS,
};

/* What a kind makes of a record. */
struct making {
    struct slice name;  /* of the artifact, and with its number of the file */
    const char *suffix; /* ".txt", ".json", ".html" */
    enum lang lang;
    struct slice text;     /* for the page; ptr NULL: none */
    output_render *render; /* NULL: the file is the text */
    const void *data;      /* for render */
    bool is_payload;       /* the file holds the payload */
    bool own_name;         /* the file has no number in its name (but takes one) */
    struct slice folder;   /* of the file, instead of the compile id's; ptr NULL: that */
    enum when when;
};

/* The spool must outlive the fold. */
void fold_start(struct fold *fold, struct spool *spool);
/* fold_record.c */
void fold_record(struct fold *fold, const struct record *record, struct process *process);
/* Lines that belong to no record. */
void fold_strays(struct fold *fold, const struct stray *stray);
/* Ends raw.jsonl and chromium_events.json. */
void fold_finish(struct fold *fold);

/* For the kinds. */

/* Adds an artifact with a file that has the next number. Where the record stands aside, the artifact has its payload's
 * file instead. Valid until the next artifact is added. */
struct artifact *fold_make(struct fold *fold, const struct node *node, const struct making *making);
/* Adds an artifact that is a text for the page only. */
void fold_note(struct fold *fold, const struct node *node, struct slice name, enum lang lang, struct slice text);
/* Makes sure that the payload has a file of its own and returns its path. */
struct slice fold_payload_file(struct fold *fold);
/* Counts (COUNTERS: in none), tells the watcher, and keeps it in the report. `what` is a constant. */
void fold_fault(struct fold *fold, enum counter counter, const char *what, struct slice detail);
/* The payload as an artifact called `key` with a file of its own, where no kind made one of it. */
void fold_keep_payload(struct fold *fold, struct slice key, enum lang lang);
/* A time of the record in microseconds since the epoch. Whether the record may have been written then. */
bool fold_see_time(struct fold *fold, int64_t us);
/* All times that a value names. */
void fold_see_times(struct fold *fold, yyjson_val *value);
struct compile *fold_compile(struct fold *fold);
/* What a page of the record links back to: the key of its compile as far as it is known now, in the block's arena. "0/0"; "0/0#2" of a later
 * generation; with the process before it once the log has shown several. */
struct slice fold_key(struct fold *fold);

#endif
