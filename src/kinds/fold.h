/* fold.h - the state and helpers that the kinds of records use while a log is folded.
 *
 * One fold per log, in log order, on one thread. It numbers outputs, fills the model, and determines the files to
 * write. fold_record() processes one record; it calls the fold functions of the kinds (registry.c), which use the
 * other functions. */
#pragma once

#include "kinds/clock.h"
#include "kinds/reading.h"
#include "model/model.h"
#include "pages/texts.h"
#include "sink/output.h"
#include "sink/spool.h"
#include "trace/process.h"
#include "trace/record.h"

struct node;
struct parser_inputs;

struct fold {
    /* Of the log. */
    struct model *model;
    struct processes *processes;
    struct files *files;
    struct texts *texts;
    const struct reading_options *options;
    const struct reading_watcher *watcher;
    struct parser_inputs *parsers; /* the user's own parsers; NULL: none */
    struct spool *spool;
    /* The lines of raw.jsonl, which is written last because it begins with the complete string table */
    struct spooled jsonl;
    struct stream events;
    bool several_files; /* the log has several files of different processes: the process becomes the pid of events */
    struct clock clock;
    uint64_t *written;      /* bytes of the log's reports so far: their text in files and on the page, without markup */
    uint64_t guessed_bytes; /* bytes of jsonl that were added before the year was known */
    uint64_t no_compile_id,
        no_compile_id_line; /* records with a stack but without a compile id; the line of the first one */
    const struct process
        *first;             /* process of the first record; its string table goes to raw.jsonl; NULL: no record yet */
    bool several_processes; /* another process has occurred */
    bool shared_numbers;    /* ranks in this log share a process number, so their string tables are mixed */
    /* Current block. */
    uint64_t block_line; /* line of the log at which the block begins, from 1 */
    struct outputs *outputs;
    struct arena *arena;
    /* Current record. */
    const struct record *record;
    struct process *process;
    struct strings *strings; /* strings of its process */
    uint64_t line;
    uint32_t folder;
    bool left_out;             /* the reference leaves the record out */
    bool aside;                /* outputs get no number, because the record is left out or for another reason */
    bool payload_used;         /* an artifact has the payload as its text */
    struct slice payload_file; /* the file with the payload; ptr NULL: none yet */
};

/* The runs in which an output is a file with a number. In other runs, it has no number. */
enum when {
    MAKE_USUALLY,   /* except with --export */
    MAKE_IN_EXPORT, /* with --export only */
    MAKE_ALWAYS,
};

/* An output of a record. */
struct making {
    struct slice name;  /* name of the artifact; with its number, also of the file */
    const char *suffix; /* ".txt", ".json", ".html" */
    enum lang lang;
    struct slice text;     /* text for the page; ptr NULL: none */
    output_render *render; /* NULL: the file is the text */
    const void *data;      /* for render */
    bool is_payload;       /* the file contains the payload */
    bool own_name;         /* the file name has no number, although the output counts */
    struct slice folder;   /* folder of the file; ptr NULL: that of the compile id */
    enum when when;
};

/* The spool must outlive the fold. */
void fold_start(struct fold *fold, struct spool *spool);
/* fold_record.c */
void fold_record(struct fold *fold, const struct record *record, struct process *process);
/* Lines outside of records. */
void fold_strays(struct fold *fold, const struct stray *stray);
/* Completes raw.jsonl and chromium_events.json. */
void fold_finish(struct fold *fold);

/* For the kinds. */

/* Adds an artifact with a file with the next number. If the output is unnumbered, the artifact refers to the file with
 * its payload instead. The result is valid until the next artifact is added. */
struct artifact *fold_make(struct fold *fold, const struct node *node, const struct making *making);
/* Adds an artifact that is only a text for the page. */
void fold_note(struct fold *fold, const struct node *node, struct slice name, enum lang lang, struct slice text);
/* Returns the path of the file with the payload. Writes it if there is none. */
struct slice fold_payload_file(struct fold *fold);
/* Counts an error (COUNTERS: does not count it), calls the watcher, and adds the error to the report. `what` is a
 * constant. */
void fold_fault(struct fold *fold, enum counter counter, const char *what, struct slice detail);
/* Only calls the watcher, because nothing is lost. */
void fold_mention(struct fold *fold, const char *what, struct slice detail);
/* If no kind has used the payload, adds an artifact named `key` with it and a file. */
void fold_keep_payload(struct fold *fold, struct slice key, enum lang lang);
/* Passes a time of the record in microseconds since the epoch. Returns whether the record may have been written at that
 * time. */
bool fold_see_time(struct fold *fold, int64_t us);
/* Passes all times in a value. */
void fold_see_times(struct fold *fold, yyjson_val *value);
struct compile *fold_compile(struct fold *fold);
/* The key of the record's compile as known so far, for links of a page; in the block's arena. "0/0", "0/0#2" for
 * a later generation, with the process once the log has had several. */
struct slice fold_key(struct fold *fold);
