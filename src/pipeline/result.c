#include "pipeline/result.h"

void pipeline_result_add_key(struct pipeline_result *result, struct slice key) {
    if (result->unknown_key_count == result->unknown_key_cap) {
        result->unknown_key_cap = result->unknown_key_cap ? 2 * result->unknown_key_cap : 8;
        result->unknown_keys = mem_realloc(result->unknown_keys, result->unknown_key_cap, sizeof *result->unknown_keys);
    }
    result->unknown_keys[result->unknown_key_count++] = mem_printf("%.*s", SLICE_ARG(key));
}

void pipeline_result_add(struct pipeline_result *total, const struct pipeline_result *result, struct map *known) {
    for (int i = 0; i < COUNTERS; i++)
        total->counters[i] += result->counters[i];
    if (!total->no_compile_id && result->no_compile_id) {
        total->no_compile_id_file = mem_strdup(result->no_compile_id_file);
        total->no_compile_id_line = result->no_compile_id_line;
    }
    total->no_compile_id += result->no_compile_id;
    total->compiles += result->compiles;
    total->artifacts += result->artifacts;
    total->bytes += result->bytes;
    total->missing_inputs += result->missing_inputs;
    total->processes = result->processes > total->processes ? result->processes : total->processes;
    for (size_t i = 0; i < result->unknown_key_count; i++) {
        struct slice key = slice_str(result->unknown_keys[i]);
        bool added;
        map_put(known, key, 0, &added);
        if (added)
            pipeline_result_add_key(total, key);
    }
}

void pipeline_result_finish(struct pipeline_result *result) {
    for (size_t i = 0; i < result->unknown_key_count; i++)
        mem_free(result->unknown_keys[i]);
    mem_free(result->unknown_keys);
    mem_free(result->no_compile_id_file);
    *result = (struct pipeline_result){0};
}
