#include "answers/run_time.h"

struct run_time_step run_time_step(yyjson_val *run_time) {
    yyjson_val *row = json_get(run_time, "step"), *us = json_get(row, "us");
    struct slice change = json_get_text(row, "change");
    struct run_time_step step = {.within = slice_is(change, "same")};
    step.known = json_to_double(yyjson_arr_get(us, 0), &step.base) &&
                 json_to_double(yyjson_arr_get(us, 1), &step.newer) && !slice_is(change, "unknown");
    json_to_u64(yyjson_arr_get(json_get(row, "calls"), 1), &step.steps);
    return step;
}

const char *run_time_part_name(enum run_time_part part) {
    static const char *const names[RUN_TIME_PARTS] = {[RUN_TIME_KERNEL] = "kernel",
                                                      [RUN_TIME_FORWARD] = "forward graph",
                                                      [RUN_TIME_BACKWARD] = "backward graph",
                                                      [RUN_TIME_GUARDS] = "guard checks",
                                                      [RUN_TIME_OVERHEAD] = "overhead of compiled code",
                                                      [RUN_TIME_EAGER] = "operators outside of graphs",
                                                      [RUN_TIME_REST] = "the rest of the step"};
    return names[part];
}

double run_time_delta(yyjson_val *row) {
    double us;
    return json_to_double(json_get(row, "delta_us"), &us) ? us : 0;
}

static bool has_devices(yyjson_val *run_time) {
    return yyjson_get_bool(yyjson_arr_get(json_get(run_time, "devices"), 1));
}

enum run_time_part run_time_part(yyjson_val *run_time, yyjson_val *row) {
    struct slice kind = json_get_text(row, "kind");
    bool devices = has_devices(run_time);
    if (slice_is(kind, "kernel"))
        return devices ? RUN_TIME_KERNEL : RUN_TIME_PARTS;
    if (slice_is(kind, "graph") && devices)
        return RUN_TIME_PARTS;
    if (slice_is(kind, "graph"))
        return slice_is(json_get_text(row, "direction"), "backward") ? RUN_TIME_BACKWARD : RUN_TIME_FORWARD;
    return slice_is(kind, "guards")   ? RUN_TIME_GUARDS
         : slice_is(kind, "overhead") ? RUN_TIME_OVERHEAD
         : slice_is(kind, "eager")    ? RUN_TIME_EAGER
         : slice_is(kind, "rest")     ? RUN_TIME_REST
                                      : RUN_TIME_PARTS;
}

struct run_time_sums run_time_sums(yyjson_val *run_time) {
    struct run_time_sums sums = {0};
    yyjson_val *row;
    size_t i, max;
    yyjson_arr_foreach(json_get(run_time, "changes"), i, max, row) {
        enum run_time_part part = run_time_part(run_time, row);
        double delta = part == RUN_TIME_PARTS ? 0 : run_time_delta(row);
        sums.more += delta > 0 ? delta : 0;
        sums.less -= delta < 0 ? delta : 0;
        sums.compiled += delta > 0 && part != RUN_TIME_EAGER && part != RUN_TIME_REST ? delta : 0;
    }
    return sums;
}

bool run_time_is_vague(yyjson_val *run_time) {
    struct run_time_step step = run_time_step(run_time);
    return step.known && !step.within && 2 * run_time_sums(run_time).more < step.newer - step.base &&
           !has_devices(run_time);
}
