#include "model/pgo.h"

enum { SUGGESTED_MAX = 4000 };

bool pgo_name(struct slice name, const char **store, bool *written) {
    static const struct {
        const char *name, *store;
        bool written;
    } names[] = {
        {"get_local_code_state", "local", false},
        {"get_remote_code_state", "remote", false},
        {"put_local_code_state", "local", true},
        {"put_remote_code_state", "remote", true},
        {"get_extra_remote_code_state", "extra_remote", false},
        {"put_extra_remote_code_state", "extra_remote", true},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i].name)) {
            *store = names[i].store;
            *written = names[i].written;
            return true;
        }
    return false;
}

/* "hash(0f3c)/src/a.py:8:f:", as written by CodeId.__str__() and render_code_state(). */
static bool read_frame(struct slice line, struct place *frame) {
    size_t close = slice_find(line, SLICE(")"));
    if (!slice_starts(line, SLICE("hash(")) || !slice_ends(line, SLICE(":")) || close == SIZE_MAX)
        return false;
    struct slice text = slice_from(slice_first(line, line.len - 1), close + 1);
    size_t name = slice_rfind_byte(text, ':');
    if (name == SIZE_MAX)
        return false;
    *frame = (struct place){.function = slice_from(text, name + 1)};
    text = slice_first(text, name);
    size_t number = slice_rfind_byte(text, ':');
    if (number == SIZE_MAX || !slice_to_u64(slice_from(text, number + 1), &frame->line))
        return false;
    frame->file = slice_first(text, number);
    return true;
}

/* "  L['x']: tensor size=[?, 2] stride=[S(1), 1]", as written by FrameStateSizeEntry.render(). */
static bool read_source(struct slice line, struct slice *source, struct slice *state) {
    static const char *const begins[] = {": tensor size=[", ": scalar ", ": fully dynamic scalar or tensor",
                                         ": unusual "};
    if (!slice_starts(line, SLICE("  ")))
        return false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t at = slice_find(line, slice_str(begins[i]));
        if (at == SIZE_MAX || at < 2)
            continue;
        *source = slice_first(slice_from(line, 2), at - 2);
        *state = slice_from(line, at + 2);
        return true;
    }
    return false;
}

/* The rule of _collect_dynamic_sources(): a size of the tensor that varies, or the scalar. */
static bool is_dynamic(struct slice state) {
    if (!slice_starts(state, SLICE("tensor size=[")))
        return slice_is(state, "fully dynamic scalar or tensor");
    size_t end = slice_find(state, SLICE("]"));
    return slice_find(slice_first(state, end), SLICE("?")) != SIZE_MAX;
}

struct reading {
    struct model *model;
    struct pgo *pgo;
    uint64_t process;
    struct pgo_record record;
    struct place frame;
    struct slice frame_line;
};

static void add_change(struct reading *reading, struct slice source, struct slice had, struct slice has) {
    struct pgo *pgo = reading->pgo;
    struct model *model = reading->model;
    if (pgo->changes.count == PGO_CHANGES_MAX) {
        pgo->more_changes++;
        return;
    }
    ARENA_ADD(&model->arena, &pgo->changes,
              (struct pgo_change){
                  .frame = {.file = model_copy(model, reading->frame.file),
                            .function = model_copy(model, reading->frame.function),
                            .line = reading->frame.line},
                  .source = model_copy(model, slice_first(source, PGO_TEXT_MAX)),
                  .had = had,
                  .has = has,
              });
    reading->record.changes++;
}

static void note_source(struct reading *reading, struct slice source, struct slice state) {
    struct pgo *pgo = reading->pgo;
    AUTO_BUF key = {0};
    bool dynamic = is_dynamic(state);
    reading->record.sources++;
    reading->record.dynamic += dynamic;
    BUF_ADD(&key, reading->process, " ", reading->frame_line, source);
    uint32_t index = map_get(&pgo->state_map, buf_slice(&key));
    struct pgo_state had = index != MAP_NONE ? pgo->states.items[index] : (struct pgo_state){0};
    struct slice text = slice_first(state, PGO_TEXT_MAX);
    if ((index == MAP_NONE || !slice_eq(had.text, text)) && pgo->states.count < PGO_STATES_MAX) {
        struct pgo_state has = {model_copy(reading->model, text), dynamic};
        *map_put_in(&reading->model->arena, &pgo->state_map, buf_slice(&key), 0, NULL) = (uint32_t)pgo->states.count;
        ARENA_ADD(&reading->model->arena, &pgo->states, has);
        if (dynamic && !had.dynamic)
            add_change(reading, source, had.text, has.text);
    }
}

/* Notes the quoted value in the suggestion of the last paragraph. */
static void note_suggestion(struct reading *reading, struct slice line) {
    size_t at = slice_find(line, SLICE("TORCH_COMPILE_DYNAMIC_SOURCES=\""));
    if (at == SIZE_MAX)
        return;
    struct slice value = slice_from(line, at + SLICE("TORCH_COMPILE_DYNAMIC_SOURCES=\"").len);
    size_t quote = slice_rfind_byte(value, '"');
    if (quote == SIZE_MAX || quote > SUGGESTED_MAX)
        return; /* a truncated value would be wrong */
    if (!slice_eq(reading->pgo->suggested, slice_first(value, quote)))
        reading->pgo->suggested = model_copy(reading->model, slice_first(value, quote));
}

void pgo_add(struct pgo *pgo, struct model *model, uint64_t process, const struct pgo_record *record,
             struct slice text) {
    struct reading reading = {.model = model, .pgo = pgo, .process = process, .record = *record};
    struct slice line, source, state;
    if (pgo->records.count == PGO_RECORDS_MAX) {
        pgo->more_records++;
        return;
    }
    reading.record.first_change = pgo->changes.count;
    while (slice_next_line(&text, &line)) {
        struct place frame;
        if (read_frame(line, &frame)) {
            reading.frame = frame;
            reading.frame_line = line;
            reading.record.frames++;
        } else if (reading.record.frames && read_source(line, &source, &state)) {
            note_source(&reading, source, state);
        } else if (slice_starts(line, SLICE("PGO detected"))) {
            note_suggestion(&reading, line);
        }
    }
    ARENA_ADD(&model->arena, &pgo->records, reading.record);
}
