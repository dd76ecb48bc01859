#include "facts/rank_parts.h"

/* Settings of torch._dynamo.config, torch._functorch.config and torch._inductor.config, sorted. PyTorch's cache keys
 * exclude the paths of CUTLASS; one of them is the current directory by default. */
static const struct slice names[] = {
    SLICE_INIT("aten_distributed_optimizations.log_final_collectives_estimations"),
    SLICE_INIT("aten_distributed_optimizations.pre_bucketing_fsdp_collectives_verbose"),
    SLICE_INIT("autoheuristic_log_path"),
    SLICE_INIT("compile_worker_watchdog_interval_seconds"),
    SLICE_INIT("cuda.cutlass_dir"),
    SLICE_INIT("cutlass.cutlass_dir"),
    SLICE_INIT("debug"),
    SLICE_INIT("debug_dir_root"),
    SLICE_INIT("debug_fusion"),
    SLICE_INIT("debug_ir_traceback"),
    SLICE_INIT("debug_partitioner"),
    SLICE_INIT("developer_warnings"),
    SLICE_INIT("enabled_metric_tables"),
    SLICE_INIT("log_compilation_metrics"),
    SLICE_INIT("log_file_name"),
    SLICE_INIT("log_graph_in_out_metadata"),
    SLICE_INIT("log_tlparse"),
    SLICE_INIT("max_autotune_report_choices_stats"),
    SLICE_INIT("record_compile_time_instruction_count"),
    SLICE_INIT("reorder_for_peak_memory_debug"),
    SLICE_INIT("replay_record_enabled"),
    SLICE_INIT("report_guard_failures"),
    SLICE_INIT("save_args"),
    SLICE_INIT("torchinductor_worker_logpath"),
    SLICE_INIT("triton.cudagraph_dynamic_shape_warn_limit"),
    SLICE_INIT("verbose"),
    SLICE_INIT("verbose_progress"),
    SLICE_INIT("warn_mix_layout"),
    SLICE_INIT("worker_log_path"),
    SLICE_INIT("worker_suppress_logging"),
    SLICE_INIT("xpu.cutlass_dir"),
};

static int by_name(const void *a, const void *b) {
    const struct slice *x = a, *y = b;
    return slice_cmp(*x, *y);
}

bool is_logging_setting(struct slice name) {
    return slice_starts(name, SLICE("trace.")) ||
           bsearch(&name, names, sizeof names / sizeof *names, sizeof *names, by_name) != NULL;
}
