#include "cmd/input.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/messages.h"
#include "cmd/notes.h"

bool input_choose(const struct options *options, struct choice *choice, struct err *err) {
    const struct choose_request request = {.paths = options->paths.items,
                                           .path_count = options->paths.count,
                                           .latest = options->latest,
                                           .compare = options->compare,
                                           .all_ranks = options->all_ranks,
                                           .fallback = getenv("TORCH_TRACE")};
    if (options->latest && options->all_ranks)
        return err_set(err, ERR_USAGE,
                       "--latest cannot be used with --all-ranks-html: one reads a single log, the other all");
    if (!choose_logs(&request, choice, err))
        return false;
    notes_choice(choice, options->verbose);
    if (options->compare && choice->groups.count < 2)
        messages_print(stderr, "nothing to compare: --compare needs at least two runs, but there is only one log");
    else if (options->compare && choice->kind == CHOICE_RANKS && choice_has_rank(choice))
        messages_print(stderr,
                       "nothing to compare: --compare needs at least two runs, but all logs are ranks of one job");
    return true;
}
