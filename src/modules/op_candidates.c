#include "modules/op_items.h"

#include "base/path.h"
#include "modules/code_line.h"

enum { ROUNDS_MAX = 4, SILENT_MAX = 1024, FILES_MAX = 16, FUNCTIONS_KEPT = 4 };

/* The latest lines of a module's functions. */
struct latest {
    uint32_t function[FUNCTIONS_KEPT], line[FUNCTIONS_KEPT], next;
};

struct known_module_line {
    struct known_line line;
    uint32_t module;
};

struct finder {
    struct op_items *items;
    LIST(uint32_t) silent; /* modules without anchors that may run code of the user, in the order of the tree */
    LIST(struct known_module_line) base; /* from guards and the compiled frame */
    struct known_lines lines;            /* in the files of their classes */
    struct known_lines inherited;        /* in other files: other classes may have the same base class */
    uint32_t *passed;                    /* by module: the latest operation, from 1, on whose way it is */
    LIST(uint32_t) gathered;             /* for the operation at hand */
    struct map class_files;              /* "transformers/models/gpt2/modeling_gpt2" → number from 1 */
    uint32_t *file_of_class;             /* by module: that number; 0: unknown */
    uint32_t *fits;                      /* by file: the numbers that its path ends with, FILES_MAX of each */
};

/* The file of a class, as a path without its suffix: "a/b" of "a.b.C". Empty: the name does not tell it. */
static struct slice class_file(struct slice class, struct buf *path) {
    size_t dot = slice_rfind_byte(class, '.');
    struct slice room = slice_first(class, dot == SIZE_MAX ? 0 : dot);
    size_t inner = slice_rfind_byte(room, '.');
    struct slice last = inner == SIZE_MAX ? room : slice_from(room, inner + 1);
    if (!room.len || slice_starts(class, SLICE("__main__")) || slice_starts(class, SLICE("torch.distributed.")) ||
        slice_find(class, SLICE("<locals>")) != SIZE_MAX || (last.len && last.ptr[0] >= 'A' && last.ptr[0] <= 'Z'))
        return (struct slice){0};
    for (size_t i = 0; i < room.len; i++)
        buf_add_byte(path, room.ptr[i] == '.' ? '/' : room.ptr[i]);
    return buf_slice(path);
}

static void number_class_files(struct finder *finder) {
    const struct module_tree *tree = finder->items->tree;
    finder->file_of_class = mem_zalloc(tree->list.count, sizeof *finder->file_of_class);
    for (uint32_t i = 0; i < tree->list.count; i++) {
        AUTO_BUF path = {0};
        struct slice file = class_file(tree->list.items[i].class, &path);
        if (file.len)
            finder->file_of_class[i] = op_items_number(&finder->class_files, file);
    }
}

/* The classes' files that a path is: "/x/transformers/models/gpt2/modeling_gpt2.py". */
static void fit_path(struct finder *finder, struct slice path, uint32_t *fits) {
    uint32_t count = 0;
    int steps = 0;
    if (!slice_cut_end(&path, SLICE("/__init__.py")))
        slice_cut_end(&path, SLICE(".py"));
    for (size_t at = path.len; at-- > 0 && count < FILES_MAX && steps < 2 * FILES_MAX;) {
        if (path.ptr[at] != '/')
            continue;
        steps++;
        uint32_t number = map_get(&finder->class_files, slice_from(path, at + 1));
        if (number != MAP_NONE)
            fits[count++] = number;
    }
}

static void fit_files(struct finder *finder) {
    const struct op_items *items = finder->items;
    const struct module_graph *graph = &items->records->graph;
    finder->fits = mem_zalloc((items->files.count + 1) * FILES_MAX, sizeof *finder->fits);
    for (uint32_t i = 0; i < graph->place_count; i++) {
        uint32_t file = map_get(&items->files, graph->places[i].file);
        if (file != MAP_NONE && !finder->fits[file * FILES_MAX])
            fit_path(finder, graph->places[i].file, &finder->fits[file * FILES_MAX]);
    }
}

enum fit { FIT_NO, FIT_UNKNOWN, FIT_YES };

/* Whether the file is that of the module's class. */
static enum fit path_fit(const struct finder *finder, uint32_t module, uint32_t file) {
    uint32_t own = finder->file_of_class[module];
    for (int i = 0; own && i < FILES_MAX; i++)
        if (finder->fits[file * FILES_MAX + i] == own)
            return FIT_YES;
    return own ? FIT_NO : FIT_UNKNOWN;
}

/* Whether the module's class has code in the file: it is the class's own file, or a line of it is known there, as that of a base class. */
static enum fit fit_of(const struct finder *finder, uint32_t module, uint32_t file) {
    uint32_t class = finder->items->class_of[module];
    if (known_lines_have(&finder->lines, file, class) || known_lines_have(&finder->inherited, file, class))
        return FIT_YES;
    return path_fit(finder, module, file);
}

/* The files of the graph by their last part, to find those whose path a guard has cut. */
struct cut_files {
    struct map names;
    uint32_t *next; /* by file; 0: none */
    struct slice *paths;
};

static void index_files(const struct finder *finder, struct cut_files *files) {
    const struct op_items *items = finder->items;
    const struct module_graph *graph = &items->records->graph;
    files->next = mem_zalloc(items->files.count + 1, sizeof *files->next);
    files->paths = mem_zalloc(items->files.count + 1, sizeof *files->paths);
    for (uint32_t i = 0; i < graph->place_count; i++) {
        uint32_t file = map_get(&items->files, graph->places[i].file);
        if (file == MAP_NONE || files->paths[file].ptr)
            continue;
        files->paths[file] = graph->places[i].file;
        uint32_t *head = map_put(&files->names, path_last(graph->places[i].file), 0, NULL);
        files->next[file] = *head;
        *head = file;
    }
}

static void add_guard_lines(struct finder *finder) {
    struct op_items *items = finder->items;
    struct cut_files files = {0};
    index_files(finder, &files);
    for (size_t i = 0; i < items->records->accesses.count; i++) {
        const struct guard_access *access = &items->records->accesses.items[i];
        uint32_t module = module_tree_find(items->tree, access->module);
        uint32_t file = map_get(&files.names, path_last(access->file));
        int tries = 0;
        if (module == MODULE_NONE || op_items_hidden(items, module) || access->line > UINT32_MAX)
            continue;
        for (; file && file != MAP_NONE && tries < FILES_MAX; file = files.next[file], tries++) {
            AUTO_BUF function = {0};
            if (!slice_ends(files.paths[file], access->file))
                continue;
            BUF_ADD(&function, files.paths[file], " ", access->function);
            struct known_line line = {file, (uint32_t)access->line, items->class_of[module],
                                      op_items_number(&items->functions, buf_slice(&function))};
            LIST_ADD(&finder->base, (struct known_module_line){line, module});
        }
    }
    map_free(&files.names);
    mem_free(files.next);
    mem_free(files.paths);
}

static void add_frame_line(struct finder *finder, const struct place *frame) {
    struct op_items *items = finder->items;
    uint32_t file = frame->file.ptr ? map_get(&items->files, frame->file) : MAP_NONE;
    AUTO_BUF function = {0};
    if (file == MAP_NONE || frame->line > UINT32_MAX)
        return;
    BUF_ADD(&function, frame->file, " ", frame->function);
    struct known_line line = {file, (uint32_t)frame->line, items->class_of[0],
                              op_items_number(&items->functions, buf_slice(&function))};
    LIST_ADD(&finder->base, (struct known_module_line){line, 0});
}

static void learn(struct finder *finder, struct known_line line, uint32_t module) {
    known_lines_add(path_fit(finder, module, line.file) == FIT_NO ? &finder->inherited : &finder->lines, line);
}

/* Lines are known from the base, and from operations with one candidate. */
static void learn_lines(struct finder *finder) {
    const struct op_items *items = finder->items;
    finder->lines.list.count = finder->inherited.list.count = 0;
    for (size_t i = 0; i < finder->base.count; i++)
        learn(finder, finder->base.items[i].line, finder->base.items[i].module);
    for (uint32_t i = 0; i < items->count; i++) {
        const struct op_item *item = &items->list[i];
        if (item->count != 1 || item->vague || !item->at.file)
            continue;
        struct known_line line = item->at;
        uint32_t module = items->candidates.items[item->first].module;
        line.class = items->class_of[module];
        learn(finder, line, module);
    }
    known_lines_sort(&finder->lines);
    known_lines_sort(&finder->inherited);
}

/* Whether code may come back to a module after it has left it. */
static bool runs_again(const struct op_items *items, uint32_t module) {
    return module && (!items->anchored[module] || !items->once[module]);
}

/* The nearest module with code of the user that is this one, or has it. */
static uint32_t visible(const struct op_items *items, uint32_t module) {
    while (module && op_items_hidden(items, module))
        module = items->tree->list.items[module].parent;
    return module;
}

static size_t first_silent(const struct finder *finder, uint32_t module) {
    size_t low = 0, high = finder->silent.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (finder->silent.items[middle] < module)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void pass(struct finder *finder, uint32_t module, uint32_t stamp) {
    finder->passed[module] = stamp;
    LIST_ADD(&finder->gathered, module);
}

/* Whether the program can be in a module without anchors: the nearest one above with anchors is on the way, or runs again. */
static bool is_reachable(const struct finder *finder, uint32_t module, uint32_t stamp) {
    while (module && !finder->items->anchored[module] && finder->passed[module] != stamp)
        module = finder->items->tree->list.items[module].parent;
    return finder->passed[module] == stamp || runs_again(finder->items, module);
}

/* Modules in whose code an operation between two anchors may be: those that the program leaves or enters on the way from the one to the
 * other, and those below the highest of them that have no anchor. */
static void gather(struct finder *finder, struct op_item *item) {
    const struct op_items *items = finder->items;
    const struct module *modules = items->tree->list.items;
    uint32_t common = visible(items, module_tree_common(items->tree, item->before, item->after)), top = common;
    uint32_t ends[] = {item->before, item->after};
    uint32_t stamp = (uint32_t)(item - items->list) + 1;
    finder->gathered.count = 0;
    pass(finder, common, stamp);
    for (int e = 0; e < 2; e++)
        for (uint32_t m = ends[e]; m != common && module_has(items->tree, common, m); m = modules[m].parent)
            pass(finder, m, stamp);
    while (runs_again(items, top)) {
        top = modules[top].parent;
        pass(finder, top, stamp);
    }
    size_t first = first_silent(finder, top);
    for (size_t i = first; i < finder->silent.count && finder->silent.items[i] < modules[top].end; i++) {
        item->vague |= i - first == SILENT_MAX;
        if (item->vague)
            break;
        if (is_reachable(finder, finder->silent.items[i], stamp))
            LIST_ADD(&finder->gathered, finder->silent.items[i]);
    }
}

static void add_candidate(struct op_items *items, struct op_item *item, uint32_t module) {
    LIST_ADD(&items->candidates, (struct candidate){.module = module});
    item->count++;
}

/* Without those of other files, if the file is that of one. */
static void add_gathered(struct finder *finder, struct op_item *item) {
    struct op_items *items = finder->items;
    bool sure = false;
    for (size_t i = 0; i < finder->gathered.count; i++) {
        uint32_t module = finder->gathered.items[i];
        sure |= item->at.file && !op_items_hidden(items, module) && fit_of(finder, module, item->at.file) == FIT_YES;
    }
    for (size_t i = 0; i < finder->gathered.count; i++) {
        uint32_t module = finder->gathered.items[i];
        if (op_items_hidden(items, module) || (sure && fit_of(finder, module, item->at.file) == FIT_NO))
            continue;
        item->vague |= item->count == CANDIDATES_MAX;
        if (item->count < CANDIDATES_MAX)
            add_candidate(items, item, module);
    }
    if (item->vague || !item->count) { /* the one that has all others */
        item->count = 0;
        items->candidates.count = item->first;
        add_candidate(items, item, finder->gathered.items[0]);
        for (size_t i = 1; item->vague && i < finder->gathered.count; i++)
            items->candidates.items[item->first].module =
                module_tree_common(items->tree, items->candidates.items[item->first].module, finder->gathered.items[i]);
    }
}

/* The code that calls a module of torch.nn is that of the nearest module with code of the user if the line has the module's name; otherwise, it
 * may be that of any module above. */
static void add_callers(struct op_items *items, struct op_item *item) {
    const struct module *modules = items->tree->list.items;
    bool named = code_line_calls(item->code, op_items_called_name(items->tree, item->anchor));
    uint32_t module = item->anchor;
    do {
        module = modules[module].parent == MODULE_NONE ? module : visible(items, modules[module].parent);
        add_candidate(items, item, module);
    } while (!named && modules[module].parent != MODULE_NONE && item->count < CANDIDATES_MAX);
}

static void add_candidates(struct finder *finder, struct op_item *item) {
    item->first = (uint32_t)finder->items->candidates.count;
    if (item->anchor == MODULE_NONE) {
        gather(finder, item);
        add_gathered(finder, item);
    } else if (item->leaf) {
        add_callers(finder->items, item);
    } else {
        add_candidate(finder->items, item, item->anchor);
    }
}

/* An operation with a tensor of a module, in a line that can only be of the module's class, is the module's: a call that goes over several lines does
 * not say in the first one that it reads the tensor of `self`. */
static bool is_own_line(const struct finder *finder, const struct op_item *item) {
    const struct op_items *items = finder->items;
    const struct module *modules = items->tree->list.items;
    if (item->anchor != MODULE_NONE || item->owner == MODULE_NONE || !item->at.file ||
        op_items_hidden(items, item->owner) || items->twin[item->owner] || !op_items_runs(items, item, item->owner))
        return false;
    struct line_range range = known_lines_around(&finder->lines, &item->at);
    uint32_t class = items->class_of[item->owner];
    bool own = line_range_proves(&range, class) || (fit_of(finder, item->owner, item->at.file) == FIT_YES &&
                                                    line_range_allows(&finder->lines, &range, &item->at, class));
    for (uint32_t m = modules[item->owner].parent; m != MODULE_NONE && own; m = modules[m].parent)
        if (!op_items_hidden(items, m))
            own = items->class_of[m] != class &&
                  (line_range_proves(&range, class) || fit_of(finder, m, item->at.file) == FIT_NO ||
                   !line_range_allows(&finder->lines, &range, &item->at, items->class_of[m]));
    return own && op_items_owns_all(items, item) && !op_items_reads_others(items, item);
}

/* A line of forward() in the code of one module: it was called. */
static void note_runs(struct op_items *items) {
    for (uint32_t i = 0; i < items->count && !items->tree->calls_known; i++) {
        const struct op_item *item = &items->list[i];
        if (item->forward && item->count == 1 && !item->vague)
            items->runs[items->candidates.items[item->first].module] = true;
    }
}

static void find_own_lines(struct finder *finder) {
    struct op_items *items = finder->items;
    bool any = false;
    for (uint32_t i = 0; i < items->count; i++) {
        struct op_item *item = &items->list[i];
        if (!is_own_line(finder, item))
            continue;
        item->anchor = item->owner;
        add_candidates(finder, item);
        any = true;
    }
    if (any) {
        op_items_update(items);
        learn_lines(finder);
    }
}

static void find_silent(struct finder *finder) {
    const struct op_items *items = finder->items;
    for (uint32_t i = 1; i < items->tree->list.count; i++)
        if (!items->anchored[i] && !items->tree->list.items[i].from_torch &&
            (!items->tree->calls_known || items->runs[i]))
            LIST_ADD(&finder->silent, i);
}

static void note_latest(struct latest *latest, const struct known_line *at) {
    uint32_t k = 0;
    while (k < FUNCTIONS_KEPT && latest->function[k] != at->function)
        k++;
    if (k == FUNCTIONS_KEPT) {
        k = latest->next;
        latest->next = (k + 1) % FUNCTIONS_KEPT;
        latest->function[k] = at->function;
    }
    latest->line[k] = at->line;
}

static uint32_t line_of(const struct latest *latest, const struct known_line *at) {
    for (int k = 0; k < FUNCTIONS_KEPT; k++)
        if (latest->function[k] == at->function)
            return latest->line[k];
    return 0;
}

/* Sets the nearest lines before or after each operation, for each of its candidates. */
static void find_neighbors(struct op_items *items, bool before) {
    struct latest *latest = mem_zalloc(items->tree->list.count, sizeof *latest);
    for (uint32_t k = 0; k < items->count; k++) {
        const struct op_item *item = &items->list[before ? k : items->count - 1 - k];
        if (!item->at.file)
            continue;
        for (uint32_t c = item->first; c < item->first + item->count; c++) {
            struct candidate *candidate = &items->candidates.items[c];
            *(before ? &candidate->low : &candidate->high) = line_of(&latest[candidate->module], &item->at);
        }
        if (item->count == 1 && !item->vague)
            note_latest(&latest[items->candidates.items[item->first].module], &item->at);
    }
    mem_free(latest);
}

/* Between two lines of one call of a module, its code only goes forward, unless it loops: then the later line is not below. */
static bool is_in_order(const struct op_items *items, const struct candidate *candidate, uint32_t line) {
    if (candidate->low && candidate->high)
        return candidate->low >= candidate->high || (candidate->low <= line && line <= candidate->high);
    if (runs_again(items, candidate->module))
        return true;
    return !(candidate->high && line > candidate->high) && !(candidate->low && line < candidate->low);
}

/* Keeps the candidates of which `keep` is set, unless that is none. Returns whether any is dropped. */
static bool keep_some(struct op_items *items, struct op_item *item, const bool *keep) {
    struct candidate *list = items->candidates.items + item->first;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < item->count; c++)
        kept += keep[c];
    if (!kept || kept == item->count)
        return false;
    kept = 0;
    for (uint32_t c = 0; c < item->count; c++)
        if (keep[c])
            list[kept++] = list[c];
    item->count = kept;
    return true;
}

static bool narrow(struct finder *finder, struct op_item *item) {
    struct op_items *items = finder->items;
    const struct candidate *list = items->candidates.items + item->first;
    struct line_range range = known_lines_around(&finder->lines, &item->at);
    bool keep[CANDIDATES_MAX] = {false}, changed = false;
    if (line_range_proves_any(&range)) {
        for (uint32_t c = 0; c < item->count; c++)
            keep[c] = line_range_proves(&range, items->class_of[list[c].module]);
        changed |= keep_some(items, item, keep);
    }
    for (uint32_t c = 0; c < item->count; c++)
        keep[c] = line_range_allows(&finder->lines, &range, &item->at, items->class_of[list[c].module]);
    changed |= keep_some(items, item, keep);
    for (uint32_t c = 0; c < item->count; c++)
        keep[c] = is_in_order(items, &list[c], item->at.line);
    return keep_some(items, item, keep) || changed;
}

static bool any_open(const struct op_items *items) {
    for (uint32_t i = 0; i < items->count; i++)
        if (items->list[i].count > 1 && items->list[i].at.file)
            return true;
    return false;
}

/* Returns whether there may be more to find. */
static bool narrow_all(struct finder *finder) {
    struct op_items *items = finder->items;
    bool changed = false;
    learn_lines(finder);
    find_neighbors(items, true);
    find_neighbors(items, false);
    for (uint32_t i = 0; i < items->count; i++) {
        struct op_item *item = &items->list[i];
        if (item->count > 1 && item->at.file)
            changed |= narrow(finder, item);
    }
    return changed;
}

static void mark_classes(const struct known_lines *lines, bool *coded, size_t classes) {
    for (size_t i = 0; i < lines->list.count; i++)
        if (lines->list.items[i].class <= classes)
            coded[lines->list.items[i].class] = true;
}

/* Finds the modules whose classes have code of their own. */
static void note_coded(struct finder *finder) {
    struct op_items *items = finder->items;
    bool *coded = mem_zalloc(items->classes.count + 1, sizeof *coded);
    learn_lines(finder);
    mark_classes(&finder->lines, coded, items->classes.count);
    mark_classes(&finder->inherited, coded, items->classes.count);
    for (uint32_t i = 0; i < items->tree->list.count; i++)
        items->coded[i] = items->class_of[i] <= items->classes.count && coded[items->class_of[i]];
    mem_free(coded);
}

void op_candidates_find(struct op_items *items, const struct place *frame) {
    struct finder finder = {.items = items};
    number_class_files(&finder);
    fit_files(&finder);
    add_guard_lines(&finder);
    add_frame_line(&finder, frame);
    for (uint32_t i = 0; i < items->count; i++)
        if (items->list[i].anchor != MODULE_NONE)
            add_candidates(&finder, &items->list[i]);
    learn_lines(&finder);
    note_runs(items);
    finder.passed = mem_zalloc(items->tree->list.count, sizeof *finder.passed);
    find_own_lines(&finder);
    find_silent(&finder);
    for (uint32_t i = 0; i < items->count; i++)
        if (items->list[i].anchor == MODULE_NONE)
            add_candidates(&finder, &items->list[i]);
    for (int round = 0; round < ROUNDS_MAX && any_open(items); round++)
        if (!narrow_all(&finder))
            break;
    note_runs(items);
    note_coded(&finder);
    mem_free(finder.silent.items);
    mem_free(finder.gathered.items);
    mem_free(finder.passed);
    mem_free(finder.base.items);
    known_lines_free(&finder.lines);
    known_lines_free(&finder.inherited);
    map_free(&finder.class_files);
    mem_free(finder.file_of_class);
    mem_free(finder.fits);
}
