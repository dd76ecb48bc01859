/* Any profile of one log: it is joined or refused, the same for any size of the blocks, and the report is complete. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_report.h"
#include "profile/profile.h"

/* A compile whose code calls two kernels in turn, and one without code that has a graph break, and a span. */
static const char log_text[] =
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"str\": [\"model.py\", 0]}\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"dynamo_start\": {\"stack\": [{\"line\": 3, "
    "\"name\": \"f\", \"filename\": 0}]}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"inductor_output_code\": {\"filename\": "
    "\"/tmp/c.py\"}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": "
    "\"f6efac091514d0df2d0ba8a3232f3b9f\"}\n"
    "\t# AOT ID: ['0_inference']\n"
    "\tcpp_fused_add_0 = async_compile.cpp_pybinding(['float*'], r'''\n"
    "\textern \"C\"  void  kernel(float* out_ptr0)\n"
    "\t{\n"
    "\t}\n"
    "\t''')\n"
    "\tdef call(self, args):\n"
    "\t    # Topologically Sorted Source Nodes: [mm], Original ATen: [aten.mm]\n"
    "\t    extern_kernels.mm(arg0_1, arg1_1, out=buf0)\n"
    "\t    cpp_fused_add_0(buf0)\n"
    "\t    extern_kernels.mm(buf0, arg1_1, out=buf1)\n"
    "\t    cpp_fused_add_0(buf1)\n"
    "\t    return (buf1, )\n"
    "\t\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"artifact\": {\"name\": \"fx_graph_cache_miss\", "
    "\"encoding\": \"json\"}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": "
    "\"e2e7e421fe1dc3c6af40f47e50f562c7\"}\n"
    "\t{\"key\": \"fkey\", \"cache_state\": \"miss\"}\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"compilation_metrics\": {\"co_name\": \"f\", "
    "\"co_filename\": \"model.py\", \"co_firstlineno\": 3, \"start_time_us\": 1000000, \"has_guarded_code\": true}, "
    "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"dynamo_start\": {\"stack\": [{\"line\": 3, "
    "\"name\": \"f\", \"filename\": 0}]}, \"frame_id\": 0, \"frame_compile_id\": 1, \"attempt\": 0}\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"chromium_event\": {}, \"frame_id\": 0, "
    "\"frame_compile_id\": 1, \"attempt\": 0, "
    "\"has_payload\": \"805dc412a021984aa85fcae1f55f5fe0\"}\n"
    "\t{\"name\": \"entire_frame_compile\", \"ts\": 1500000.0, \"ph\": \"B\", \"cat\": \"dynamo_timed\", \"tid\": 0, "
    "\"pid\": 0, \"args\": {\"compile_id\": \"0/1\"}}\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"artifact\": {\"name\": "
    "\"dynamo_graph_break_reason\", \"encoding\": \"string\"}, \"frame_id\": 0, \"frame_compile_id\": 1, \"attempt\": "
    "0, "
    "\"has_payload\": \"62cf66a1cc2b9756eb3ba276a849544d\"}\n"
    "\tGraph break in user code at model.py:4\n"
    "\tGraph Break Reason: Call to `torch._dynamo.graph_break()`\n"
    "\t  File \"model.py\", line 4, in f\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"chromium_event\": {}, \"frame_id\": 0, "
    "\"frame_compile_id\": 1, \"attempt\": 0, "
    "\"has_payload\": \"c5e05ae4bf6c7295af571fb52855a41e\"}\n"
    "\t{\"name\": \"entire_frame_compile\", \"ts\": 1900000.0, \"ph\": \"E\", \"cat\": \"dynamo_timed\", \"tid\": 0, "
    "\"pid\": 0, \"args\": {\"compile_id\": \"0/1\"}}\n"
    "V0102 10:00:00.000000 77 torch/_logging/_internal.py:1200] {\"compilation_metrics\": {\"co_name\": \"f\", "
    "\"co_filename\": \"model.py\", \"co_firstlineno\": 3, \"start_time_us\": 2000000, \"has_guarded_code\": true}, "
    "\"frame_id\": 0, \"frame_compile_id\": 1, \"attempt\": 0}\n";

static bool read_trace(const char *path, struct profile_trace *trace, size_t block, struct err *err) {
    struct source source;
    MUST(source_open(&source, path, err));
    bool plain = !source.unpacker; /* compressed ones are for fuzz_source, and may be bombs */
    bool good = plain && profile_read(trace, &source, NULL, block, err);
    MUST(!plain || good || (err->code != ERR_NONE && err->text[0]));
    source_close(&source);
    return good;
}

static void check_trace(const struct profile_trace *trace) {
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i], *before = i ? event - 1 : event;
        MUST(event->name < trace->names.count && event->track < trace->tracks.count && event->ns >= 0);
        MUST(before->track < event->track || (before->track == event->track && before->start_ns <= event->start_ns));
    }
}

static void check_equal(const struct profile_trace *one, const struct profile_trace *other) {
    MUST(one->events.count == other->events.count && one->names.count == other->names.count);
    MUST(one->tracks.count == other->tracks.count && one->rank == other->rank && one->bytes == other->bytes);
    for (size_t i = 0; i < one->events.count; i++)
        MUST(one->events.items[i].start_ns == other->events.items[i].start_ns &&
             one->events.items[i].ns == other->events.items[i].ns);
}

static void check_report(struct profiles *profiles) {
    static const struct slice text = {log_text, sizeof log_text - 1};
    struct reading_options options = {.assets = fuzz_assets(), .profiles = profiles};
    struct pipeline_result result;
    struct source source;
    struct err err = {0};
    char path[32];
    int fd = fuzz_file(text, path);
    struct fuzz_files files = {0};
    struct sink *sink = fuzz_sink(&files, "");
    MUST(source_open(&source, path, &err) && pipeline_run(&source, sink, &options, NULL, &result, &err));
    fuzz_sort(&files);
    fuzz_check_report(&files, SLICE(""));
    yyjson_doc *doc = fuzz_json(fuzz_content(&files, SLICE("report.json")));
    yyjson_val *profile = json_get(yyjson_doc_get_root(doc), "profile");
    MUST(yyjson_arr_size(json_get(profile, "files")) == 1);
    MUST(json_get_text(yyjson_arr_get(json_get(profile, "files"), 0), "refused").len ||
         !profiles->files.items[0].refused);
    yyjson_doc_free(doc);
    fuzz_free(&files);
    pipeline_result_finish(&result);
    sink_destroy(sink);
    source_close(&source);
    close(fd);
}

/* The first byte selects the block size. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice text = {(const char *)data + 1, size - 1};
    struct profiles profiles = {0};
    struct profile_file file = {.path = "prof.json"};
    struct profile_trace other = {0};
    struct err err = {0}, why = {0};
    char path[32];
    int fd = fuzz_file(text, path);
    bool good = read_trace(path, &file.trace, 0, &err);
    MUST(good == read_trace(path, &other, (size_t)1 + (data[0] & 63), &why));
    if (good) {
        check_trace(&file.trace);
        check_equal(&file.trace, &other);
    } else {
        MUST(strcmp(err.text, why.text) == 0);
        file.refused = mem_strdup(err.code ? err.text : "is packed");
    }
    profile_trace_free(&other);
    LIST_ADD(&profiles.files, file);
    check_report(&profiles);
    profiles_free(&profiles);
    close(fd);
    return 0;
}
