#include "cmd/log_paths.h"

#include <sys/stat.h>

#include "cmd/messages.h"
#include "cmd/notes.h"

char *input_fallback(const char **variable) {
    static const char name[] = "torch_compile_debug/tlparse";
    const char *trace = getenv("TORCH_TRACE"), *folder = getenv("TORCH_COMPILE_DEBUG_DIR");
    struct stat st;
    *variable = trace && trace[0] ? "TORCH_TRACE" : folder ? "TORCH_COMPILE_DEBUG_DIR" : NULL;
    if (trace && trace[0])
        return mem_strdup(trace);
    char *path = folder && folder[0] ? mem_printf("%s/%s", folder, name) : mem_strdup(name);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return path;
    mem_free(path);
    return NULL;
}

/* A run, and its position in the call. */
struct given {
    struct choice_group group;
    size_t argument;
};

static int by_argument(const void *a, const void *b) {
    const struct given *x = a, *y = b;
    if (x->argument != y->argument)
        return x->argument < y->argument ? -1 : 1;
    return x->group.first < y->group.first ? -1 : x->group.first > y->group.first;
}

/* The sides of a comparison are the first runs and the others, so the order of the call counts: a job must not come
 * before a log that precedes it. */
static void sort_as_given(struct choice *choice) {
    struct given *list = mem_alloc((choice->groups.count + 1) * sizeof *list);
    for (size_t i = 0; i < choice->groups.count; i++)
        list[i] = (struct given){choice->groups.items[i], choice->items[choice->groups.items[i].first].argument};
    if (choice->groups.count)
        qsort(list, choice->groups.count, sizeof *list, by_argument);
    for (size_t i = 0; i < choice->groups.count; i++)
        choice->groups.items[i] = list[i].group;
    mem_free(list);
}

bool input_choose(const struct options *options, struct choice *choice, struct err *err) {
    if (options->latest && options->all_ranks)
        return err_set(err, ERR_USAGE,
                       "--latest cannot be used with --all-ranks-html: one reads a single log, the other all");
    const char *variable = NULL;
    char *fallback = options->paths.count ? NULL : input_fallback(&variable);
    const struct choose_request request = {.paths = options->paths.items,
                                           .path_count = options->paths.count,
                                           .latest = options->latest,
                                           .compare = options->compare,
                                           .all_ranks = options->all_ranks,
                                           .one_run = options->one_run,
                                           .fallback = fallback,
                                           .fallback_variable = fallback ? variable : NULL};
    bool ok = choose_logs(&request, choice, err);
    mem_free(fallback);
    if (!ok)
        return false;
    if (options->base_count)
        sort_as_given(choice);
    notes_choice(choice, options->verbose);
    if (options->is_diff)
        return true;
    if (options->compare && choice->groups.count < 2)
        messages_print(stderr, "nothing to compare: --compare needs at least two runs, but there is only one log");
    else if (options->compare && choice->kind == CHOICE_RANKS && choice_has_rank(choice))
        messages_print(stderr,
                       "nothing to compare: --compare needs at least two runs, but all logs are ranks of one job");
    return true;
}
