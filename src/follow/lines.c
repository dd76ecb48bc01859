#include "follow/lines.h"

#include "answers/term.h"
#include "base/jsonw.h"

enum {
    CLOCK = 8, /* HH:MM:SS */
    WORD = 11, /* the longest word: "graph break" */
    TIME = 8,  /* "12.3 ms" */
    ID = 6,    /* "[10/0]" */
    GAP = 2,
};

/* ---- text ------------------------------------------------------------------------------------------------------- */

static const char *word_of(const struct follow_event *event, enum term_style *style) {
    *style = TERM_WARNING;
    switch (event->kind) {
    case FOLLOW_RECOMPILE:
        return "recompile";
    case FOLLOW_BREAK:
        return "graph break";
    case FOLLOW_UNFINISHED:
        return "unfinished";
    case FOLLOW_REFUSED:
        *style = TERM_ERROR;
        return "refused";
    case FOLLOW_BACKWARD:
        *style = strcmp(event->status, "error") == 0 ? TERM_ERROR : TERM_PLAIN;
        return *style == TERM_ERROR ? "backward ✕" : "backward";
    default:
        break;
    }
    *style = TERM_ERROR;
    if (event->interrupted)
        return "interrupted";
    if (strcmp(event->status, "error") == 0)
        return "failed";
    *style = event->ops_unknown ? TERM_GOOD : TERM_DIM;
    if (event->ops_unknown)
        return "finished";
    if (strcmp(event->status, "empty") == 0)
        return "empty graph";
    if (strcmp(event->status, "missing") == 0)
        return "no metrics";
    *style = TERM_GOOD;
    return "compiled";
}

/* Adds a cell, aligned to the left or right of its column. */
static void add_cell(struct term *term, enum term_style style, struct slice text, unsigned columns, bool right) {
    unsigned own = term_columns(term, text), room = columns > own ? columns - own : 0;
    term_spaces(term, right ? room : 0);
    term_add(term, style, text);
    term_spaces(term, (right ? 0 : room) + GAP);
}

static void add_owner(struct lines *lines, struct term *term, const struct follow_event *event) {
    AUTO_BUF owner = {0};
    bool other = lines->any && (strcmp(lines->path, event->path) != 0 || lines->has_rank != event->has_rank ||
                                lines->rank != event->rank || lines->process != event->process);
    if (!lines->any) {
        lines->path = event->path;
        lines->has_rank = event->has_rank;
        lines->rank = event->rank;
        lines->process = event->process;
    }
    lines->any = true;
    lines->several |= other || event->has_rank;
    if (!lines->several)
        return;
    if (event->has_rank)
        buf_addf(&owner, "rank %" PRIu64, event->rank);
    else
        buf_addf(&owner, "process %" PRIu64, event->process);
    unsigned columns = term_columns(term, buf_slice(&owner));
    lines->owner_columns = columns > lines->owner_columns ? columns : lines->owner_columns;
    add_cell(term, TERM_DIM, buf_slice(&owner), lines->owner_columns, false);
}

static void add_id(struct lines *lines, struct term *term, const struct follow_event *event) {
    AUTO_BUF id = {0};
    BUF_ADD(&id, "[", event->id);
    if (event->generation > 1)
        buf_addf(&id, " #%" PRIu32, event->generation);
    buf_add_byte(&id, ']');
    unsigned columns = term_columns(term, buf_slice(&id));
    unsigned least = lines->id_columns > ID ? lines->id_columns : ID;
    lines->id_columns = columns > least ? columns : least;
    add_cell(term, TERM_BOLD, buf_slice(&id), lines->id_columns, false);
}

static void add_place(struct buf *out, const struct follow_event *event) {
    const struct place *place = &event->place;
    if (place->file.ptr)
        BUF_ADD(out, path_last(place->file), ":", place->line);
    if (!place->function.len)
        return;
    BUF_ADD(out, place->file.ptr ? " in " : "", place->function);
}

/* What runs, if it is not a compile by Dynamo. */
static const char *part_of(struct slice span) {
    static const struct {
        const char *span, *part;
    } parts[] = {
        {"entire_backward_compile", "backward"},     {"compile_fx_aot", "AOTInductor"},
        {"compiled_autograd", "compiled autograd"},  {"create_aot_dispatcher_function", "AOTAutograd"},
        {"fullgraph_capture", "full graph capture"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (slice_is(span, parts[i].span))
            return parts[i].part;
    return NULL;
}

static void add_notes(struct buf *out, const struct follow_event *event) {
    const char *between = out->len ? "  (" : "(";
    size_t before = out->len;
    if (event->kind == FOLLOW_UNFINISHED) {
        const char *part = part_of(event->span);
        BUF_ADD(out, between, part ? part : "", part ? ", " : "", "since ", slice_first(event->clock, CLOCK));
    }
    if (event->kind == FOLLOW_COMPILE && event->restarts) {
        buf_add_str(out, between);
        unit_add_plural(out, event->restarts, "restart", NULL);
        between = ", ";
    }
    if (event->was_unfinished)
        BUF_ADD(out, between, event->longest ? "finished, the longest so far" : "finished");
    if (out->len > before)
        buf_add_byte(out, ')');
}

/* Adds the line, with the runs of spaces that align guards with their code reduced to one. */
static void add_words(struct buf *out, struct slice line) {
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] != ' ' || line.ptr[i - 1] != ' ') /* the line is trimmed, so it does not begin with a space */
            buf_add_byte(out, line.ptr[i]);
}

/* Adds the text of the second line, if there is any. */
static void add_detail(struct buf *out, const struct follow_event *event) {
    if (event->kind == FOLLOW_UNFINISHED) {
        if (event->phase.ptr)
            BUF_ADD(out, "in ", event->phase);
        if (event->artifact.ptr)
            BUF_ADD(out, out->len ? ", after " : "after ", event->artifact);
        if (event->quiet_us > 0) {
            buf_add_str(out, out->len ? "; no record for " : "no record for ");
            unit_add_time(out, event->quiet_us);
        }
        if (event->longest_us >= 0) {
            buf_add_str(out, out->len ? "; the longest before took " : "the longest before took ");
            unit_add_time(out, event->longest_us);
        }
        return;
    }
    if (event->error_type.len)
        BUF_ADD(out, event->error_type, event->reason.len ? ": " : "");
    struct slice line, rest = slice_trim(event->reason);
    bool more = slice_next_line(&rest, &line);
    if (more)
        add_words(out, slice_trim(line));
    if (more && slice_ends(slice_trim(line), SLICE(":")) && slice_next_line(&rest, &line)) { /* "… raised:" */
        buf_add_byte(out, ' ');
        add_words(out, slice_trim(line));
    }
    if (event->break_id.len)
        BUF_ADD(out, " (", event->break_id, ")");
    if (event->more_reasons)
        buf_addf(out, " (and %zu more)", event->more_reasons);
}

void lines_add_text(struct lines *lines, struct term *term, const struct follow_event *event) {
    enum term_style style;
    AUTO_BUF text = {0};
    size_t line = term->out->len;
    if (event->kind == FOLLOW_LOG)
        lines->several |= lines->logs++ > 0;
    if (event->kind < FOLLOW_COMPILE)
        return;
    const char *word = word_of(event, &style);
    bool of_record = event->kind != FOLLOW_UNFINISHED;
    add_cell(term, TERM_DIM, of_record ? slice_first(event->clock, CLOCK) : SLICE(""), CLOCK, false);
    add_owner(lines, term, event);
    add_id(lines, term, event);
    add_cell(term, style, slice_str(word), WORD, false);
    if (event->time_us >= 0)
        unit_add_time(&text, event->time_us);
    add_cell(term, TERM_PLAIN, buf_slice(&text), TIME, true);
    text.len = 0;
    add_place(&text, event);
    add_notes(&text, event);
    unsigned at = CLOCK + GAP + (lines->several ? lines->owner_columns + GAP : 0) + lines->id_columns + GAP + WORD +
                  GAP + TIME + GAP;
    term_line(term, TERM_PLAIN, buf_slice(&text), at);
    while (term->out->len > line && term->out->ptr[term->out->len - 1] == ' ')
        term->out->len--;
    term_newline(term);
    text.len = 0;
    add_detail(&text, event);
    if (text.len) {
        term_spaces(term, CLOCK + GAP);
        term_line(term, TERM_DIM, buf_slice(&text), CLOCK + GAP);
        term_newline(term);
    }
}

void lines_add_notice(struct buf *out, const struct follow_event *event) {
    switch (event->kind) {
    case FOLLOW_LOG:
        buf_addf(out, "following %s", event->path);
        break;
    case FOLLOW_TRUNCATED:
        buf_addf(out, "%s was truncated: reading it from its start", event->path);
        break;
    case FOLLOW_ROTATED:
        buf_addf(out, "%s was replaced: reading the new file", event->path);
        break;
    case FOLLOW_REMOVED:
        buf_addf(out, "%s was removed: waiting for it", event->path);
        break;
    default:
        break;
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* "11-21 12:03:04.123456" */
static void add_clock(struct jsonw *w, const struct follow_event *event) {
    AUTO_BUF text = {0};
    if (!event->clock.ptr)
        return;
    BUF_ADD(&text, slice_first(event->date, 2), "-", slice_from(event->date, event->date.len < 2 ? event->date.len : 2),
            " ", event->clock);
    jsonw_text(w, event->kind == FOLLOW_UNFINISHED ? "since" : "clock", buf_slice(&text));
}

static void add_json_place(struct jsonw *w, const struct place *place) {
    if (!place->file.ptr && !place->function.ptr) {
        jsonw_null(w, "place");
        return;
    }
    jsonw_object(w, "place");
    JSON_MEMBERS(w, place, file, line, function);
    jsonw_end_object(w);
}

static void add_time(struct jsonw *w, const char *key, int64_t us) {
    if (us >= 0)
        jsonw_i64(w, key, us);
    else
        jsonw_null(w, key);
}

static void add_record(struct jsonw *w, const struct follow_event *event) {
    jsonw_u64(w, "process", event->process);
    add_clock(w, event);
    JSON_ADD(w, "compile", event->id, "generation", event->generation);
    add_json_place(w, &event->place);
    switch (event->kind) {
    case FOLLOW_COMPILE:
        JSON_MEMBERS(w, event, status, interrupted);
        add_time(w, "time_us", event->time_us);
        JSON_MEMBERS(w, event, restarts, was_unfinished);
        break;
    case FOLLOW_BACKWARD:
        jsonw_str(w, "status", event->status);
        add_time(w, "time_us", event->time_us);
        jsonw_bool(w, "was_unfinished", event->was_unfinished);
        break;
    case FOLLOW_REFUSED:
        add_time(w, "time_us", event->time_us);
        break;
    case FOLLOW_UNFINISHED:
        jsonw_i64(w, "running_us", event->time_us);
        jsonw_i64(w, "quiet_us", event->quiet_us);
        add_time(w, "longest_us", event->longest_us);
        JSON_MEMBERS(w, event, span, phase, artifact);
        return;
    default:
        break;
    }
    if (event->kind == FOLLOW_BREAK)
        jsonw_text(w, "id", event->break_id);
    if (event->kind != FOLLOW_RECOMPILE && event->kind != FOLLOW_BREAK)
        jsonw_text(w, "error_type", event->error_type);
    jsonw_text(w, "reason", event->reason);
    if (event->kind == FOLLOW_RECOMPILE)
        jsonw_u64(w, "more_reasons", event->more_reasons);
}

void lines_add_json(struct buf *out, const struct follow_event *event) {
    struct jsonw w = {.out = out};
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "event", follow_kind_name(event->kind), "log", event->path);
    if (event->has_rank)
        jsonw_u64(&w, "rank", event->rank);
    else
        jsonw_null(&w, "rank");
    if (event->kind >= FOLLOW_COMPILE)
        add_record(&w, event);
    jsonw_end_object(&w);
    buf_add_byte(out, '\n');
}
