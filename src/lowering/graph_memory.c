#include "lowering/graph_memory.h"

#include "base/map.h"
#include "lowering/kernels.h"

enum { PENDING = 16, CUDA_BLOCK = 512 };

/* A result of a forward graph. */
struct result {
    struct saved_tensor tensor;
    uint32_t storage; /* in the scan; MEMORY_NONE: none */
    int64_t bytes;    /* of the storage; -1: unknown */
    bool input;       /* a storage that was passed in */
    bool number;
};

/* What a forward graph returned, until its backward is known. */
struct pending_result_list {
    LIST(struct result) list;
    uint32_t memory; /* in `list` of graph_memories; MEMORY_NONE: unused */
};

struct pending_results {
    struct pending_result_list items[PENDING];
    uint32_t next;
};

const char *memory_unknown_text(enum memory_unknown unknown) {
    static const char *const texts[] = {NULL, "a statement of the code was not understood",
                                        "the size of a tensor is not in the code",
                                        "the code has too many statements or tensors"};
    return texts[unknown];
}

static void forget_all(void *part) {
    struct graph_memories *memories = part;
    for (int i = 0; i < PENDING; i++)
        mem_free(memories->pending->items[i].list.items);
}

static struct graph_memories *memories_in(struct model *model) {
    if (!model->memories) {
        model->memories = arena_zalloc(&model->arena, sizeof *model->memories);
        model->memories->pending = arena_zalloc(&model->arena, sizeof *model->memories->pending);
        for (int i = 0; i < PENDING; i++)
            model->memories->pending->items[i].memory = MEMORY_NONE;
        model_own(model, model->memories, forget_all);
    }
    return model->memories;
}

static bool is_direction(struct slice graph, const char *direction) {
    size_t bar = slice_rfind_byte(graph, '_');
    return bar != SIZE_MAX && slice_is(slice_from(graph, bar + 1), direction);
}

/* What PyTorch's allocator takes for a tensor. */
static int64_t allocated(const struct memory_scan *scan, const struct code_tensor *tensor) {
    if (tensor->bytes <= 0 || tensor->device == MEMORY_NONE)
        return 0;
    if (slice_is(scan->devices[tensor->device], "cpu") || tensor->bytes > INT64_MAX - CUDA_BLOCK)
        return tensor->bytes;
    return (tensor->bytes + CUDA_BLOCK - 1) / CUDA_BLOCK * CUDA_BLOCK;
}

/* The use of memory while a call runs. */
struct course {
    const struct memory_scan *scan;
    uint32_t device;
    int64_t live, peak, saved, whole_peak; /* saved: what is left of it */
    uint32_t peak_line;
    size_t peak_at;      /* index of the change after which most is in use */
    const int64_t *held; /* by tensor: bytes that are freed with it, of those that the forward saved; NULL: none */
};

static bool course_step(struct course *c, size_t index) {
    const struct code_change *change = &c->scan->changes.items[index];
    const struct code_tensor *tensor = &c->scan->tensors.items[change->tensor];
    int64_t bytes = allocated(c->scan, tensor);
    if (tensor->device != c->device)
        return false;
    if (tensor->argument) {
        if (change->freed && c->held)
            c->saved -= c->held[change->tensor];
    } else if (change->freed) {
        c->live -= bytes;
    } else if (__builtin_add_overflow(c->live, bytes, &c->live)) {
        c->live = INT64_MAX; /* of a hostile log */
    }
    if (c->live > c->peak) {
        c->peak = c->live;
        c->peak_line = change->line;
        c->peak_at = index;
    }
    int64_t whole;
    if (!__builtin_add_overflow(c->live, c->saved, &whole) && whole > c->whole_peak)
        c->whole_peak = whole;
    return true;
}

static struct course run(const struct memory_scan *scan, uint32_t device, const int64_t *held, int64_t saved) {
    struct course c = {.scan = scan, .device = device, .held = held, .saved = saved, .whole_peak = saved};
    for (size_t i = 0; i < scan->changes.count; i++)
        course_step(&c, i);
    return c;
}

/* The device on which most is in use at a time. */
static uint32_t main_device(const struct memory_scan *scan) {
    uint32_t best = MEMORY_NONE;
    int64_t most = -1;
    for (uint32_t i = 0; i < scan->device_count; i++) {
        struct course c = run(scan, i, NULL, 0);
        if (c.peak > most) {
            most = c.peak;
            best = i;
        }
    }
    return best;
}

/* Keeps at most MEMORY_POINTS_MAX points: of changes next to each other the one with most in use. */
static void keep_points(struct model *model, struct graph_memory *memory, struct course c) {
    size_t count = c.scan->changes.count, each = (count + MEMORY_POINTS_MAX - 1) / MEMORY_POINTS_MAX;
    struct memory_point points[MEMORY_POINTS_MAX + 1];
    int64_t most = -1;
    size_t group = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!course_step(&c, i))
            continue;
        struct memory_point point = {c.scan->changes.items[i].line, c.live, c.saved};
        int64_t sum;
        if (__builtin_add_overflow(point.bytes, point.saved, &sum))
            sum = INT64_MAX;
        if (group != i / each) {
            group = i / each;
            points[memory->point_count++] = point;
            most = sum;
        } else if (sum > most) {
            points[memory->point_count - 1] = point;
            most = sum;
        }
    }
    if (memory->point_count)
        memory->points = ARENA_COPY(&model->arena, points, memory->point_count);
}

static int by_size(const void *a, const void *b) {
    const struct memory_buffer *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Keeps the largest tensors that are alive after the change `at`. */
static void keep_buffers(struct model *model, struct graph_memory *memory, const struct course *course) {
    const struct memory_scan *scan = course->scan;
    LIST(struct memory_buffer) found = {0};
    uint32_t *place = mem_alloc((scan->tensors.count + 1) * sizeof *place); /* 1 + index in `found` */
    memset(place, 0, scan->tensors.count * sizeof *place);
    for (size_t i = 0; i < scan->changes.count; i++) {
        const struct code_change *change = &scan->changes.items[i];
        const struct code_tensor *tensor = &scan->tensors.items[change->tensor];
        if (tensor->argument || tensor->device != course->device || allocated(scan, tensor) == 0)
            continue;
        if (i <= course->peak_at && !change->freed) {
            LIST_ADD(&found, (struct memory_buffer){.name = tensor->name,
                                                    .shape = tensor->shape,
                                                    .dtype = tensor->dtype,
                                                    .kernel = tensor->maker,
                                                    .bytes = allocated(scan, tensor),
                                                    .line = change->line,
                                                    .returned = tensor->returned});
            place[change->tensor] = (uint32_t)found.count;
        } else if (change->freed && place[change->tensor]) {
            if (i <= course->peak_at)
                found.items[place[change->tensor] - 1].bytes = 0;
            else if (!tensor->returned)
                found.items[place[change->tensor] - 1].end = change->line;
        }
    }
    mem_free(place);
    LIST_SORT(&found, by_size);
    while (found.count && found.items[found.count - 1].bytes == 0)
        found.count--;
    memory->buffer_count = (uint32_t)(found.count < MEMORY_BUFFERS_MAX ? found.count : MEMORY_BUFFERS_MAX);
    memory->more_buffers = (uint32_t)found.count - memory->buffer_count;
    for (uint32_t i = 0; i < memory->buffer_count; i++) {
        struct memory_buffer *buffer = &found.items[i];
        buffer->name = kernels_keep(model, buffer->name);
        buffer->shape = kernels_keep(model, buffer->shape);
        buffer->dtype = kernels_keep(model, buffer->dtype);
        buffer->kernel = kernels_keep(model, buffer->kernel);
    }
    if (memory->buffer_count)
        memory->buffers = ARENA_COPY(&model->arena, found.items, memory->buffer_count);
    mem_free(found.items);
}

/* The node of each result: the post-grad graph returns the same values, in the same order. */
static void name_results(struct model *model, uint32_t folder, struct pending_result_list *results) {
    const struct flow_graphs *graphs = kernels_post_grad(model, folder);
    if (!graphs || !graphs->graph_count)
        return;
    const struct flow_graph *graph = &graphs->graphs[0];
    for (uint32_t i = 0; i < graph->result_count; i++) {
        const struct flow_arg *arg = &graphs->args[graph->result + i];
        if (arg->place >= results->list.count || arg->node >= graphs->node_count)
            continue;
        struct saved_tensor *tensor = &results->list.items[arg->place].tensor;
        const struct flow_node *node = &graphs->nodes[arg->node];
        tensor->name = kernels_keep(model, node->name);
        if (node->source == UINT32_MAX)
            continue;
        const struct node_source *source = &graphs->sources[node->source];
        tensor->place = (struct place){.file = kernels_keep(model, source->file),
                                       .function = kernels_keep(model, source->function),
                                       .line = source->line};
        tensor->code = kernels_keep(model, source->code);
    }
}

/* Remembers what a forward graph returns, until its backward comes. */
static void remember_results(struct model *model, uint32_t folder, const struct memory_scan *scan, uint32_t memory) {
    struct pending_results *pending = model->memories->pending;
    struct pending_result_list *results = &pending->items[pending->next++ % PENDING];
    results->list.count = 0;
    results->memory = memory;
    for (size_t i = 0; i < scan->results.count; i++) {
        const struct code_value *value = &scan->results.items[i];
        struct result result = {.storage = value->tensor, .number = value->number};
        if (value->tensor != MEMORY_NONE) {
            const struct code_tensor *tensor = &scan->tensors.items[value->tensor];
            result.input = tensor->argument;
            result.bytes = tensor->bytes < 0 ? -1 : allocated(scan, tensor);
            result.tensor = (struct saved_tensor){.name = kernels_keep(model, value->name),
                                                  .shape = kernels_keep(model, tensor->shape),
                                                  .dtype = kernels_keep(model, tensor->dtype),
                                                  .bytes = allocated(scan, tensor)};
        }
        LIST_ADD(&results->list, result);
    }
    name_results(model, folder, results);
}

/* "3" for "3_forward" and "3_backward", which are of the same graph. */
static struct slice graph_number(struct slice graph) {
    return slice_first(graph, slice_rfind_byte(graph, '_'));
}

/* The results of the forward graph that belongs to this backward; NULL: none, or forgotten. */
static struct pending_result_list *results_of(struct graph_memories *memories, uint32_t compile, struct slice graph) {
    for (uint32_t i = 0; i < PENDING; i++) {
        struct pending_result_list *results = &memories->pending->items[i];
        const struct graph_memory *forward =
            results->memory == MEMORY_NONE ? NULL : &memories->list.items[results->memory];
        if (forward && forward->compile == compile && slice_eq(graph_number(forward->graph), graph_number(graph)))
            return results;
    }
    return NULL;
}

static bool is_tangent(const struct code_value *value) {
    return slice_starts(value->name, SLICE("tangents_"));
}

/* The forward's last results are the backward's first arguments: numbers, which come first there and last here, and then
 * tensors. Returns the index of the result that the first tensor is; SIZE_MAX if they do not match: no tensor is larger than
 * the storage that it is in. */
static size_t match_results(const struct pending_result_list *results, const struct memory_scan *scan, size_t *numbers,
                            size_t *tensors) {
    size_t end = results->list.count;
    *numbers = *tensors = 0;
    while (*numbers < scan->arguments.count && scan->arguments.items[*numbers].number)
        ++*numbers;
    while (*numbers + *tensors < scan->arguments.count && !is_tangent(&scan->arguments.items[*numbers + *tensors]))
        ++*tensors;
    while (end && results->list.items[end - 1].number)
        end--;
    if (*tensors > end)
        return SIZE_MAX;
    for (size_t i = 0; i < *tensors; i++) {
        const struct code_value *value = &scan->arguments.items[*numbers + i];
        const struct result *result = &results->list.items[end - *tensors + i];
        if (result->storage == MEMORY_NONE || value->tensor == MEMORY_NONE)
            return SIZE_MAX;
        int64_t bytes = allocated(scan, &scan->tensors.items[value->tensor]);
        if (result->bytes >= 0 && bytes > result->bytes)
            return SIZE_MAX;
    }
    return end - *tensors;
}

static int by_bytes(const void *a, const void *b) {
    const struct saved_tensor *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : slice_cmp(x->name, y->name);
}

/* Where call() frees each tensor: indices of changes, from 1. */
static uint32_t *ends_of(const struct memory_scan *scan) {
    uint32_t *ends = mem_alloc((scan->tensors.count + 1) * sizeof *ends);
    memset(ends, 0, scan->tensors.count * sizeof *ends);
    for (size_t i = 0; i < scan->changes.count; i++)
        if (scan->changes.items[i].freed)
            ends[scan->changes.items[i].tensor] = (uint32_t)i + 1;
    return ends;
}

/* The join of a forward with its backward. */
struct joint {
    struct graph_memory *forward;
    const uint32_t *ends;
    int64_t *held;       /* by tensor of the backward: the bytes that end with it */
    struct map storages; /* of the forward → the tensor of the backward that holds it to the end, or MEMORY_NONE */
    LIST(struct saved_tensor) saved;
};

static uint32_t *storage_in(struct joint *j, const struct result *result, uint32_t holder, bool *added) {
    struct slice key = slice_make((const char *)&result->storage, sizeof result->storage);
    return map_put(&j->storages, key, holder, added);
}

/* A result that the backward gets as its tensor `holder`. A storage counts once, with all of its views. */
static void take_saved(struct joint *j, const struct result *result, uint32_t holder) {
    bool added;
    uint32_t *known = storage_in(j, result, holder, &added);
    if (!added && *known != MEMORY_NONE) {
        if (j->ends[holder] > j->ends[*known]) {
            j->held[holder] = j->held[*known];
            j->held[*known] = 0;
            *known = holder;
        }
        return;
    }
    *known = holder;
    int64_t *sum = result->input ? &j->forward->input_bytes : &j->forward->saved;
    if (__builtin_add_overflow(*sum, result->tensor.bytes, sum))
        *sum = INT64_MAX; /* of a hostile log */
    if (result->input)
        return;
    j->held[holder] = result->tensor.bytes;
    LIST_ADD(&j->saved, result->tensor);
    j->saved.items[j->saved.count - 1].result = !added;
}

static int by_line_bytes(const void *a, const void *b) {
    const struct saved_line *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    int file = slice_cmp(x->place.file, y->place.file);
    return file ? file : x->place.line < y->place.line ? -1 : x->place.line > y->place.line;
}

/* Whether a shape has a symbol: "(s77, 1024)". */
static bool is_symbolic(struct slice shape) {
    for (size_t i = 0; i < shape.len; i++)
        if ((shape.ptr[i] | 0x20) >= 'a' && (shape.ptr[i] | 0x20) <= 'z')
            return true;
    return false;
}

static void add_to_line(struct saved_line *line, const struct saved_tensor *tensor) {
    if (__builtin_add_overflow(line->bytes, tensor->bytes, &line->bytes))
        line->bytes = INT64_MAX; /* of a hostile log */
    if (tensor->result && __builtin_add_overflow(line->result_bytes, tensor->bytes, &line->result_bytes))
        line->result_bytes = INT64_MAX;
    line->symbolic |= is_symbolic(tensor->shape);
    line->tensors++;
}

/* Sums up all that the forward saves by line of source. */
static void sum_lines(struct model *model, struct graph_memory *forward, const struct saved_tensor *tensors,
                      size_t count) {
    LIST(struct saved_line) lines = {0};
    AUTO_MAP places = {0};
    AUTO_BUF key = {0};
    for (size_t i = 0; i < count; i++) {
        bool added;
        key.len = 0;
        BUF_ADD(&key, tensors[i].place.line, " ", tensors[i].place.file);
        uint32_t line = *map_put(&places, buf_slice(&key), (uint32_t)lines.count, &added);
        if (added)
            LIST_ADD(&lines, (struct saved_line){.place = tensors[i].place, .code = tensors[i].code});
        add_to_line(&lines.items[line], &tensors[i]);
    }
    LIST_SORT(&lines, by_line_bytes);
    forward->line_count = (uint32_t)(lines.count < MEMORY_LINES_MAX ? lines.count : MEMORY_LINES_MAX);
    forward->more_lines = (uint32_t)lines.count - forward->line_count;
    if (forward->line_count)
        forward->lines = ARENA_COPY(&model->arena, lines.items, forward->line_count);
    mem_free(lines.items);
}

/* Sets what the forward saves. Returns its bytes; -1: unknown. */
static int64_t join(struct model *model, const struct pending_result_list *results, const struct memory_scan *scan,
                    int64_t *held) {
    size_t numbers, tensors, first = match_results(results, scan, &numbers, &tensors);
    struct joint j = {.forward = &model->memories->list.items[results->memory], .held = held};
    if (first == SIZE_MAX)
        return -1;
    uint32_t *ends = ends_of(scan);
    bool added;
    j.ends = ends;
    j.forward->saved = j.forward->input_bytes = 0;
    for (size_t i = 0; i < first; i++)
        if (results->list.items[i].storage != MEMORY_NONE)
            storage_in(&j, &results->list.items[i], MEMORY_NONE, &added);
    for (size_t i = 0; i < tensors; i++)
        take_saved(&j, &results->list.items[first + i], scan->arguments.items[numbers + i].tensor);
    LIST_SORT(&j.saved, by_bytes);
    bool detailed = results->memory < DETAILED_MAX;
    size_t most = detailed ? MEMORY_SAVED_MAX : 0, count = j.saved.count < most ? j.saved.count : most;
    j.forward->value_count = (uint32_t)count;
    j.forward->more_values = (uint32_t)(j.saved.count - count);
    if (count)
        j.forward->values = ARENA_COPY(&model->arena, j.saved.items, count);
    if (detailed)
        sum_lines(model, j.forward, j.saved.items, j.saved.count);
    mem_free(j.saved.items);
    mem_free(ends);
    map_free(&j.storages);
    return j.forward->saved;
}

void graph_memory_add(struct model *model, uint32_t folder, const struct memory_scan *scan,
                      const struct kernel_scan *kernels) {
    struct graph_memories *memories = memories_in(model);
    uint32_t compile = model->folders.items[folder].compile, place = (uint32_t)memories->list.count;
    struct graph_memory memory = {.compile = compile,
                                  .artifact = (uint32_t)model->compiles.items[compile]->artifacts.count - 1,
                                  .graph = kernels_keep(model, kernels->graph),
                                  .unknown = scan->unknown,
                                  .unknown_line = scan->unknown_line,
                                  .saved = -1,
                                  .whole_peak = -1,
                                  .input_bytes = -1};
    if (place == GRAPH_MEMORIES_MAX) {
        memories->more++;
        return;
    }
    if (scan->unknown == MEMORY_KNOWN) {
        uint32_t device = main_device(scan);
        int64_t *held = NULL, saved = 0;
        struct pending_result_list *results =
            is_direction(kernels->graph, "backward") ? results_of(memories, compile, kernels->graph) : NULL;
        if (results) {
            held = mem_alloc((scan->tensors.count + 1) * sizeof *held);
            memset(held, 0, scan->tensors.count * sizeof *held);
            saved = join(model, results, scan, held);
            results->memory = MEMORY_NONE;
        }
        struct course start = {.scan = scan, .device = device, .held = held, .saved = saved > 0 ? saved : 0},
                      c = run(scan, device, held, start.saved);
        memory.net = c.live;
        memory.peak = c.peak;
        memory.peak_line = c.peak_line;
        memory.whole_peak = results && saved >= 0 ? c.whole_peak : -1;
        memory.fallback = kernels_keep(model, scan->fallback);
        if (device != MEMORY_NONE && (c.peak || scan->device_count == 1))
            memory.device = kernels_keep(model, scan->devices[device]);
        if (place < DETAILED_MAX) {
            keep_points(model, &memory, start);
            keep_buffers(model, &memory, &c);
        }
        mem_free(held);
    }
    ARENA_ADD(&model->arena, &memories->list, memory);
    if (scan->unknown == MEMORY_KNOWN && is_direction(kernels->graph, "forward"))
        remember_results(model, folder, scan, place);
}
