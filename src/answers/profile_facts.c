#include "answers/sentences.h"
#include "answers/term.h"

enum { LINES_SHOWN = 5, NEVER_RAN_SHOWN = 3 };

/* Microseconds; 0: missing. */
static double us_of(yyjson_val *object, const char *key) {
    double us;
    return json_to_double(json_get(object, key), &us) && us > 0 && us < 9e15 ? us : 0;
}

/* On devices if the profile has that, otherwise on the CPU. */
static double time_of(yyjson_val *item) {
    return us_of(item, json_get(item, "device_us") ? "device_us" : "total_us");
}

static void add_unmatched(struct buf *out, uint64_t lookups) {
    if (!lookups)
        return;
    buf_add_lit(out, ", ");
    unit_add_plural(out, lookups, "of them found no version: that call ran no compiled code",
                    "of them found no version: these calls ran no compiled code");
}

bool facts_add_regions(struct buf *out, yyjson_val *profile) {
    yyjson_val *regions = json_get(profile, "regions"), *guards = json_get(profile, "guards");
    uint64_t calls = report_count(regions, "calls"), lookups = report_count(guards, "calls"),
             steps = report_count(profile, "steps");
    if (!calls)
        return false;
    unit_add_us(out, us_of(regions, "total_us"));
    buf_add_lit(out, " in ");
    unit_add_plural(out, calls, "call of compiled frames", "calls of compiled frames");
    if (steps) {
        buf_add_lit(out, ", ");
        unit_add_plural(out, steps, "step", NULL);
    }
    if (lookups) {
        double us = us_of(guards, "total_us");
        buf_add_lit(out, " · guard checks ");
        unit_add_us(out, us);
        buf_add_lit(out, " (");
        unit_add_us(out, us / (double)lookups);
        buf_add_lit(out, " each)");
        add_unmatched(out, report_count(guards, "unmatched"));
    }
    if (us_of(profile, "overhead_us") > 0) {
        buf_add_lit(out, " · overhead ");
        unit_add_us(out, us_of(profile, "overhead_us"));
    }
    if (us_of(profile, "compiling_us") > 0) {
        buf_add_lit(out, " · the compiler ran ");
        unit_add_us(out, us_of(profile, "compiling_us"));
        buf_add_lit(out, ", which is in none of these times");
    }
    return true;
}

bool facts_add_graph_calls(struct buf *out, yyjson_val *profile) {
    yyjson_val *graphs = json_get(profile, "graph_calls"), *graph;
    uint64_t calls = report_count(graphs, "calls"), unaligned = 0, unknown = report_count(profile, "unknown_graphs");
    yyjson_val *timed = json_get(profile, "devices") ? json_get(profile, "devices") : profile;
    double kernels = us_of(timed, "kernel_us"), without = us_of(timed, "without_line_us"), copies = 0;
    uint64_t replays = 0;
    size_t i, max;
    if (!calls && report_count(json_get(profile, "regions"), "calls")) {
        buf_add_lit(out, "no calls of graphs, which PyTorch 2.9 and later record");
        return true;
    }
    if (!calls)
        return false;
    yyjson_arr_foreach(json_get(profile, "graphs"), i, max, graph) {
        unaligned += report_count(graph, "unaligned_calls");
        replays += report_count(graph, "replays");
        copies += us_of(graph, "copies_us");
    }
    unit_add_us(out, us_of(graphs, "total_us"));
    buf_add_lit(out, " in ");
    unit_add_plural(out, calls, "call of graphs", "calls of graphs");
    if (json_get(graphs, "device_us")) {
        buf_add_lit(out, ", ");
        unit_add_us(out, us_of(graphs, "device_us"));
        buf_add_lit(out, " on devices");
    }
    if (kernels > 0) {
        buf_add_lit(out, " · kernels with events ");
        unit_add_us(out, kernels);
        buf_addf(out, ", %.0f %% of it with a source line", 100.0 * (kernels - without) / kernels);
    }
    if (replays) {
        buf_add_lit(out, " · ");
        unit_add_plural(out, replays, "call replays a CUDA graph, whose kernels are known by their order",
                        "calls replay CUDA graphs, whose kernels are known by their order");
        if (copies > 0) {
            buf_add_lit(out, "; copies of inputs take ");
            unit_add_us(out, copies);
        }
    }
    if (unknown) {
        buf_add_lit(out, " · ");
        unit_add_plural(out, unknown, "call is of a graph whose code is not in the log, or that of several compiles",
                        "calls are of graphs whose code is not in the log, or that of several compiles");
    }
    unaligned = unaligned > unknown ? unaligned - unknown : 0;
    if (unaligned) {
        buf_add_lit(out, " · ");
        unit_add_plural(out, unaligned, "call is not aligned with its code", "calls are not aligned with their code");
    }
    return true;
}

bool facts_add_devices(struct buf *out, yyjson_val *profile) {
    yyjson_val *devices = json_get(profile, "devices");
    double busy = us_of(devices, "busy_us"), idle = us_of(devices, "idle_us"), late = us_of(devices, "waiting_us");
    if (!devices)
        return false;
    buf_add_lit(out, "busy ");
    unit_add_us(out, busy);
    buf_add_lit(out, ", idle ");
    unit_add_us(out, idle);
    if (busy + idle > 0)
        buf_addf(out, " (%.0f %%)", 100.0 * idle / (busy + idle));
    if (late <= 0)
        return true;
    buf_add_lit(out, " · ");
    unit_add_us(out, late);
    buf_add_lit(out, " of it until the CPU started more work: ");
    unit_add_us(out, us_of(devices, "waiting_in_graphs_us"));
    buf_add_lit(out, " in compiled graphs, ");
    unit_add_us(out, us_of(devices, "waiting_in_frames_us"));
    buf_add_lit(out, " in frames around them");
    return true;
}

bool facts_add_eager(struct buf *out, yyjson_val *profile) {
    double us = us_of(json_get(profile, "eager"), "total_us");
    if (us > 0) {
        unit_add_us(out, us);
        buf_add_lit(out, " in operators outside of compiled graphs");
    }
    return us > 0;
}

bool facts_add_gap(struct buf *out, yyjson_val *profile) {
    yyjson_val *gap, *longest = NULL;
    size_t i, max;
    yyjson_arr_foreach(json_get(json_get(profile, "eager"), "gaps"), i, max, gap) {
        if (!longest || us_of(gap, "total_us") > us_of(longest, "total_us"))
            longest = gap;
    }
    if (us_of(longest, "total_us") <= 0)
        return false;
    unit_add_us(out, us_of(longest, "total_us"));
    buf_add_lit(out, " outside of graphs in calls with the graph break ");
    facts_add_place(out, json_get(longest, "place"));
    return true;
}

static yyjson_val *compile_with(yyjson_val *root, struct slice key) {
    size_t i, max;
    yyjson_val *compile;
    yyjson_arr_foreach(json_get(root, "compiles"), i, max, compile) {
        if (slice_eq(json_get_text(compile, "key"), key))
            return compile;
    }
    return NULL;
}

bool facts_add_never_ran(struct buf *out, yyjson_val *root, size_t n) {
    yyjson_val *keys = json_get(json_get(root, "profile"), "never_ran"), *key = yyjson_arr_get(keys, n);
    size_t count = yyjson_arr_size(keys);
    if (!key || n > NEVER_RAN_SHOWN)
        return false;
    if (n == NEVER_RAN_SHOWN) {
        buf_addf(out, "%zu more", count - n);
        return true;
    }
    yyjson_val *compile = compile_with(root, json_text(key));
    yyjson_val *frame = json_get(compile, "frame");
    struct slice label = json_get_text(frame, "label"), function = label.len ? label : json_get_text(frame, "function");
    int64_t us;
    BUF_ADD(out, "[", json_text(key), "]");
    if (function.len)
        BUF_ADD(out, " `", function, "`");
    if (report_number(compile, "time_us", &us) && us > 0) {
        buf_add_lit(out, ", ");
        unit_add_time(out, us);
        buf_add_lit(out, " of compile time");
    }
    buf_add_lit(out, ": no call in the profile");
    return true;
}

bool facts_add_hot_line(struct buf *out, yyjson_val *profile, size_t n) {
    yyjson_val *line = n < LINES_SHOWN ? yyjson_arr_get(json_get(profile, "lines"), n) : NULL, *kernel;
    double all = time_of(json_get(profile, "graph_calls"));
    size_t i, max;
    bool shared = false;
    if (n && n <= LINES_SHOWN && !line && yyjson_arr_get(json_get(profile, "lines"), n - 1)) {
        yyjson_arr_foreach(json_get(profile, "kernels"), i, max, kernel) {
            shared |= yyjson_arr_size(json_get(kernel, "places")) > 1;
        }
        if (shared)
            buf_add_lit(out, "The time of a kernel with several lines is divided equally among them.");
        return shared;
    }
    if (!line || all <= 0)
        return false;
    buf_addf(out, "%.1f %%  ", 100.0 * time_of(line) / all);
    unit_add_us(out, time_of(line));
    buf_addf(out, "  %.*s:%" PRIu64, SLICE_ARG(path_last(json_get_text(line, "file"))), report_count(line, "line"));
    if (json_get_text(line, "code").len)
        BUF_ADD(out, "  `", slice_first_line(json_get_text(line, "code")), "`");
    return true;
}

/* The ranks with the least and the most of a member of `run_time`. */
struct rank_range {
    yyjson_val *least, *most;
    uint64_t ranks;
};

static struct rank_range range_of(yyjson_val *root, const char *member) {
    struct rank_range range = {0};
    size_t i, max;
    yyjson_val *rank;
    yyjson_arr_foreach(json_get(root, "ranks"), i, max, rank) {
        yyjson_val *ran = json_get(rank, "run_time");
        uint64_t value;
        if (!json_to_u64(json_get(ran, member), &value))
            continue;
        range.ranks++;
        if (!range.least || value < report_count(json_get(range.least, "run_time"), member))
            range.least = rank;
        if (!range.most || value > report_count(json_get(range.most, "run_time"), member))
            range.most = rank;
    }
    return range;
}

static void add_rank_time(struct buf *out, yyjson_val *rank, const char *member) {
    unit_add_us(out, (double)report_count(json_get(rank, "run_time"), member));
    buf_addf(out, " on rank %" PRIu64, report_count(rank, "rank"));
}

bool facts_add_rank_runs(struct buf *out, yyjson_val *root) {
    struct rank_range frames = range_of(root, "regions_us"), waits = range_of(root, "wait_us");
    if (!frames.ranks)
        return false;
    buf_add_lit(out, "in compiled frames ");
    add_rank_time(out, frames.least, "regions_us");
    if (frames.most != frames.least) {
        buf_add_lit(out, " to ");
        add_rank_time(out, frames.most, "regions_us");
    }
    uint64_t steps = report_count(json_get(frames.most, "run_time"), "steps");
    if (steps) {
        buf_add_lit(out, ", ");
        unit_add_plural(out, steps, "step", NULL);
    }
    if (waits.most && report_count(json_get(waits.most, "run_time"), "wait_us")) {
        buf_add_lit(out, " · waits in collectives up to ");
        add_rank_time(out, waits.most, "wait_us");
    }
    return true;
}

bool facts_add_refused(struct buf *out, yyjson_val *profile, size_t n) {
    yyjson_val *file = yyjson_arr_get(json_get(profile, "files"), n);
    struct slice why = json_get_text(file, "refused");
    if (why.len)
        BUF_ADD(out, json_get_text(file, "name"), " ", why);
    return file;
}
