#include "profile/profile_read.h"

#include <pthread.h>

#include "base/json.h"
#include "base/pool.h"
#include "trace/source.h"

enum {
    BLOCK_BYTES = 256 << 10,
    UNIT_MAX = 16 << 20,  /* bytes of one event, or of one member of the trace */
    EVENTS_MAX = 6 << 20, /* 192 MiB */
    NAMES_MAX = 1 << 20,
    TRACKS_MAX = 1 << 16,
    TEXTS_MAX = 64 << 20,  /* bytes of names and tracks */
    NAME_BYTES_MAX = 4096, /* longer names are cut */
};

/* What a step of the parser found. */
enum found {
    FOUND,     /* a unit; the position is behind it */
    FOUND_END, /* nothing that can be complete: the unit may continue behind the window */
    FOUND_BAD, /* no JSON, or not what a trace has here */
};

struct text {
    const char *at, *end;
};

enum place { AT_START, IN_MEMBERS, IN_EVENTS, AT_END };

/* The next block of the stream, which a worker reads while the previous one is parsed. */
struct ahead {
    struct job job;
    struct source *source;
    struct pool *pool; /* NULL: no worker reads */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ready;  /* protected by the lock */
    char *block; /* of `size` bytes, from here on the worker's until it is ready */
    size_t size;
    ssize_t got; /* bytes in the block; 0: the end; -1: an error */
    struct err err;
};

struct reader {
    struct profile_trace *trace;
    struct ahead ahead;
    struct err *err;
    char *window;
    size_t from, to, cap; /* the window's bytes that are not parsed yet */
    uint64_t parsed;      /* bytes before the window */
    bool ended;           /* the stream ended */
    bool list;            /* the trace is a list of events, not an object */
    enum place place;
    int64_t base_ns;
    bool too_late; /* the clock's base comes after the first event */
    uint64_t text_bytes;
    int64_t sum_ns;        /* of all durations */
    struct slice pid, tid; /* of the previous event, in the track's texts */
    uint32_t track;        /* of the previous event */
};

static bool refuse(struct reader *r, const char *why) {
    return err_set(r->err, ERR_INPUT, "%s", why);
}

static bool skip_space(struct text *t) {
    while (t->at < t->end && (unsigned char)*t->at <= ' ')
        t->at++;
    return t->at < t->end;
}

/* A string, without its quotes and still escaped. */
static enum found read_string(struct text *t, struct slice *string) {
    const char *start = t->at + 1, *quote = t->at;
    assert(*t->at == '"');
    do {
        quote = memchr(quote + 1, '"', (size_t)(t->end - quote - 1));
        if (!quote)
            return FOUND_END;
        const char *before = quote;
        while (before > start && before[-1] == '\\')
            before--;
        if ((quote - before) % 2 == 0)
            break;
    } while (true);
    *string = slice_make(start, (size_t)(quote - start));
    t->at = quote + 1;
    return FOUND;
}

/* A byte of a number, true, false or null. Python also writes NaN and Infinity. */
static bool is_scalar(char c) {
    return is_word(c) || c == '-' || c == '+' || c == '.';
}

static bool ends_scalar(char c) {
    return (unsigned char)c <= ' ' || c == ',' || c == '}' || c == ']';
}

/* Any value, as text; a string with its quotes. */
static enum found read_value(struct text *t, struct slice *value) {
    const char *start = t->at;
    size_t depth = 0;
    struct slice ignored;
    do {
        if (t->at == t->end)
            return FOUND_END;
        char c = *t->at;
        if (c == '"') {
            if (read_string(t, &ignored) != FOUND)
                return FOUND_END;
        } else if (c == '{' || c == '[') {
            depth++;
            t->at++;
        } else if (c == '}' || c == ']') {
            if (!depth)
                return FOUND_BAD;
            depth--;
            t->at++;
        } else if (depth) {
            t->at++;
        } else {
            while (t->at < t->end && is_scalar(*t->at))
                t->at++;
            if (t->at == t->end)
                return FOUND_END;
            if (t->at == start || !ends_scalar(*t->at))
                return FOUND_BAD;
        }
    } while (depth);
    *value = slice_make(start, (size_t)(t->at - start));
    return FOUND;
}

/* The key of a member, up to its value. */
static enum found read_key(struct text *t, struct slice *key) {
    if (!skip_space(t))
        return FOUND_END;
    if (*t->at != '"')
        return FOUND_BAD;
    enum found found = read_string(t, key);
    if (found != FOUND)
        return found;
    if (!skip_space(t))
        return FOUND_END;
    if (*t->at != ':')
        return FOUND_BAD;
    t->at++;
    return skip_space(t) ? FOUND : FOUND_END;
}

/* Microseconds with up to three decimals, as nanoseconds. Returns false for anything else. */
static bool to_ns(struct slice number, int64_t *ns) {
    uint64_t whole = 0, part = 0;
    size_t i = 0, digits = 0;
    bool negative = number.len && number.ptr[0] == '-';
    for (i = negative; i < number.len && is_digit(number.ptr[i]); i++) {
        whole = whole * 10 + (uint64_t)(number.ptr[i] - '0');
        if (whole > INT64_MAX / 4000)
            return false;
    }
    if (i == negative)
        return false;
    if (i < number.len && number.ptr[i] == '.')
        for (i++; i < number.len && is_digit(number.ptr[i]); i++)
            if (digits < 3) {
                part = part * 10 + (uint64_t)(number.ptr[i] - '0');
                digits++;
            }
    for (; digits < 3; digits++)
        part *= 10;
    *ns = (int64_t)(whole * 1000 + part) * (negative ? -1 : 1);
    return i == number.len;
}

/* An event as it stands in the text. */
struct raw_event {
    struct slice phase, category, name, pid, tid, start, duration, args;
};

static struct slice *member_of(struct raw_event *event, struct slice key) {
    switch (key.len) {
    case 2:
        return slice_eq(key, SLICE("ph")) ? &event->phase : slice_eq(key, SLICE("ts")) ? &event->start : NULL;
    case 3:
        return slice_eq(key, SLICE("cat")) ? &event->category
             : slice_eq(key, SLICE("dur")) ? &event->duration
             : slice_eq(key, SLICE("pid")) ? &event->pid
             : slice_eq(key, SLICE("tid")) ? &event->tid
                                           : NULL;
    case 4:
        return slice_eq(key, SLICE("name")) ? &event->name : slice_eq(key, SLICE("args")) ? &event->args : NULL;
    default:
        return NULL;
    }
}

/* Behind a member: true if another one follows. */
static enum found read_separator(struct text *t, bool *more) {
    if (!skip_space(t))
        return FOUND_END;
    char c = *t->at++;
    *more = c == ',';
    return c == ',' || c == '}' ? FOUND : FOUND_BAD;
}

static enum found read_event(struct text *t, struct raw_event *event) {
    bool more = true;
    t->at++; /* '{' */
    if (!skip_space(t))
        return FOUND_END;
    if (*t->at == '}') {
        t->at++;
        return FOUND;
    }
    while (more) {
        struct slice key, value;
        enum found found = read_key(t, &key);
        if (found == FOUND)
            found = read_value(t, &value);
        if (found == FOUND)
            found = read_separator(t, &more);
        if (found != FOUND)
            return found;
        struct slice *member = member_of(event, key);
        if (member)
            *member = value;
    }
    return FOUND;
}

/* A member of an object by its key. */
static struct slice find_member(struct slice object, struct slice wanted) {
    if (!object.len)
        return object;
    struct text t = {object.ptr, object.ptr + object.len};
    bool more = *t.at == '{';
    t.at += more;
    while (more) {
        struct slice key, value;
        if (read_key(&t, &key) != FOUND || read_value(&t, &value) != FOUND)
            break;
        if (slice_eq(key, wanted))
            return value;
        if (read_separator(&t, &more) != FOUND)
            break;
    }
    return (struct slice){0};
}

/* The text of a string, or of another scalar. */
static struct slice unquoted(struct slice value) {
    if (value.len >= 2 && value.ptr[0] == '"')
        return slice_make(value.ptr + 1, value.len - 2);
    return value;
}

static struct slice keep_name(struct profile_trace *trace, struct slice escaped) {
    AUTO_ARENA scratch = {0};
    AUTO_BUF quoted = {0};
    yyjson_val *root;
    struct slice name = escaped;
    if (escaped.len && memchr(escaped.ptr, '\\', escaped.len)) {
        BUF_ADD(&quoted, "\"", escaped, "\"");
        struct slice text = buf_slice(&quoted);
        if (json_read(&text, JSON_NUMBERS, &scratch, &root) != JSON_BAD && yyjson_is_str(root))
            name = json_text(root);
    }
    return arena_slice(&trace->arena, slice_first(name, NAME_BYTES_MAX));
}

static bool name_of(struct reader *r, struct slice value, uint32_t *name) {
    struct profile_trace *trace = r->trace;
    struct slice escaped = unquoted(value);
    bool added;
    *name = *map_put(&trace->name_map, escaped, (uint32_t)trace->names.count, &added);
    if (!added)
        return true;
    r->text_bytes += escaped.len;
    if (trace->names.count == NAMES_MAX || r->text_bytes > TEXTS_MAX)
        return refuse(r, "has more different names than a profile can have");
    LIST_ADD(&trace->names, keep_name(trace, escaped));
    return true;
}

static bool track_of(struct reader *r, const struct raw_event *event, uint32_t *track) {
    struct profile_trace *trace = r->trace;
    struct slice pid = unquoted(event->pid), tid = unquoted(event->tid);
    AUTO_BUF key = {0};
    bool added;
    if (trace->tracks.count && slice_eq(pid, r->pid) && slice_eq(tid, r->tid)) {
        *track = r->track;
        return true;
    }
    BUF_ADD(&key, pid, "\n", tid);
    *track = *map_put(&trace->track_map, buf_slice(&key), (uint32_t)trace->tracks.count, &added);
    if (added) {
        r->text_bytes += key.len;
        if (trace->tracks.count == TRACKS_MAX || r->text_bytes > TEXTS_MAX)
            return refuse(r, "has more threads than a profile can have");
        LIST_ADD(&trace->tracks,
                 (struct profile_track){arena_slice(&trace->arena, pid), arena_slice(&trace->arena, tid)});
    }
    r->track = *track;
    r->pid = trace->tracks.items[*track].process;
    r->tid = trace->tracks.items[*track].thread;
    return true;
}

static bool kind_of(struct slice category, enum profile_kind *kind) {
    static const struct {
        struct slice category;
        enum profile_kind kind;
    } kinds[] = {
        {SLICE_INIT("\"cpu_op\""), PROFILE_OP},          {SLICE_INIT("\"user_annotation\""), PROFILE_ANNOTATION},
        {SLICE_INIT("\"kernel\""), PROFILE_DEVICE},      {SLICE_INIT("\"cuda_runtime\""), PROFILE_LAUNCH},
        {SLICE_INIT("\"cuda_driver\""), PROFILE_LAUNCH}, {SLICE_INIT("\"gpu_memcpy\""), PROFILE_DEVICE},
        {SLICE_INIT("\"gpu_memset\""), PROFILE_DEVICE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (slice_eq(category, kinds[i].category)) {
            *kind = kinds[i].kind;
            return true;
        }
    return false;
}

/* Adds the base of the clock. Times stay so far from the limits of their type that differences and sums fit. */
static bool place_in_time(const struct reader *r, struct profile_event *event) {
    enum { BITS = 62 };
    const int64_t most = INT64_C(1) << BITS;
    return !__builtin_add_overflow(event->start_ns, r->base_ns, &event->start_ns) && event->start_ns > -most &&
           event->start_ns < most && r->sum_ns < most / 4 - event->ns;
}

static bool keep_event(struct reader *r, const struct raw_event *raw) {
    struct profile_event event = {0};
    uint64_t id;
    if (!slice_eq(raw->phase, SLICE("\"X\"")) || !kind_of(raw->category, &event.kind))
        return true; /* Python functions, flows, marks, metadata */
    if (!to_ns(raw->start, &event.start_ns) || (raw->duration.ptr && !to_ns(raw->duration, &event.ns)) || event.ns < 0)
        return refuse(r, "has an event whose time is no number of microseconds");
    if (!place_in_time(r, &event))
        return refuse(r, "has an event at a time that no clock can show");
    r->sum_ns += event.ns;
    if (r->trace->events.count == EVENTS_MAX)
        return refuse(r, "has more than 6,291,456 events. Record fewer steps");
    if (!name_of(r, raw->name, &event.name) || !track_of(r, raw, &event.track))
        return false;
    if (event.kind >= PROFILE_LAUNCH && slice_to_u64(find_member(raw->args, SLICE("correlation")), &id))
        event.id = (uint32_t)id;
    LIST_ADD(&r->trace->events, event);
    return true;
}

static void take_member(struct reader *r, struct slice key, struct slice value) {
    uint64_t number;
    if (slice_eq(key, SLICE("baseTimeNanoseconds")) && slice_to_u64(value, &number) && number <= INT64_MAX) {
        r->base_ns = (int64_t)number;
        r->trace->clock_known = !r->trace->events.count;
        r->too_late = r->trace->events.count > 0;
    } else if (slice_eq(key, SLICE("distributedInfo"))) {
        if (slice_to_u64(find_member(value, SLICE("rank")), &number) && number < INT32_MAX)
            r->trace->rank = (int64_t)number;
    }
}

/* A member of the trace, or the start of its events. */
static enum found read_member(struct reader *r, struct text *t) {
    struct slice key, value;
    if (!skip_space(t))
        return FOUND_END;
    if (*t->at == ',') {
        t->at++;
        return FOUND;
    }
    if (*t->at == '}') {
        t->at++;
        r->place = AT_END;
        return FOUND;
    }
    enum found found = read_key(t, &key);
    if (found != FOUND)
        return found;
    if (slice_eq(key, SLICE("traceEvents")) && *t->at == '[') {
        t->at++;
        r->place = IN_EVENTS;
        r->trace->listed = true;
        return FOUND;
    }
    found = read_value(t, &value);
    if (found == FOUND)
        take_member(r, key, value);
    return found;
}

/* An event, or the end of the events. */
static enum found read_item(struct reader *r, struct text *t, bool *kept) {
    struct raw_event event = {0};
    while (skip_space(t) && *t->at == ',')
        t->at++;
    if (t->at == t->end)
        return FOUND_END;
    if (*t->at == ']') {
        t->at++;
        r->place = r->list ? AT_END : IN_MEMBERS;
        return FOUND;
    }
    if (*t->at != '{')
        return FOUND_BAD;
    enum found found = read_event(t, &event);
    if (found == FOUND)
        *kept = keep_event(r, &event);
    return found;
}

static enum found read_start(struct reader *r, struct text *t) {
    if (!skip_space(t))
        return FOUND_END;
    r->list = *t->at == '[';
    if (*t->at != '[' && *t->at != '{')
        return FOUND_BAD;
    t->at++;
    r->place = r->list ? IN_EVENTS : IN_MEMBERS;
    r->trace->listed = r->list;
    return FOUND;
}

static void read_block(struct job *job) {
    struct ahead *ahead = (struct ahead *)job;
    ssize_t got = source_read(ahead->source, ahead->block, ahead->size, &ahead->err);
    pthread_mutex_lock(&ahead->lock);
    ahead->got = got;
    ahead->ready = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
}

static void start_block(struct ahead *ahead) {
    ahead->ready = false;
    if (ahead->pool)
        pool_run(ahead->pool, &ahead->job);
    else
        read_block(&ahead->job);
}

static void wait_for_block(struct ahead *ahead) {
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->ready)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    pthread_mutex_unlock(&ahead->lock);
}

/* Adds the next block to the window. Returns false if a unit is too large, or reading failed. */
static bool refill(struct reader *r) {
    struct ahead *ahead = &r->ahead;
    size_t kept = r->to - r->from;
    if (kept > UNIT_MAX)
        return refuse(r, "has an event of more than 16 MiB");
    memmove(r->window, r->window + r->from, kept);
    r->parsed += r->from;
    r->from = 0;
    wait_for_block(ahead);
    if (ahead->got < 0) {
        *r->err = ahead->err;
        return false;
    }
    if (r->cap < kept + (size_t)ahead->got) {
        r->cap = 2 * (kept + ahead->size);
        r->window = mem_realloc(r->window, r->cap, 1);
    }
    memcpy(r->window + kept, ahead->block, (size_t)ahead->got);
    r->to = kept + (size_t)ahead->got;
    r->ended = ahead->got == 0;
    if (!r->ended)
        start_block(ahead);
    return true;
}

static bool refuse_end(struct reader *r) {
    const char *damage = source_damage(r->ahead.source);
    if (damage)
        return refuse(r, damage);
    return refuse(r, r->place == AT_START ? "is empty" : "ends before the end of its events: it is not complete");
}

static bool refuse_bad(struct reader *r, const char *at) {
    if (r->place == AT_START)
        return refuse(r, "is no profile: it does not begin with { or [");
    return err_set(r->err, ERR_INPUT, "is no profile: it is not JSON at byte %" PRIu64,
                   r->parsed + (uint64_t)(at - r->window));
}

static bool read_units(struct reader *r) {
    while (r->place != AT_END || !r->ended) {
        struct text t = {r->window + r->from, r->window + r->to};
        bool kept = true;
        enum found found = r->place == IN_EVENTS  ? read_item(r, &t, &kept)
                         : r->place == IN_MEMBERS ? read_member(r, &t)
                         : r->place == AT_START   ? read_start(r, &t)
                         : skip_space(&t)         ? FOUND_BAD /* after the end */
                                                  : FOUND_END;
        if (found == FOUND && !kept)
            return false;
        if (found == FOUND)
            r->from = (size_t)(t.at - r->window);
        else if (found == FOUND_BAD)
            return refuse_bad(r, t.at);
        else if (r->ended)
            return refuse_end(r);
        else if (!refill(r))
            return false;
    }
    return true;
}

/* The base of the clock may follow the events. */
static bool shift_events(struct reader *r) {
    for (size_t i = 0; r->too_late && i < r->trace->events.count; i++) {
        struct profile_event *event = &r->trace->events.items[i];
        if (!place_in_time(r, event))
            return refuse(r, "has an event at a time that no clock can show");
    }
    r->trace->clock_known |= r->too_late;
    return true;
}

static int by_time(const void *a, const void *b) {
    const struct profile_event *one = a, *other = b;
    if (one->track != other->track)
        return one->track < other->track ? -1 : 1;
    if (one->start_ns != other->start_ns)
        return one->start_ns < other->start_ns ? -1 : 1;
    if (one->ns != other->ns)
        return one->ns > other->ns ? -1 : 1;
    return one->name < other->name ? -1 : one->name > other->name;
}

static void sort_events(struct profile_trace *trace) {
    size_t in_order = 1;
    while (in_order < trace->events.count &&
           by_time(&trace->events.items[in_order - 1], &trace->events.items[in_order]) <= 0)
        in_order++;
    if (in_order < trace->events.count)
        qsort(trace->events.items, trace->events.count, sizeof *trace->events.items, by_time);
}

bool profile_read(struct profile_trace *trace, struct source *source, struct pool *pool, size_t block,
                  struct err *err) {
    struct reader r = {.trace = trace, .err = err};
    struct ahead *ahead = &r.ahead;
    *trace = (struct profile_trace){.rank = -1};
    *ahead = (struct ahead){.job.run = read_block, .source = source, .pool = pool, .size = block ? block : BLOCK_BYTES};
    ahead->block = mem_alloc(ahead->size);
    r.cap = ahead->size;
    r.window = mem_alloc(r.cap);
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    start_block(ahead);
    bool good = read_units(&r) && shift_events(&r);
    wait_for_block(ahead);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    mem_free(ahead->block);
    mem_free(r.window);
    trace->sum_ns = r.sum_ns;
    trace->bytes = r.parsed + r.to;
    sort_events(trace);
    return good;
}

void profile_trace_free(struct profile_trace *trace) {
    mem_free(trace->events.items);
    mem_free(trace->names.items);
    mem_free(trace->tracks.items);
    map_free(&trace->name_map);
    map_free(&trace->track_map);
    arena_free(&trace->arena);
    *trace = (struct profile_trace){0};
}
