#include "answers/run_time_parts.h"

#include <math.h>

double run_time_number(yyjson_val *object, const char *key) {
    double value;
    return json_to_double(json_get(object, key), &value) && value > 0 && value < 9e15 ? value : 0;
}

static int by_value(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return one < other ? -1 : one > other;
}

/* Interpolates between the two nearest of sorted times. */
static double quantile(const double *times, size_t count, double part) {
    double at = part * (double)(count - 1);
    size_t below = (size_t)at;
    double rest = at - (double)below;
    return below + 1 < count ? times[below] * (1 - rest) + times[below + 1] * rest : times[below];
}

/* Whole nanoseconds, as of the times in report.json. */
static double rounded(double us) {
    return floor(us * 1000 + 1e-6) / 1000;
}

struct measure run_time_of_steps(double *times, size_t count) {
    size_t absent = 0;
    if (count)
        qsort(times, count, sizeof *times, by_value);
    while (absent < count && times[absent] <= 0)
        absent++;
    size_t present = count - absent;
    if (!present)
        return (struct measure){0};
    double share = (double)present / (double)count;
    bool few = present < RUN_TIME_QUARTILE_CALLS;
    times += absent;
    struct measure measure = {.us = rounded(share * quantile(times, present, 0.5)),
                              .low = rounded(share * (few ? times[0] : quantile(times, present, 0.25))),
                              .high = rounded(share * (few ? times[present - 1] : quantile(times, present, 0.75))),
                              .calls = (double)present,
                              .few_count = few ? present : 0};
    for (size_t i = 0; i < measure.few_count; i++)
        measure.few[i] = rounded(share * times[i]);
    return measure;
}

/* The pairs of times, one of each side, that are the other way round than those of sides that are apart. Equal ones count as such. */
static size_t count_inversions(const struct measure *less, const struct measure *more) {
    size_t count = 0;
    for (size_t i = 0; i < less->few_count; i++)
        for (size_t k = 0; k < more->few_count; k++)
            count += less->few[i] >= more->few[k];
    return count;
}

bool run_time_apart(const struct measure *a, const struct measure *b) {
    /* The most inversions that equal distributions have in at most 3 % of cases, by the number of times of each side (Mann and Whitney). */
    enum { SIZES = RUN_TIME_QUARTILE_CALLS - RUN_TIME_CALLS_MIN };
    static const uint8_t most[SIZES][SIZES] = {
        {0, 0, 1, 2, 3, 3},  {0, 1, 2, 3, 5, 6},   {1, 2, 4, 5, 7, 8},
        {2, 3, 5, 7, 9, 10}, {3, 5, 7, 9, 11, 13}, {3, 6, 8, 10, 13, 15},
    };
    if (a->low > b->high || b->low > a->high)
        return true;
    if (a->few_count < RUN_TIME_CALLS_MIN || b->few_count < RUN_TIME_CALLS_MIN)
        return false;
    size_t inversions = a->us < b->us ? count_inversions(a, b) : count_inversions(b, a);
    return inversions <= most[a->few_count - RUN_TIME_CALLS_MIN][b->few_count - RUN_TIME_CALLS_MIN];
}

size_t run_time_add_steps(double *times, size_t most, yyjson_val *by_step, double weight) {
    size_t i, max;
    yyjson_val *time;
    double us;
    yyjson_arr_foreach(by_step, i, max, time) {
        if (i < most && json_to_double(time, &us) && us > 0 && us < 9e15)
            times[i] += us * weight;
    }
    return max < most ? max : most;
}

static struct measure measure_steps(const struct part *parts, size_t count, size_t steps) {
    double *times = mem_zalloc(steps + 1, sizeof *times);
    for (size_t i = 0; i < count; i++)
        run_time_add_steps(times, steps, json_get(parts[i].item, "by_step_us"), parts[i].weight);
    struct measure measure = run_time_of_steps(times, steps);
    mem_free(times);
    return measure;
}

/* The time of a call of the part's compile. */
static struct measure measure_call(const struct part *part) {
    double calls = run_time_number(part->item, "calls");
    bool few = calls < RUN_TIME_QUARTILE_CALLS;
    double per = part->of_compile > 0 ? calls / part->of_compile * part->weight : 0;
    return (struct measure){.us = run_time_number(part->item, "median_us") * per,
                            .low = run_time_number(part->item, few ? "min_us" : "q1_us") * per,
                            .high = run_time_number(part->item, few ? "max_us" : "q3_us") * per,
                            .calls = calls};
}

/* Parts of a compile add up, as if all were slow in the same calls. Of several compiles, such as versions of a function, a call is of one of them: its
 * time is the mean, and its range has those of all. */
static struct measure measure_calls(const struct part *parts, size_t count) {
    struct measure all = {.low = INFINITY};
    double weights = 0;
    for (size_t i = 0; i < count;) {
        struct measure sum = measure_call(&parts[i]);
        double weight = parts[i].of_compile;
        size_t next = i + 1;
        for (; next < count && slice_eq(parts[next].compile, parts[i].compile); next++) {
            struct measure more = measure_call(&parts[next]);
            sum.us += more.us;
            sum.low += more.low;
            sum.high += more.high;
            sum.calls = sum.calls < more.calls ? sum.calls : more.calls;
        }
        all.us += sum.us * weight;
        weights += weight;
        all.low = sum.low < all.low ? sum.low : all.low;
        all.high = sum.high > all.high ? sum.high : all.high;
        all.calls += sum.calls;
        i = next;
    }
    if (weights <= 0 || all.calls <= 0)
        return (struct measure){0};
    all.us = rounded(all.us / weights);
    return all;
}

static int by_compile(const void *a, const void *b) {
    return slice_cmp(((const struct part *)a)->compile, ((const struct part *)b)->compile);
}

struct measure run_time_measure(struct part *parts, size_t count, size_t steps) {
    if (!count)
        return (struct measure){0};
    if (steps)
        return measure_steps(parts, count, steps);
    qsort(parts, count, sizeof *parts, by_compile);
    return measure_calls(parts, count);
}

#define REST_LEAST_US 0.001 /* so that no step is without it */

struct measure run_time_measure_list(yyjson_val *by_step, size_t steps) {
    double *times = mem_zalloc(steps + 1, sizeof *times);
    run_time_add_steps(times, steps, by_step, 1);
    struct measure measure = run_time_of_steps(times, steps);
    mem_free(times);
    return measure;
}

struct measure run_time_measure_rest(yyjson_val *profile, size_t steps) {
    yyjson_val *graphs = json_get(profile, "graphs"), *graph;
    double *times = mem_zalloc(steps + 1, sizeof *times);
    size_t i, max;
    run_time_add_steps(times, steps, json_get(json_get(profile, "step_us"), "by_step_us"), 1);
    run_time_add_steps(times, steps, json_get(json_get(profile, "guards"), "by_step_us"), -1);
    run_time_add_steps(times, steps, json_get(profile, "overhead_by_step_us"), -1);
    run_time_add_steps(times, steps, json_get(json_get(profile, "eager"), "by_step_us"), -1);
    yyjson_arr_foreach(graphs, i, max, graph) {
        run_time_add_steps(times, steps, json_get(graph, "by_step_us"), -1);
    }
    for (i = 0; i < steps; i++)
        times[i] = times[i] > REST_LEAST_US ? times[i] : REST_LEAST_US;
    struct measure measure = run_time_of_steps(times, steps);
    mem_free(times);
    return measure;
}

/* The least sum of differences that pairs the first i of the shorter list with some of the first j of the longer one. */
static void pair_best(const double *less, size_t few, const double *more, size_t many, uint32_t *chosen) {
    double *cost = mem_alloc((few + 1) * (many + 1) * sizeof *cost);
    for (size_t i = 0; i <= few; i++)
        for (size_t j = 0; j <= many; j++) {
            double *here = &cost[i * (many + 1) + j];
            if (!i || j < i) {
                *here = i ? INFINITY : 0;
                continue;
            }
            double skip = cost[i * (many + 1) + j - 1];
            double pair = cost[(i - 1) * (many + 1) + j - 1] + fabs(log((less[i - 1] + 0.1) / (more[j - 1] + 0.1)));
            *here = pair <= skip ? pair : skip;
        }
    for (size_t i = few, j = many; i > 0; j--) {
        double skip = j > i ? cost[i * (many + 1) + j - 1] : INFINITY;
        if (cost[i * (many + 1) + j] < skip)
            chosen[--i] = (uint32_t)(j - 1);
    }
    mem_free(cost);
}

void run_time_pair(const double *const times[SIDES], const size_t counts[SIDES], uint32_t *const numbers[SIDES]) {
    enum { PAIRS_MAX = 1 << 20 };
    size_t shorter = counts[0] <= counts[1] ? 0 : 1, few = counts[shorter], many = counts[!shorter];
    for (size_t i = 0; i < many; i++)
        numbers[!shorter][i] = (uint32_t)i;
    for (size_t i = 0; i < few; i++)
        numbers[shorter][i] = (uint32_t)i;
    if (few && few < many && (few + 1) * (many + 1) <= PAIRS_MAX)
        pair_best(times[shorter], few, times[!shorter], many, numbers[shorter]);
}
