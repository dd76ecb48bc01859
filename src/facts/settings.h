/* settings.h - the configurations of all ranks, and the settings in which ranks differ.
 *
 * A configuration has about 900 settings, which are usually equal on all ranks. Texts are stored once for all ranks,
 * and each rank has a pair of numbers per setting. Ranks with equal pairs share them, so the settings must outlive what
 * uses the facts of the ranks. Any thread may take settings. Comparing is done on one thread after all settings have
 * been taken. The output does not depend on the order in which ranks were taken. */
#pragma once

#include "facts/rank_facts.h"

struct rank_settings;

struct rank_settings *rank_settings_create(void);
void rank_settings_destroy(struct rank_settings *settings);

/* Takes the rank's settings from the first 64 keys of Inductor's cache, which include what torch.compile(mode=,
 * options=) sets, and from its first 64 configurations of each kind (CONFIGS_COMPARED_MAX). Noise (base/noise.h) and
 * numbers after the word rank are removed from strings. */
void rank_settings_take(struct rank_settings *settings, struct rank_facts *facts, const struct model *model);

/* The texts of a pair: the name of the setting, and its value as JSON. */
void rank_pair_texts(const struct rank_settings *settings, struct rank_pair pair, struct slice *name,
                     struct slice *value);
/* Adds a pair with these texts to the list, which lives in the arena. Returns false for an unknown kind. Call
 * rank_pairs_sort() after the last one. */
struct rank_pairs {
    LIST(struct rank_pair) list;
};
bool rank_pairs_add(struct rank_settings *settings, struct rank_pairs *pairs, struct arena *arena, uint32_t kind,
                    struct slice name, struct slice value);
void rank_pairs_sort(struct rank_pairs *pairs);

/* Sets `apart` in the facts of each rank, and adds the array rank_config_differences of report.json to the buffer: by
 * kind and name, at most 1,000 (CONFIG_DIFFERENCES_MAX). Facts are in the order of ranks. These are not differences:
 *   an integer that follows the rank: the rank's number plus a constant, if that is in the range of ports, or for at
 *   least three ranks (ports, devices);
 *   a string that is different on each of at least three ranks (paths, host names);
 *   a rank with only some of the values of another one, if it has fewer compiles, or its log ends within one;
 *   a rank without a configuration of this kind. */
void rank_settings_compare(const struct rank_settings *settings, struct rank_facts *const *facts, size_t count,
                           struct buf *differences);
