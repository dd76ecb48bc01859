/* scan/record_tables: artifacts that are tables, in the format of PyTorch 2.15. */
#define _GNU_SOURCE
#include "support.h"

#include "base/arena.h"
#include "base/mem.h"
#include "scan/record_tables.h"

static struct arena arena;

/* Asserts the result without name and line; "" if there is none. */
static void assert_tables(const char *name, const char *text, bool json, const char *expected) {
    struct table_record record = {.name = slice_str(name), .text = slice_str(text), .line = 7};
    struct slice whole = record.text;
    struct buf out = {0}, wanted = {0};
    if (json)
        json_read(&whole, JSON_NUMBERS_RAW, &arena, &record.json);
    bool found = record_tables_read(&record, &out);
    assert_int_equal(found, *expected != '\0');
    if (found)
        buf_addf(&wanted, "{\"name\":\"%s\",\"line\":7,\"facts\":%s}", name, expected);
    assert_slices(buf_slice(&out), buf_slice(&wanted));
    buf_free(&out);
    buf_free(&wanted);
    arena_free(&arena);
}

#define TABLE(columns, rows) "\"tables\":[{\"title\":null,\"columns\":[" columns "],\"rows\":[" rows "],\"more\":0}]"

static void reads_estimations(void **state) {
    (void)state;
    const char *columns = "Node,Benchmarked Est(us),Flops";
    char *text =
        mem_printf("# World size: 2\n%s\nmm f32(64, 64) f32(64, 64),0.5000,524288\nadd,-1.5e-05,x\n\nmul\n", columns);
    assert_tables("fx_compute_nodes_runtime_estimation", text, false,
                  "[{\"name\":\"World size\",\"value\":2}]," TABLE(
                      "\"Node\",\"Benchmarked Est(us)\",\"Flops\"",
                      "[\"mm f32(64, 64) f32(64, 64)\",0.5000,524288],[\"add\",-1.5e-05,\"x\"],[\"mul\",null,null]"));
    free(text);
    /* a symbol may contain commas, in any cell */
    assert_tables("fx_compute_nodes_runtime_estimation", "Node,Est(us),Flops\nmm f32(s0, 4),0.1,2*Max(1, s0)\n", false,
                  "[]," TABLE("\"Node\",\"Est(us)\",\"Flops\"", "[\"mm f32(s0, 4)\",0.1,\"2*Max(1, s0)\"]"));
    assert_tables("fx_collectives_estimations_after_overlap_bucketing", "a,b\n007,inf", false,
                  "[]," TABLE("\"a\",\"b\"", "[\"007\",\"inf\"]"));
    assert_tables("fx_compute_nodes_runtime_estimation", "no table", false, "");
    assert_tables("fx_compute_nodes_runtime_estimation", "", false, "");
    assert_tables("fx_compute_nodes_runtime_estimation", "# a: 1\n", false, "");
    assert_tables("fx_graph_runnable", "a,b\n1,2", false, "");
}

static void reads_the_partitioner(void **state) {
    (void)state;
    assert_tables(
        "min_cut_information",
        "{\"Joint Graph Size\": 30, \"Joint Graph Edges\": {\"Total\": 1}, \"Memory Budget\": 0.5, "
        "\"Joint Graph Node Information\": {\"mm\": {\"name\": \"mm\", \"target\": \"aten.mm.default\", \"shape\": "
        "\"torch.Size([4])\", \"recomputable_candidate_info\": {\"memory\": 64, \"runtime\": 128, \"is_saved\": true, "
        "\"is_recomputed\": false}}, \"sin\": {\"name\": \"sin\"}}, \"Min Cut Solution Saved Values\": [\"mm\", "
        "\"missing\"]}",
        true,
        "[{\"name\":\"Joint Graph Size\",\"value\":30},{\"name\":\"Memory Budget\",\"value\":0.5}],\"tables\":["
        "{\"title\":\"Candidates for recomputation\",\"columns\":[\"node\",\"operation\",\"shape\",\"memory\","
        "\"runtime\",\"choice\"],\"rows\":[[\"mm\",\"aten.mm.default\",\"torch.Size([4])\",64,128,\"saved\"]],\"more\":"
        "0},"
        "{\"title\":\"Values that the min cut saves\",\"columns\":[\"node\",\"operation\",\"shape\"],\"rows\":[[\"mm\","
        "\"aten.mm.default\",\"torch.Size([4])\"],[\"missing\",null,null]],\"more\":0}]");
    assert_tables(
        "min_cut_failed_edge_list",
        "source mm_in {'capacity': inf, 'reason': 'cannot be recomputed'}\nmm_in mm_out {'capacity': 3.5}\nodd\n",
        false,
        "[]," TABLE("\"from\",\"to\",\"capacity\",\"reason\"",
                    "[\"source\",\"mm_in\",\"inf\",\"cannot be recomputed\"],[\"mm_in\",\"mm_out\",3.5,null]"));
    assert_tables("min_cut_failed_edge_list", "odd", false, "");
    const char *odd[] = {"[]",
                         "3",
                         "{",
                         "{}",
                         "",
                         "{\"Joint Graph Node Information\": [1, null]}",
                         "{\"Min Cut Solution Saved Values\": null}"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        assert_tables("min_cut_information", odd[i], true, "");
}

static void reads_buckets(void **state) {
    (void)state;
    assert_tables("fx_bucketing_passes_all_gather_buckets", "[[ag, ag_1], [ag_2]]", false,
                  "[{\"name\":\"collectives\",\"value\":3},{\"name\":\"buckets\",\"value\":2}]," TABLE(
                      "\"bucket\",\"collectives\",\"nodes\"", "[0,2,\"ag, ag_1\"],[1,1,\"ag_2\"]"));
    assert_tables("fx_bucketing_passes_all_gather_buckets", "[]", false, "");
    assert_tables(
        "pre_bucketing_fsdp_collectives",
        "fsdp_groups=['0', '1'], group_size=2, bucket_cap_mb=10.4, all_gather 2->1, all_reduce 0->0, odd a->b", false,
        "[{\"name\":\"fsdp_groups\",\"value\":\"['0', '1']\"},{\"name\":\"group_size\",\"value\":2},"
        "{\"name\":\"bucket_cap_mb\",\"value\":10.4}]," TABLE("\"collective\",\"before\",\"after\"",
                                                              "[\"all_gather\",2,1],[\"all_reduce\",0,0]"));
    assert_tables("pre_bucketing_fsdp_collectives", "odd", false, "");
    assert_tables("pre_bucketing_collective_sizes_after",
                  "[{\"type\": \"AG\", \"size_mb\": 0.5, \"name\": \"ag\"}, {\"type\": \"RS\", \"more\": [1]}, 3]",
                  true,
                  "[]," TABLE("\"type\",\"size_mb\",\"name\",\"more\"",
                              "[\"AG\",0.5,\"ag\",null],[\"RS\",null,null,\"[1]\"]"));
    assert_tables("pre_bucketing_collective_sizes", "[]", true, "");
    assert_tables(
        "pge_profile_vs_analytical", "{\"collective_count\": 1, \"op_entries\": [{\"op\": \"mm\", \"profile_ms\": 1}]}",
        true,
        "[{\"name\":\"collective_count\",\"value\":1}],\"tables\":[{\"title\":\"Profiled operations\",\"columns\":["
        "\"op\",\"profile_ms\"],\"rows\":[[\"mm\",1]],\"more\":0}]");
}

static void has_bounds(void **state) {
    (void)state;
    struct buf text = {0}, out = {0};
    buf_add_lit(&text, "a,b\n");
    for (int i = 0; i < 2500; i++) {
        buf_addf(&text, "%d,", i);
        for (int k = 0; k < 1000; k++)
            buf_add_byte(&text, 'x');
        buf_add_byte(&text, '\n');
    }
    struct table_record record = {.name = SLICE("fx_x_estimation"), .text = buf_slice(&text), .line = 1};
    assert_true(record_tables_read(&record, &out));
    assert_true(out.len < TABLE_ROWS_MAX * (TABLE_CELL_MAX + 20));
    assert_true(slice_find(buf_slice(&out), SLICE("\"more\":1500}")) != SIZE_MAX);
    buf_free(&out);
    text.len = 0;
    for (int i = 0; i < 100000; i++)
        buf_add_lit(&text, "[(,");
    record.text = buf_slice(&text);
    const char *names[] = {"fx_x_estimation", "fx_bucketing_passes_x_buckets", "pre_bucketing_fsdp_collectives",
                           "min_cut_failed_edge_list"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        record.name = slice_str(names[i]);
        assert_false(record_tables_read(&record, &out));
    }
    buf_free(&text);
    buf_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_estimations),
        cmocka_unit_test(reads_the_partitioner),
        cmocka_unit_test(reads_buckets),
        cmocka_unit_test(has_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
