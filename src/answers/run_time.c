#include "answers/run_time.h"

#include <math.h>

#include "answers/run_time_parts.h"
#include "base/jsonw.h"

enum { KERNELS_MAX = 2000, LINES_MAX = 1000, OPERATORS_MAX = 100 }; /* as many are in report.json, by time */
#define REPEATED 1.5 /* calls per step of what is called more than once in a step */

enum kind {
    KIND_STEP,
    KIND_FUNCTION,
    KIND_GRAPH,
    KIND_KERNEL,
    KIND_LINE,
    KIND_GUARDS,
    KIND_OVERHEAD,
    KIND_EAGER,
    KIND_OPERATOR,
    KIND_GAP,
    KIND_REST
};
static const char *const kind_names[] = {"step",     "function", "graph",    "kernel", "line", "guards",
                                         "overhead", "eager",    "operator", "gap",    "rest"};

enum change { CHANGE_SAME, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_NEW, CHANGE_GONE, CHANGE_UNKNOWN };
static const char *const change_names[] = {"same", "slower", "faster", "new", "gone", "unknown"};

/* Something that is compared. What it is called comes from the newer side, if that has it. */
struct row {
    enum kind kind;
    enum change change;
    struct slice name, text; /* ptr NULL: none; text: the code of a line, the direction of a graph */
    struct slice files[SIDES], compiles[SIDES];
    uint64_t lines[SIDES]; /* 0: none */
    LIST(struct part) parts[SIDES];
    struct measure sides[SIDES];
    double delta_us;
    bool unclear;        /* the side without it may have it among kernels without a line */
    double often[SIDES]; /* of an operator: its calls per step or, without steps, in all */
    size_t place;
};

/* The items of a list by name. */
struct by_name {
    struct map places;
    LIST(yyjson_val *) items;
};

/* Calls of the graphs of a compile and direction. */
struct graph_calls {
    double aligned, all;
};

struct indices {
    struct by_name compiles, called; /* by key: those of the report, those of the profile */
    struct map graph_places;         /* compile and direction → index in graphs */
    LIST(struct graph_calls) graphs;
};

struct comparison {
    struct timed sides[SIDES];
    struct indices indices[SIDES];
    bool by_step;
    size_t steps[SIDES]; /* whose times are listed; 0 unless by_step */
    struct pairings pairings;
    struct measure spread[SIDES]; /* without steps: of the compile with most time, for totals */
    LIST(struct row) rows;
    size_t same;
};

#define number run_time_number

/* A call with the range of all. */
static struct measure measure_whole(yyjson_val *item, double calls) {
    return (struct measure){.us = number(item, "median_us"),
                            .low = number(item, "min_us"),
                            .high = number(item, "max_us"),
                            .calls = calls};
}

static double region_calls(const struct comparison *c, size_t side) {
    return number(json_get(c->sides[side].profile, "regions"), "calls");
}

/* Whether totals are of the same work: of a step, or of as many calls. */
static bool has_totals(const struct comparison *c) {
    return c->by_step || region_calls(c, 0) == region_calls(c, 1);
}

/* A total with its times by step; without steps, a call of compiled code, with the relative spread of those with most time. */
static struct measure measure_total(const struct comparison *c, size_t side, double total_us, yyjson_val *by_step) {
    const struct measure *spread = &c->spread[side];
    if (c->by_step)
        return run_time_measure_list(by_step, c->steps[side]);
    double in = region_calls(c, side);
    if (total_us <= 0 || in <= 0 || spread->us <= 0)
        return (struct measure){0};
    double us = total_us / in;
    return (struct measure){.us = us,
                            .low = us * spread->low / spread->us,
                            .high = us * spread->high / spread->us,
                            .calls = spread->calls};
}

static bool is_notable(double from, double to) {
    double delta = fabs(to - from);
    return delta >= RUN_TIME_LEAST_US && 100 * delta >= RUN_TIME_PERCENT * from;
}

static enum change change_of(const struct measure *a, const struct measure *b) {
    double from = a->calls > 0 ? a->us : 0, to = b->calls > 0 ? b->us : 0;
    if (!is_notable(from, to))
        return CHANGE_SAME;
    if (a->calls <= 0 || b->calls <= 0)
        return a->calls > 0 ? CHANGE_GONE : CHANGE_NEW;
    if (a->calls < RUN_TIME_CALLS_MIN || b->calls < RUN_TIME_CALLS_MIN)
        return CHANGE_UNKNOWN;
    if (!run_time_apart(a, b))
        return CHANGE_SAME;
    return to > from ? CHANGE_SLOWER : CHANGE_FASTER;
}

static void finish_row(struct row *row) {
    const struct measure *a = &row->sides[0], *b = &row->sides[1];
    row->change = change_of(a, b);
    if (row->unclear && (row->change == CHANGE_NEW || row->change == CHANGE_GONE))
        row->change = CHANGE_UNKNOWN;
    row->delta_us = round(((b->calls > 0 ? b->us : 0) - (a->calls > 0 ? a->us : 0)) * 1000) / 1000;
}

static void add_row(struct comparison *c, struct row row) {
    row.place = c->rows.count;
    LIST_ADD(&c->rows, row);
}

/* Rows of things that items_pair() matches. Things of a side with the same key and line are one. */
struct row_list {
    LIST(struct match_item) items[SIDES];
    LIST(struct row) rows[SIDES]; /* each with one side */
    struct map places[SIDES];
    struct arena arena;
};

/* Adds a part of a row, or what has no part. The key is freed. */
static void list_add(struct row_list *list, size_t side, struct buf *key, uint64_t line, const struct row *row,
                     const struct part *part) {
    AUTO_BUF name = {0};
    bool added;
    buf_addf(&name, "%" PRIu64 " ", line);
    buf_add(&name, buf_slice(key));
    uint32_t at = *map_put(&list->places[side], buf_slice(&name), (uint32_t)list->rows[side].count, &added);
    struct slice kept = arena_keep(&list->arena, key);
    if (added) {
        LIST_ADD(&list->items[side], (struct match_item){.key = kept, .line = line});
        LIST_ADD(&list->rows[side], *row);
    }
    if (part)
        LIST_ADD(&list->rows[side].items[at].parts[side], *part);
}

static void measure_row(const struct comparison *c, struct row *row, size_t side) {
    if (row->parts[side].count)
        row->sides[side] = run_time_measure(row->parts[side].items, row->parts[side].count, c->steps[side]);
    mem_free(row->parts[side].items);
}

/* Joins the rows of both sides. `all`: a side has all there are: what it lacks is not there. */
static void list_join(struct comparison *c, struct row_list *list, const bool all[SIDES]) {
    size_t counts[SIDES] = {list->items[0].count, list->items[1].count}, most = counts[0] + counts[1];
    uint32_t *numbers[SIDES];
    struct row *rows = mem_zalloc(most + 1, sizeof *rows);
    bool *has = mem_zalloc(SIDES * (most + 1), sizeof *has);
    for (size_t side = 0; side < SIDES; side++)
        numbers[side] = mem_zalloc(counts[side] + 1, sizeof *numbers[side]);
    items_pair((struct match_item *const[SIDES]){list->items[0].items, list->items[1].items}, counts, false, numbers);
    for (size_t side = 0; side < SIDES; side++)
        for (size_t i = 0; i < counts[side]; i++) {
            struct row *from = &list->rows[side].items[i];
            uint32_t n = numbers[side][i];
            struct row *row = &rows[n], before = *row;
            measure_row(c, from, side);
            *row = *from;
            row->sides[!side] = before.sides[!side];
            row->files[!side] = before.files[!side];
            row->compiles[!side] = before.compiles[!side];
            row->lines[!side] = before.lines[!side];
            has[SIDES * n + side] = true;
        }
    for (size_t n = 0; n < most; n++)
        if ((has[SIDES * n] && has[SIDES * n + 1]) || (has[SIDES * n] && all[1]) || (has[SIDES * n + 1] && all[0]))
            add_row(c, rows[n]);
    for (size_t side = 0; side < SIDES; side++) {
        mem_free(numbers[side]);
        mem_free(list->items[side].items);
        mem_free(list->rows[side].items);
        map_free(&list->places[side]);
    }
    mem_free(rows);
    mem_free(has);
    arena_free(&list->arena);
}

static const bool everything[SIDES] = {true, true};

/* The number of a compile's function; MAP_NONE: unknown. */
static uint32_t function_number(const struct comparison *c, size_t side, struct slice key) {
    return key.ptr ? map_get(&c->pairings.functions.of[side], key) : MAP_NONE;
}

static void index_names(struct by_name *names, yyjson_val *list, const char *member) {
    size_t i, max;
    yyjson_val *item;
    yyjson_arr_foreach(list, i, max, item) {
        bool added;
        map_put(&names->places, json_get_text(item, member), (uint32_t)names->items.count, &added);
        if (added)
            LIST_ADD(&names->items, item);
    }
}

static yyjson_val *item_with(const struct by_name *names, struct slice text) {
    uint32_t place = map_get(&names->places, text);
    return place == MAP_NONE ? NULL : names->items.items[place];
}

static void graph_name_add(struct buf *out, struct slice compile, struct slice direction) {
    BUF_ADD(out, compile, " ", direction);
}

static void index_graphs(struct indices *indices, yyjson_val *graphs) {
    size_t i, max;
    yyjson_val *graph;
    yyjson_arr_foreach(graphs, i, max, graph) {
        AUTO_BUF name = {0};
        bool added;
        graph_name_add(&name, json_get_text(graph, "compile"), json_get_text(graph, "direction"));
        uint32_t at = *map_put(&indices->graph_places, buf_slice(&name), (uint32_t)indices->graphs.count, &added);
        if (added)
            LIST_ADD(&indices->graphs, (struct graph_calls){0});
        indices->graphs.items[at].aligned += number(graph, "aligned_calls");
        indices->graphs.items[at].all += number(graph, "calls");
    }
}

static void index_side(struct indices *indices, const struct timed *side) {
    index_names(&indices->compiles, json_get(side->root, "compiles"), "key");
    index_names(&indices->called, json_get(side->profile, "compiles"), "compile");
    index_graphs(indices, json_get(side->profile, "graphs"));
}

static void by_name_free(struct by_name *names) {
    map_free(&names->places);
    mem_free(names->items.items);
}

static void indices_finish(struct indices *indices) {
    by_name_free(&indices->compiles);
    by_name_free(&indices->called);
    map_free(&indices->graph_places);
    mem_free(indices->graphs.items);
}

/* Adds the name and the place of a compile's function. */
static void name_function(const struct indices *indices, size_t n, struct slice key, struct row *row) {
    yyjson_val *frame = json_get(item_with(&indices->compiles, key), "frame");
    struct slice label = json_get_text(frame, "label");
    row->name = label.len ? label : json_get_text(frame, "function");
    row->files[n] = json_get_text(frame, "file");
    row->lines[n] = report_count(frame, "line");
    row->compiles[n] = key;
}

static void compare_functions(struct comparison *c) {
    struct row_list list = {0};
    for (size_t side = 0; side < SIDES; side++) {
        size_t i, max;
        yyjson_val *compile;
        yyjson_arr_foreach(json_get(c->sides[side].profile, "compiles"), i, max, compile) {
            struct row row = {.kind = KIND_FUNCTION};
            struct buf key = {0};
            struct part part = {compile, 1, number(compile, "calls"), json_get_text(compile, "compile")};
            name_function(&c->indices[side], side, part.compile, &row);
            buf_addf(&key, "%" PRIu32, function_number(c, side, part.compile));
            list_add(&list, side, &key, UINT64_MAX, &row, &part);
        }
    }
    list_join(c, &list, everything);
}

/* A run for inference has "inference" graphs, and one for training "forward" graphs, of the same code. */
static struct slice plain_direction(struct slice direction) {
    return slice_is(direction, "inference") ? SLICE("forward") : direction;
}

/* The direction in the name of a kernel's graph: "forward" for "0_forward". */
static struct slice direction_of(yyjson_val *kernel) {
    struct slice graph = json_get_text(kernel, "graph");
    size_t bar = slice_rfind_byte(graph, '_');
    return bar == SIZE_MAX ? (struct slice){0} : slice_from(graph, bar + 1);
}

/* Calls of the compile's region or, without one, of its graph. */
static double calls_of(const struct indices *indices, struct slice compile, double fallback) {
    double calls = number(item_with(&indices->called, compile), "calls");
    return calls > 0 ? calls : fallback;
}

static void compare_graphs(struct comparison *c) {
    struct row_list list = {0};
    bool all[SIDES];
    for (size_t side = 0; side < SIDES; side++) {
        yyjson_val *graphs = json_get(c->sides[side].profile, "graphs"), *graph;
        size_t i, max;
        all[side] = yyjson_arr_size(graphs) < KERNELS_MAX;
        yyjson_arr_foreach(graphs, i, max, graph) {
            struct row row = {.kind = KIND_GRAPH};
            struct buf key = {0};
            struct slice compile = json_get_text(graph, "compile");
            struct part part = {graph, 1, calls_of(&c->indices[side], compile, number(graph, "calls")), compile};
            name_function(&c->indices[side], side, compile, &row);
            row.text = json_get_text(graph, "direction");
            buf_addf(&key, "%" PRIu32 " ", function_number(c, side, compile));
            buf_add(&key, plain_direction(row.text));
            list_add(&list, side, &key, UINT64_MAX, &row, &part);
        }
    }
    list_join(c, &list, all);
}

/* Kernels of calls that are not aligned are not known: the calls of the others stand for them. */
static struct part part_of_kernel(const struct comparison *c, size_t side, yyjson_val *kernel) {
    const struct indices *indices = &c->indices[side];
    AUTO_BUF name = {0};
    struct slice compile = json_get_text(kernel, "compile");
    double calls = number(kernel, "calls"), weight = 1;
    graph_name_add(&name, compile, direction_of(kernel));
    uint32_t at = map_get(&indices->graph_places, buf_slice(&name));
    if (at != MAP_NONE && indices->graphs.items[at].aligned > 0)
        weight = indices->graphs.items[at].all / indices->graphs.items[at].aligned;
    return (struct part){kernel, weight, calls_of(indices, compile, calls * weight), compile};
}

/* The name of a kernel without the counter at its end: "cpp_fused_add" for "cpp_fused_add_2". */
static struct slice kernel_base(struct slice name) {
    size_t bar = slice_rfind_byte(name, '_');
    struct slice rest = slice_from(name, bar == SIZE_MAX ? name.len : bar + 1);
    return rest.len && digits_length(rest) == rest.len ? slice_first(name, bar) : name;
}

static uint32_t line_number(const struct comparison *c, size_t side, yyjson_val *place) {
    AUTO_BUF name = {0};
    line_name_add(&name, json_get_text(place, "file"), report_count(place, "line"));
    return map_get(&c->pairings.lines.of[side], buf_slice(&name));
}

static int by_kernel_index(const void *a, const void *b) {
    uint64_t one = report_count(*(yyjson_val *const *)a, "index"),
             other = report_count(*(yyjson_val *const *)b, "index");
    return one < other ? -1 : one > other;
}

/* The kernels in the order of the code: of several equal ones, such as those of layers, the nth ones are compared. The caller frees
 * the list. */
static yyjson_val **by_index(yyjson_val *kernels) {
    yyjson_val **list = mem_alloc((yyjson_arr_size(kernels) + 1) * sizeof *list), *kernel;
    size_t i, max;
    yyjson_arr_foreach(kernels, i, max, kernel) {
        list[i] = kernel;
    }
    if (max)
        qsort(list, max, sizeof *list, by_kernel_index);
    return list;
}

/* Kernels that cannot be told apart: of one direction, name and line. */
struct likes {
    LIST(double) times[SIDES]; /* of the nth one: in all steps, or of a call */
    LIST(double) calls[SIDES]; /* its calls */
    uint32_t *numbers[SIDES];
};

struct kernel_key {
    uint32_t like; /* index in `likes` */
    uint32_t nth;  /* among those of its compile */
    yyjson_val *kernel;
};

struct kernel_keys {
    LIST(struct likes) likes;
    struct map places; /* direction, name and line → index in `likes` */
    LIST(struct kernel_key) list[SIDES];
};

static double time_of_kernel(const struct comparison *c, yyjson_val *kernel) {
    return number(kernel, c->by_step ? "total_us" : "median_us");
}

/* A kernel of a line is known by the line: a graph break moves it to another function. */
static void add_like_key(struct buf *key, const struct comparison *c, size_t side, yyjson_val *kernel) {
    yyjson_val *place = yyjson_arr_get_first(json_get(kernel, "places"));
    uint32_t line = place ? line_number(c, side, place) : MAP_NONE;
    BUF_ADD(key, plain_direction(direction_of(kernel)), " ", kernel_base(json_get_text(kernel, "name")));
    if (line != MAP_NONE)
        buf_addf(key, " line %" PRIu32, line);
    else
        buf_addf(key, " %" PRIu32, function_number(c, side, json_get_text(kernel, "compile")));
}

/* Finds which kernels are alike, in the order of the code. */
static void find_likes(const struct comparison *c, size_t side, struct kernel_keys *keys) {
    yyjson_val *kernels = json_get(c->sides[side].profile, "kernels"), **ordered = by_index(kernels);
    AUTO_MAP counts = {0}; /* of a compile */
    for (size_t i = 0; i < yyjson_arr_size(kernels); i++) {
        AUTO_BUF key = {0};
        bool added;
        add_like_key(&key, c, side, ordered[i]);
        uint32_t like = *map_put(&keys->places, buf_slice(&key), (uint32_t)keys->likes.count, &added);
        if (added)
            LIST_ADD(&keys->likes, (struct likes){0});
        BUF_ADD(&key, " ", json_get_text(ordered[i], "compile"));
        uint32_t nth = (*map_put(&counts, buf_slice(&key), 0, NULL))++;
        struct likes *likes = &keys->likes.items[like];
        if (nth == likes->times[side].count) {
            LIST_ADD(&likes->times[side], 0);
            LIST_ADD(&likes->calls[side], 0);
        }
        likes->times[side].items[nth] += time_of_kernel(c, ordered[i]);
        likes->calls[side].items[nth] += number(ordered[i], "calls");

        LIST_ADD(&keys->list[side], (struct kernel_key){like, nth, ordered[i]});
    }
    mem_free(ordered);
}

/* Whether the nth one is called several times in a step, by several compiles, or by one that is. */
static bool is_repeated(const struct comparison *c, const struct likes *likes) {
    for (size_t side = 0; side < SIDES && c->by_step; side++)
        for (size_t n = 0; n < likes->calls[side].count; n++)
            if (likes->calls[side].items[n] > REPEATED * c->sides[side].steps)
                return true;
    return false;
}

/* Adds what names a kernel but for its line. */
static void add_plain_key(struct buf *key, const struct comparison *c, size_t side, yyjson_val *kernel) {
    BUF_ADD(key, plain_direction(direction_of(kernel)), " ", kernel_base(json_get_text(kernel, "name")));
    buf_addf(key, " %" PRIu32, function_number(c, side, json_get_text(kernel, "compile")));
}

static bool has_line(const struct comparison *c, size_t side, yyjson_val *kernel) {
    yyjson_val *place = yyjson_arr_get_first(json_get(kernel, "places"));
    return place && line_number(c, side, place) != MAP_NONE;
}

/* Joins kernels that only one side has with those of their name in the other one, if a side does not know their line. */
static void join_unplaced(const struct comparison *c, struct kernel_keys *keys) {
    AUTO_MAP left = {0}; /* name → key of the first side, + 1; 0: taken */
    uint32_t *joined = mem_alloc((keys->likes.count + 1) * sizeof *joined);
    bool *taken = mem_zalloc(keys->likes.count + 1, sizeof *taken); /* kernels of a line may be of several functions */
    for (uint32_t i = 0; i < keys->likes.count; i++)
        joined[i] = i;
    for (size_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < keys->list[side].count; i++) {
            const struct kernel_key *at = &keys->list[side].items[i];
            AUTO_BUF name = {0};
            bool added;
            if (keys->likes.items[at->like].times[!side].count || joined[at->like] != at->like)
                continue;
            add_plain_key(&name, c, side, at->kernel);
            uint32_t *other = map_put(&left, buf_slice(&name), side ? 0 : i + 1, &added);
            if (!side || added || !*other)
                continue;
            const struct kernel_key *base = &keys->list[0].items[*other - 1];
            if (taken[base->like] || (has_line(c, 0, base->kernel) && has_line(c, 1, at->kernel)))
                continue;
            joined[at->like] = base->like;
            taken[base->like] = true;
            *other = 0;
        }
    for (uint32_t i = 0; i < keys->likes.count; i++)
        if (joined[i] != i) {
            struct likes *to = &keys->likes.items[joined[i]], *from = &keys->likes.items[i], none = {0};
            memcpy(&to->times[1], &from->times[1], sizeof to->times[1]);
            memcpy(&to->calls[1], &from->calls[1], sizeof to->calls[1]);
            *from = none;
        }
    for (uint32_t i = 0; i < keys->list[1].count; i++)
        keys->list[1].items[i].like = joined[keys->list[1].items[i].like];
    mem_free(joined);
    mem_free(taken);
}

static void pair_likes(const struct comparison *c, struct kernel_keys *keys) {
    for (size_t i = 0; i < keys->likes.count; i++) {
        struct likes *likes = &keys->likes.items[i];
        size_t counts[SIDES] = {likes->times[0].count, likes->times[1].count};
        for (size_t side = 0; side < SIDES; side++) {
            double steps = c->by_step && c->sides[side].steps > 0 ? c->sides[side].steps : 1;
            likes->numbers[side] = mem_alloc((counts[side] + 1) * sizeof *likes->numbers[side]);
            for (size_t n = 0; n < counts[side]; n++)
                likes->times[side].items[n] /= steps;
        }
        if (counts[0] != counts[1] &&
            is_repeated(c, likes)) /* the same calls, differently distributed: only their sums compare */
            for (size_t side = 0; side < SIDES; side++)
                memset(likes->numbers[side], 0, counts[side] * sizeof *likes->numbers[side]);
        else
            run_time_pair((const double *const[SIDES]){likes->times[0].items, likes->times[1].items}, counts,
                          (uint32_t *const[SIDES]){likes->numbers[0], likes->numbers[1]});
    }
}

static void keys_free(struct kernel_keys *keys) {
    for (size_t i = 0; i < keys->likes.count; i++)
        for (size_t side = 0; side < SIDES; side++) {
            mem_free(keys->likes.items[i].times[side].items);
            mem_free(keys->likes.items[i].calls[side].items);

            mem_free(keys->likes.items[i].numbers[side]);
        }
    mem_free(keys->likes.items);
    map_free(&keys->places);
    mem_free(keys->list[0].items);
    mem_free(keys->list[1].items);
}

static void compare_kernels(struct comparison *c) {
    struct row_list list = {0};
    struct kernel_keys keys = {0};
    bool all[SIDES];
    for (size_t side = 0; side < SIDES; side++) {
        all[side] = yyjson_arr_size(json_get(c->sides[side].profile, "kernels")) < KERNELS_MAX;
        find_likes(c, side, &keys);
    }
    join_unplaced(c, &keys);
    pair_likes(c, &keys);
    for (size_t side = 0; side < SIDES; side++)
        for (size_t i = 0; i < keys.list[side].count; i++) {
            const struct kernel_key *at = &keys.list[side].items[i];
            yyjson_val *place = yyjson_arr_get_first(json_get(at->kernel, "places"));
            struct row row = {.kind = KIND_KERNEL, .name = json_get_text(at->kernel, "name")};
            struct buf key = {0};
            struct part part = part_of_kernel(c, side, at->kernel);
            row.compiles[side] = part.compile;
            row.files[side] = json_get_text(place, "file");
            row.lines[side] = report_count(place, "line");
            buf_addf(&key, "%" PRIu32 " %" PRIu32, at->like, keys.likes.items[at->like].numbers[side][at->nth]);
            list_add(&list, side, &key, UINT64_MAX, &row, &part);
        }
    keys_free(&keys);
    list_join(c, &list, all);
}

/* Adds the parts of a kernel's time to the lines that it has. */
static void add_to_lines(const struct comparison *c, size_t side, yyjson_val *kernel, struct row *rows) {
    yyjson_val *places = json_get(kernel, "places"), *place;
    struct part part = part_of_kernel(c, side, kernel);
    size_t i, max;
    part.weight /= (double)yyjson_arr_size(places);
    yyjson_arr_foreach(places, i, max, place) {
        uint32_t line = line_number(c, side, place);
        if (line != MAP_NONE) /* otherwise beyond the lines that are in report.json */
            LIST_ADD(&rows[line].parts[side], part);
    }
}

/* Of the time of kernels, in microseconds. */
static double without_line(const struct timed *side) {
    return number(side->devices ? json_get(side->profile, "devices") : side->profile, "without_line_us");
}

/* Whether the side that does not have a line has as much time in kernels without one. */
static bool may_lack_line(const struct comparison *c, const struct row *row) {
    size_t absent = row->sides[0].calls > 0 ? 1 : 0;
    if (!c->by_step || row->sides[absent].calls > 0)
        return false;
    return without_line(&c->sides[absent]) / c->sides[absent].steps >= row->sides[!absent].us;
}

/* The time of a line is that of its kernels. */
static void compare_lines(struct comparison *c) {
    size_t count = 0;
    bool all[SIDES];
    for (size_t side = 0; side < SIDES; side++) {
        count += yyjson_arr_size(json_get(c->sides[side].profile, "lines"));
        all[side] = yyjson_arr_size(json_get(c->sides[side].profile, "lines")) < LINES_MAX;
    }
    struct row *rows = mem_zalloc(count + 1, sizeof *rows);
    for (size_t side = 0; side < SIDES; side++) {
        yyjson_val *line, *kernel;
        size_t i, max;
        yyjson_arr_foreach(json_get(c->sides[side].profile, "lines"), i, max, line) {
            uint32_t n = line_number(c, side, line);
            struct row *row = &rows[n < count ? n : count]; /* the last one is not compared */
            row->kind = KIND_LINE;
            row->files[side] = json_get_text(line, "file");
            row->lines[side] = report_count(line, "line");
            row->text = json_get_text(line, "code");
        }
        yyjson_arr_foreach(json_get(c->sides[side].profile, "kernels"), i, max, kernel) {
            add_to_lines(c, side, kernel, rows);
        }
        for (i = 0; i <= count; i++)
            measure_row(c, &rows[i], side);
    }
    for (size_t i = 0; i < count; i++)
        rows[i].unclear = may_lack_line(c, &rows[i]);
    for (size_t i = 0; i < count; i++)
        if ((rows[i].sides[0].calls > 0 || (rows[i].sides[1].calls > 0 && all[0])) &&
            (rows[i].sides[1].calls > 0 || all[1]))
            add_row(c, rows[i]);
    mem_free(rows);
}

static void compare_gaps(struct comparison *c) {
    struct row_list list = {0};
    if (!has_totals(c))
        return;
    for (size_t side = 0; side < SIDES; side++) {
        size_t i, max;
        yyjson_val *gap;
        yyjson_arr_foreach(json_get(json_get(c->sides[side].profile, "eager"), "gaps"), i, max, gap) {
            yyjson_val *place = json_get(gap, "place");
            struct row row = {.kind = KIND_GAP};
            struct buf key = {0};
            row.name = json_get_text(place, "function");
            row.files[side] = json_get_text(place, "file");
            row.lines[side] = report_count(place, "line");
            row.sides[side] = measure_total(c, side, number(gap, "total_us"), json_get(gap, "by_step_us"));
            match_key_add(&key, row.name, row.files[side]);
            list_add(&list, side, &key, row.lines[side], &row, NULL);
        }
    }
    list_join(c, &list, everything);
}

/* Adds operators that run more or less often outside of graphs. How long as many calls take is not compared: their spread is unknown. */
static void compare_operators(struct comparison *c) {
    struct by_name names = {0};
    yyjson_val *lists[SIDES], *pairs[SIDES], *item;
    bool all[SIDES];
    size_t i, max;
    for (size_t side = 0; side < SIDES; side++) {
        lists[side] = json_get(json_get(c->sides[side].profile, "eager"), "operators");
        all[side] = yyjson_arr_size(lists[side]) < OPERATORS_MAX;
        index_names(&names, lists[side], "name");
    }
    struct by_name of[SIDES] = {0};
    index_names(&of[0], lists[0], "name");
    index_names(&of[1], lists[1], "name");
    for (i = 0, max = names.items.count; i < max && has_totals(c); i++) {
        item = names.items.items[i];
        struct row row = {.kind = KIND_OPERATOR, .name = json_get_text(item, "name")};
        for (size_t side = 0; side < SIDES; side++) {
            double per = c->by_step ? c->sides[side].steps : 1;
            pairs[side] = item_with(&of[side], row.name);
            row.often[side] = number(pairs[side], "calls") / per;
            double us = number(pairs[side], "total_us") / per;
            row.sides[side] = (struct measure){.us = us, .low = us, .high = us, .calls = number(pairs[side], "calls")};
        }
        bool known = (pairs[0] || all[0]) && (pairs[1] || all[1]);
        if (known && 100 * fabs(row.often[1] - row.often[0]) >= RUN_TIME_PERCENT * row.often[0])
            add_row(c, row);
    }
    by_name_free(&names);
    by_name_free(&of[0]);
    by_name_free(&of[1]);
}

static void compare_rest(struct comparison *c) {
    struct row rest = {.kind = KIND_REST};
    for (size_t side = 0; side < SIDES; side++) {
        if (yyjson_arr_size(json_get(c->sides[side].profile, "graphs")) == KERNELS_MAX)
            return; /* there may be more */
        rest.sides[side] = run_time_measure_rest(c->sides[side].profile, c->steps[side]);
    }
    add_row(c, rest);
}

static void compare_sums(struct comparison *c) {
    struct row guards = {.kind = KIND_GUARDS}, overhead = {.kind = KIND_OVERHEAD}, eager = {.kind = KIND_EAGER};
    for (size_t side = 0; side < SIDES; side++) {
        yyjson_val *profile = c->sides[side].profile, *lookups = json_get(profile, "guards"),
                   *operators = json_get(profile, "eager");
        struct part part = {lookups, 1, number(lookups, "calls"), {0}};
        guards.sides[side] = run_time_measure(&part, 1, c->steps[side]);
        overhead.sides[side] =
            measure_total(c, side, number(profile, "overhead_us"), json_get(profile, "overhead_by_step_us"));
        eager.sides[side] = measure_total(c, side, number(operators, "total_us"), json_get(operators, "by_step_us"));
    }
    if (!has_totals(c))
        return;
    add_row(c, guards);
    add_row(c, overhead);
    add_row(c, eager);
}

/* Without steps, the spread of the calls that took most time. */
static struct measure find_spread(const struct comparison *c, size_t side) {
    yyjson_val *profile = c->sides[side].profile, *compile, *most = NULL;
    size_t i, max;
    yyjson_arr_foreach(json_get(profile, "compiles"), i, max, compile) {
        if (!most || number(compile, "total_us") > number(most, "total_us"))
            most = compile;
    }
    return measure_whole(most, number(most, "calls"));
}

static size_t steps_listed(const struct timed *side) {
    return yyjson_arr_size(json_get(json_get(side->profile, "step_us"), "by_step_us"));
}

static void compare(struct comparison *c) {
    c->by_step = steps_listed(&c->sides[0]) && steps_listed(&c->sides[1]);
    for (size_t side = 0; side < SIDES; side++) {
        c->steps[side] = c->by_step ? steps_listed(&c->sides[side]) : 0;
        c->spread[side] = find_spread(c, side);
        index_side(&c->indices[side], &c->sides[side]);
    }
    pairings_find(&c->pairings, c->sides);
    compare_functions(c);
    compare_graphs(c);
    if (c->sides[0].devices == c->sides[1].devices) {
        compare_kernels(c);
        compare_lines(c);
    }
    compare_sums(c);
    compare_operators(c);
    if (c->by_step)
        compare_rest(c);
    compare_gaps(c);
    pairings_finish(&c->pairings);
    for (size_t side = 0; side < SIDES; side++)
        indices_finish(&c->indices[side]);
}

static int by_delta(const void *a, const void *b) {
    const struct row *one = a, *other = b;
    double x = fabs(one->delta_us), y = fabs(other->delta_us);
    if ((one->change == CHANGE_UNKNOWN) != (other->change == CHANGE_UNKNOWN))
        return one->change == CHANGE_UNKNOWN ? 1 : -1; /* after what is known */
    return x != y ? (x > y ? -1 : 1) : one->place < other->place ? -1 : one->place > other->place;
}

static void write_measures(struct jsonw *w, const struct measure sides[SIDES]) {
    jsonw_array(w, "calls");
    for (size_t side = 0; side < SIDES; side++)
        jsonw_u64(w, NULL, (uint64_t)sides[side].calls);
    jsonw_end_array(w);
    jsonw_array(w, "us");
    for (size_t side = 0; side < SIDES; side++)
        if (sides[side].calls > 0)
            jsonw_double(w, NULL, sides[side].us);
        else
            jsonw_null(w, NULL);
    jsonw_end_array(w);
    jsonw_array(w, "ranges_us");
    for (size_t side = 0; side < SIDES; side++)
        if (sides[side].calls > 1) {
            jsonw_array(w, NULL);
            jsonw_double(w, NULL, sides[side].low);
            jsonw_double(w, NULL, sides[side].high);
            jsonw_end_array(w);
        } else {
            jsonw_null(w, NULL);
        }
    jsonw_end_array(w);
}

static void write_row(struct jsonw *w, const char *key, const struct row *row) {
    size_t shown = row->files[1].len || row->lines[1] ? 1 : 0;
    jsonw_object(w, key);
    JSON_ADD(w, "kind", kind_names[row->kind], "change", change_names[row->change], "name", row->name);
    jsonw_text(w, "file", row->files[shown].len ? row->files[shown] : (struct slice){0});
    jsonw_array(w, "lines");
    for (size_t side = 0; side < SIDES; side++)
        jsonw_known(w, NULL, row->lines[side] ? (int64_t)row->lines[side] : -1);
    jsonw_end_array(w);
    jsonw_text(w, "code", row->kind == KIND_LINE ? row->text : (struct slice){0});
    jsonw_text(w, "direction", row->kind == KIND_GRAPH ? row->text : (struct slice){0});
    JSON_LIST(w, "compiles", side, SIDES, row->compiles[side]);
    write_measures(w, row->sides);
    if (row->kind == KIND_OPERATOR) {
        jsonw_array(w, "often");
        jsonw_double(w, NULL, row->often[0]);
        jsonw_double(w, NULL, row->often[1]);
        jsonw_end_array(w);
    }
    jsonw_double(w, "delta_us", row->delta_us);
    jsonw_end_object(w);
}

/* The share of the time of kernels that has no line; null: no kernel has a time. */
static void write_without_line(struct jsonw *w, const struct timed *side) {
    yyjson_val *timed = side->devices ? json_get(side->profile, "devices") : side->profile;
    double all = number(timed, "kernel_us");
    if (all > 0)
        jsonw_double(w, NULL, round(1000 * without_line(side) / all) / 10);
    else
        jsonw_null(w, NULL);
}

static void write_changes(struct jsonw *w, struct comparison *c) {
    size_t changed = 0, unchanged = 0;
    for (size_t i = 0; i < c->rows.count; i++)
        finish_row(&c->rows.items[i]);
    LIST_SORT(&c->rows, by_delta);
    jsonw_array(w, "changes");
    for (size_t i = 0; i < c->rows.count; i++) {
        bool same = c->rows.items[i].change == CHANGE_SAME;
        unchanged += same;
        changed += !same;
        if (!same && changed <= RUN_TIME_LISTED_MAX)
            write_row(w, NULL, &c->rows.items[i]);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_changes", changed > RUN_TIME_LISTED_MAX ? changed - RUN_TIME_LISTED_MAX : 0);
    jsonw_u64(w, "same", unchanged);
    jsonw_array(w, "without_line_percent");
    for (size_t side = 0; side < SIDES; side++)
        write_without_line(w, &c->sides[side]);
    jsonw_end_array(w);
}

static void write_compared(struct jsonw *w, struct comparison *c) {
    compare(c);
    jsonw_str(w, "per", c->by_step ? "step" : "call");
    JSON_LIST(w, "devices", side, SIDES, c->sides[side].devices);
    if (c->by_step) {
        struct row step = {.kind = KIND_STEP};
        for (size_t side = 0; side < SIDES; side++)
            step.sides[side] =
                run_time_measure_list(json_get(json_get(c->sides[side].profile, "step_us"), "by_step_us"),
                                      c->steps[side]);
        finish_row(&step);
        write_row(w, "step", &step);
    } else {
        jsonw_null(w, "step");
    }
    write_changes(w, c);
    mem_free(c->rows.items);
}

static struct timed timed_of(yyjson_val *root) {
    yyjson_val *profile = json_get(root, "profile"), *graphs = json_get(profile, "graph_calls");
    bool fits = number(json_get(profile, "regions"), "calls") > 0 || number(graphs, "calls") > 0;
    return (struct timed){.root = root,
                          .profile = fits ? profile : NULL,
                          .steps = number(json_get(profile, "step_us"), "steps"),
                          .devices = json_get(graphs, "device_us") != NULL};
}

bool run_time_add(struct buf *out, yyjson_val *rank, yyjson_val *base, yyjson_val *newer) {
    struct comparison c = {.sides = {timed_of(base), timed_of(newer)}};
    struct jsonw w = {.out = out};
    if (!c.sides[0].profile && !c.sides[1].profile && !json_get(base, "profile") && !json_get(newer, "profile"))
        return false;
    jsonw_object(&w, NULL);
    jsonw_value(&w, "rank", rank);
    JSON_LIST(&w, "profiles", side, SIDES, (bool)(c.sides[side].profile != NULL));
    if (c.sides[0].profile && c.sides[1].profile)
        write_compared(&w, &c);
    jsonw_end_object(&w);
    return true;
}
