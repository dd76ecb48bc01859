#include "facts/fact_shapes.h"

#define FIELD(of, member, kind)                                                                                        \
    { .name = #member, .type = (kind), .at = offsetof(struct of, member) }
#define NAMED(of, title, member, kind)                                                                                 \
    { .name = (title), .type = (kind), .at = offsetof(struct of, member) }
#define ENUM(of, member, below)                                                                                        \
    { .name = #member, .type = FACT_ENUM, .at = offsetof(struct of, member), .limit = (below) }
#define BY_NAME(of, member, below, names)                                                                              \
    { .name = #member, .type = FACT_ENUM, .at = offsetof(struct of, member), .limit = (below), .name_of = (names) }
#define ARRAY(of, member, kind, length)                                                                                \
    { .name = #member, .type = (kind), .at = offsetof(struct of, member), .items = (length) }
#define PART(of, member, form)                                                                                         \
    { .name = #member, .type = FACT_STRUCT, .at = offsetof(struct of, member), .shape = &(form) }
#define ITEMS(of, member, form)                                                                                        \
    { .name = #member, .type = FACT_LIST, .at = offsetof(struct of, member), .shape = &(form) }
#define SHAPE(of, rows)                                                                                                \
    { (rows), sizeof(rows) / sizeof *(rows), sizeof(struct of) }

static const struct fact_field place_rows[] = {
    FIELD(place, file, FACT_TEXT),
    FIELD(place, function, FACT_TEXT),
    FIELD(place, line, FACT_COUNT),
};
static const struct fact_shape place_shape = SHAPE(place, place_rows);

static const struct fact_field world_rows[] = {
    FIELD(world_hints, size, FACT_COUNT),
    FIELD(world_hints, at_least, FACT_COUNT),
    FIELD(world_hints, at_least_from, FACT_STRING),
    FIELD(world_hints, contradicts, FACT_BOOL),
};
static const struct fact_shape world_shape = SHAPE(world_hints, world_rows);

static const struct fact_field compile_rows[] = {
    FIELD(rank_compile, id, FACT_TEXT),         FIELD(rank_compile, match, FACT_TEXT),
    FIELD(rank_compile, frame, FACT_TEXT),      FIELD(rank_compile, label, FACT_TEXT),
    FIELD(rank_compile, slot, FACT_TEXT),       PART(rank_compile, place, place_shape),
    PART(rank_compile, user, place_shape),      FIELD(rank_compile, breaks, FACT_BOOL),
    PART(rank_compile, break_at, place_shape),  FIELD(rank_compile, break_reason, FACT_TEXT),
    FIELD(rank_compile, number, FACT_NUMBER),   FIELD(rank_compile, open, FACT_BOOL),
    FIELD(rank_compile, attempt, FACT_NUMBER),  FIELD(rank_compile, has_code, FACT_BOOL),
    FIELD(rank_compile, backward, FACT_BOOL),   ENUM(rank_compile, status, STATUS_ERROR + 1),
    FIELD(rank_compile, failure, FACT_TEXT),    FIELD(rank_compile, sizes, FACT_TEXT),
    FIELD(rank_compile, ops, FACT_NUMBER),      FIELD(rank_compile, guards, FACT_NUMBER),
    FIELD(rank_compile, graph_hash, FACT_HASH), FIELD(rank_compile, guards_hash, FACT_HASH),
    FIELD(rank_compile, reasons, FACT_COUNT),   FIELD(rank_compile, reason, FACT_TEXT),
    FIELD(rank_compile, cache, FACT_OUTCOMES),  FIELD(rank_compile, earliest, FACT_BOOL),
};
const struct fact_shape fact_compile_shape = SHAPE(rank_compile, compile_rows);

static const struct fact_field step_rows[] = {
    FIELD(graph_step, file, FACT_TEXT),    FIELD(graph_step, function, FACT_TEXT), FIELD(graph_step, code, FACT_TEXT),
    FIELD(graph_step, line, FACT_COUNT32), FIELD(graph_step, ops, FACT_HASH),      FIELD(graph_step, text, FACT_TEXT),
    FIELD(graph_step, type, FACT_TEXT),    FIELD(graph_step, types, FACT_HASH),
};
static const struct fact_shape step_shape = SHAPE(graph_step, step_rows);

static const struct fact_field trace_rows[] = {
    ITEMS(fact_graph, steps, step_shape),
    FIELD(fact_graph, calls, FACT_TEXTS),
    FIELD(fact_graph, cut, FACT_BOOL),
    PART(fact_graph, world, world_shape),
};
const struct fact_shape fact_graph_shape = SHAPE(fact_graph, trace_rows);

static const struct fact_field guard_rows[] = {
    FIELD(fact_guard, key, FACT_TEXT),
    FIELD(fact_guard, value, FACT_TEXT),
};
static const struct fact_shape guard_shape = SHAPE(fact_guard, guard_rows);
static const struct fact_field guards_rows[] = {ITEMS(fact_guards, list, guard_shape)};
const struct fact_shape fact_guards_shape = SHAPE(fact_guards, guards_rows);

static const struct fact_field op_rows[] = {
    FIELD(rank_op, name, FACT_NEEDED),
    FIELD(rank_op, ns, FACT_REAL),
};
static const struct fact_shape op_shape = SHAPE(rank_op, op_rows);
static const struct fact_field graph_rows[] = {
    FIELD(rank_graph, folder, FACT_TEXT), FIELD(rank_graph, id, FACT_TEXT),   FIELD(rank_graph, ops, FACT_TEXTS),
    ITEMS(rank_graph, timed, op_shape),   FIELD(rank_graph, meta, FACT_TEXT), FIELD(rank_graph, total_ns, FACT_REAL),
};
static const struct fact_shape graph_shape = SHAPE(rank_graph, graph_rows);
static const struct fact_field graphs_rows[] = {ITEMS(fact_graphs, list, graph_shape)};
const struct fact_shape fact_graphs_shape = SHAPE(fact_graphs, graphs_rows);

static const struct fact_field program_rows[] = {
    FIELD(fact_program, torch, FACT_TEXT),      FIELD(fact_program, python, FACT_TEXT),
    FIELD(fact_program, cuda, FACT_TEXT),       FIELD(fact_program, triton, FACT_TEXT),
    FIELD(fact_program, program, FACT_TEXT),    FIELD(fact_program, frame_files, FACT_TEXTS),
    FIELD(fact_program, decisions, FACT_TEXTS), PART(fact_program, world, world_shape),
};
const struct fact_shape fact_program_shape = SHAPE(fact_program, program_rows);

static const struct fact_field order_rows[] = {FIELD(fact_order, ids, FACT_TEXTS)};
const struct fact_shape fact_order_shape = SHAPE(fact_order, order_rows);

static const struct fact_field setting_rows[] = {
    NAMED(fact_setting, "k", kind, FACT_COUNT32),
    NAMED(fact_setting, "n", name, FACT_TEXT),
    NAMED(fact_setting, "v", value, FACT_JSON),
};
static const struct fact_shape setting_shape = SHAPE(fact_setting, setting_rows);
static const struct fact_field settings_rows[] = {ITEMS(fact_settings, list, setting_shape)};
const struct fact_shape fact_settings_shape = SHAPE(fact_settings, settings_rows);

static const struct fact_field configuration_rows[] = {FIELD(fact_configuration, pieces, FACT_TEXTS)};
const struct fact_shape fact_configuration_shape = SHAPE(fact_configuration, configuration_rows);

static const struct fact_field part_rows[] = {
    NAMED(fact_part, "n", name, FACT_TEXT),
    NAMED(fact_part, "h", hash, FACT_TEXT),
    NAMED(fact_part, "t", text, FACT_TEXT),
};
static const struct fact_shape part_shape = SHAPE(fact_part, part_rows);
static const struct fact_field parts_rows[] = {ITEMS(fact_parts, list, part_shape)};
const struct fact_shape fact_parts_shape = SHAPE(fact_parts, parts_rows);

static const struct fact_field key_rows[] = {
    FIELD(fact_key, name, FACT_TEXT),
    ENUM(fact_key, cache, CACHES),
    FIELD(fact_key, pieces, FACT_TEXTS),
};
const struct fact_shape fact_key_shape = SHAPE(fact_key, key_rows);

static const struct fact_field lookup_rows[] = {
    NAMED(fact_lookup, "compile", lookup.compile, FACT_COUNT32),
    NAMED(fact_lookup, "name", lookup.name, FACT_TEXT),
    {.name = "cache", .type = FACT_ENUM, .at = offsetof(struct fact_lookup, lookup.cache), .limit = CACHES},
    {.name = "outcome",
     .type = FACT_ENUM,
     .at = offsetof(struct fact_lookup, lookup.outcome),
     .limit = CACHE_OUTCOMES + 1},
    NAMED(fact_lookup, "guards", lookup.guards, FACT_TEXT),
    NAMED(fact_lookup, "guard_miss", lookup.guard_miss, FACT_BOOL),
    FIELD(fact_lookup, key, FACT_TEXT),
};
static const struct fact_shape lookup_shape = SHAPE(fact_lookup, lookup_rows);
static const struct fact_field lookups_rows[] = {ITEMS(fact_lookups, list, lookup_shape)};
const struct fact_shape fact_lookups_shape = SHAPE(fact_lookups, lookups_rows);

static const struct fact_field names_rows[] = {FIELD(timeline_names, list, FACT_TEXTS)};
const struct fact_shape fact_names_shape = SHAPE(timeline_names, names_rows);
static const struct fact_field track_rows[] = {
    FIELD(rank_track, pid, FACT_JSON),       FIELD(rank_track, tid, FACT_JSON),
    FIELD(rank_track, process, FACT_TEXT),   FIELD(rank_track, thread, FACT_TEXT),
    FIELD(rank_track, writer, FACT_HASH),    FIELD(rank_track, spans, FACT_COUNT),
    FIELD(rank_track, instants, FACT_COUNT), FIELD(rank_track, busy_us, FACT_TIME),
    FIELD(rank_track, has_rank, FACT_BOOL),  FIELD(rank_track, rank, FACT_COUNT),
};
static const struct fact_shape track_shape = SHAPE(rank_track, track_rows);
static const struct fact_field timeline_rows[] = {
    ITEMS(rank_timeline, tracks, track_shape),   FIELD(rank_timeline, has_base, FACT_BOOL),
    FIELD(rank_timeline, base_us, FACT_NUMBER),  FIELD(rank_timeline, first_us, FACT_NUMBER),
    FIELD(rank_timeline, last_us, FACT_NUMBER),  FIELD(rank_timeline, spans, FACT_COUNT),
    FIELD(rank_timeline, kept, FACT_COUNT),      FIELD(rank_timeline, instants, FACT_COUNT),
    FIELD(rank_timeline, no_end, FACT_COUNT),    FIELD(rank_timeline, no_begin, FACT_COUNT),
    FIELD(rank_timeline, bad_times, FACT_COUNT), FIELD(rank_timeline, other_events, FACT_COUNT),
    FIELD(rank_timeline, left_out, FACT_COUNT),
};
const struct fact_shape fact_timeline_shape = SHAPE(rank_timeline, timeline_rows);

static const struct fact_field result_rows[] = {
    ARRAY(fact_result, counters, FACT_COUNT, COUNTERS), FIELD(fact_result, no_compile_id, FACT_COUNT),
    FIELD(fact_result, no_compile_id_line, FACT_COUNT), FIELD(fact_result, no_compile_id_file, FACT_STRING),
    FIELD(fact_result, processes, FACT_COUNT),          FIELD(fact_result, namesakes, FACT_COUNT),
    FIELD(fact_result, namesake, FACT_COUNT),           FIELD(fact_result, compiles, FACT_COUNT),
    FIELD(fact_result, artifacts, FACT_COUNT),          FIELD(fact_result, bytes, FACT_COUNT),
    FIELD(fact_result, missing_inputs, FACT_COUNT),     FIELD(fact_result, unknown_keys, FACT_TEXTS),
};
const struct fact_shape fact_result_shape = SHAPE(fact_result, result_rows);

static const char *kind_of(unsigned value) {
    return finding_kind_name((enum finding_kind)value);
}

static const char *severity_of(unsigned value) {
    return severity_name((enum severity)value);
}

static const char *impact_of(unsigned value) {
    return impact_name((enum impact)value);
}

static const char *cost_of(unsigned value) {
    return cost_name((enum cost)value);
}

static const struct fact_field finding_rows[] = {
    BY_NAME(rank_finding, kind, FINDING_KINDS, kind_of),
    BY_NAME(rank_finding, severity, SEVERITY_INFO + 1, severity_of),
    BY_NAME(rank_finding, impact, IMPACT_INFORMATION + 1, impact_of),
    FIELD(rank_finding, title, FACT_NEEDED),
    FIELD(rank_finding, why, FACT_TEXT),
    FIELD(rank_finding, advice, FACT_TEXT),
    PART(rank_finding, place, place_shape),
    FIELD(rank_finding, time_us, FACT_TIME),
    FIELD(rank_finding, fix_us, FACT_TIME),
    BY_NAME(rank_finding, cost, COST_UNFINISHED + 1, cost_of),
    FIELD(rank_finding, library, FACT_BOOL),
    PART(rank_finding, caller, place_shape),
    FIELD(rank_finding, plain, FACT_TEXT),
    FIELD(rank_finding, message, FACT_TEXT),
    FIELD(rank_finding, evidence, FACT_TEXT),
    FIELD(rank_finding, id, FACT_TEXT),
    FIELD(rank_finding, code, FACT_TEXT),
    FIELD(rank_finding, expected, FACT_BOOL),
    FIELD(rank_finding, handled, FACT_BOOL),
};
const struct fact_shape fact_finding_shape = SHAPE(rank_finding, finding_rows);

static const struct fact_field span_rows[] = {
    FIELD(rank_span, name, FACT_NEEDED),       FIELD(rank_span, compile, FACT_TEXT),
    FIELD(rank_span, frame, FACT_TEXT),        FIELD(rank_span, process, FACT_JSON),
    FIELD(rank_span, thread, FACT_JSON),       PART(rank_span, place, place_shape),
    FIELD(rank_span, started_us, FACT_NUMBER), FIELD(rank_span, before_end_us, FACT_NUMBER),
};
static const struct fact_shape span_shape = SHAPE(rank_span, span_rows);

static const struct fact_field parity_rows[] = {
    FIELD(rank_parity, folder, FACT_TEXT),
    FIELD(rank_parity, key, FACT_TEXT),
    FIELD(rank_parity, offset, FACT_COUNT),
    FIELD(rank_parity, missing_waits, FACT_COUNT),
};
static const struct fact_shape parity_shape = SHAPE(rank_parity, parity_rows);

static const struct fact_field file_rows[] = {
    FIELD(log_file, name, FACT_NEEDED),   FIELD(log_file, bytes, FACT_COUNT), FIELD(log_file, first_line, FACT_COUNT),
    FIELD(log_file, records, FACT_COUNT), FIELD(log_file, damage, FACT_TEXT),
};
static const struct fact_shape file_shape = SHAPE(log_file, file_rows);

static const struct fact_field totals_rows[] = {
    FIELD(totals, compiles, FACT_COUNT),         ARRAY(totals, statuses, FACT_COUNT, STATUS_ERROR + 1),
    FIELD(totals, restarts, FACT_COUNT),         FIELD(totals, interrupted, FACT_COUNT),
    FIELD(totals, ops_unknown, FACT_COUNT),      FIELD(totals, recompiles, FACT_COUNT),
    FIELD(totals, refused, FACT_COUNT),          FIELD(totals, time_us, FACT_TIME),
    FIELD(totals, forward_us, FACT_TIME),        FIELD(totals, backward_us, FACT_TIME),
    FIELD(totals, runtime_us, FACT_TIME),        FIELD(totals, restart_us, FACT_TIME),
    ARRAY(totals, timers, FACT_TIME, PHASES),    ARRAY(totals, own, FACT_TIME, PHASES),
    ARRAY(totals, has_phase, FACT_BOOL, PHASES), FIELD(totals, other_us, FACT_TIME),
};
static const struct fact_shape totals_shape = SHAPE(totals, totals_rows);

static const struct fact_field log_rows[] = {
    FIELD(rank_facts, has_rank, FACT_BOOL),
    FIELD(rank_facts, rank, FACT_COUNT),
    FIELD(rank_facts, has_own_rank, FACT_BOOL),
    FIELD(rank_facts, own_rank, FACT_COUNT),
    FIELD(rank_facts, bad, FACT_BOOL),
    FIELD(rank_facts, empty, FACT_BOOL),
    FIELD(rank_facts, file, FACT_STRING),
    FIELD(rank_facts, name, FACT_STRING),
    FIELD(rank_facts, error, FACT_STRING),
    FIELD(rank_facts, paths, FACT_TEXTS),
    FIELD(rank_facts, host, FACT_TEXT),
    FIELD(rank_facts, modified_ns, FACT_HASH),
    FIELD(rank_facts, began_us, FACT_NUMBER),
    ITEMS(rank_facts, files, file_shape),
    FIELD(rank_facts, bytes, FACT_COUNT),
    FIELD(rank_facts, events, FACT_COUNT),
    ARRAY(rank_facts, counters, FACT_COUNT, COUNTERS),
    {.name = "cache_counts",
     .type = FACT_COUNT,
     .at = offsetof(struct rank_facts, cache_counts),
     .items = (size_t)CACHES_COUNTED * OUTCOMES_COUNTED},
    FIELD(rank_facts, graph_breaks, FACT_COUNT),
    FIELD(rank_facts, failures, FACT_COUNT),
    PART(rank_facts, totals, totals_shape),
    FIELD(rank_facts, first_us, FACT_NUMBER),
    FIELD(rank_facts, last_us, FACT_NUMBER),
    FIELD(rank_facts, run_first_us, FACT_NUMBER),
    FIELD(rank_facts, run_last_us, FACT_NUMBER),
    FIELD(rank_facts, execution_said, FACT_BOOL),
    ITEMS(rank_facts, unfinished, span_shape),
    ITEMS(rank_facts, parity, parity_shape),
};
const struct fact_shape fact_log_shape = SHAPE(rank_facts, log_rows);
