/* settings.h - the configurations of all ranks, and the settings in which ranks differ.
 *
 * A configuration has some 900 settings and is mostly the same in all ranks: texts are kept once for all of them, and of each
 * rank a pair of numbers a setting. Taking is safe from any thread; comparing is one thread's, when all are taken. What is
 * written does not depend on the order in which ranks were taken. */
#ifndef TLPARSE_RANKS_SETTINGS_H
#define TLPARSE_RANKS_SETTINGS_H

#include "base/buf.h"
#include "ranks/facts.h"

struct rank_settings;

struct rank_settings *rank_settings_create(void);
void rank_settings_destroy(struct rank_settings *settings);

/* The rank's settings, of the first 64 keys of Inductor's cache, which have what torch.compile(mode=, options=) sets, and of its first 64 configurations of a kind (CONFIGS_COMPARED_MAX). Noise (base/noise.h) and numbers behind the word rank are left out of their strings. */
void rank_settings_take(struct rank_settings *settings, struct rank_facts *facts, const struct model *model);

/* Gives each of the facts, in the order of ranks, its `apart`, and adds the array rank_config_differences of report.json to the
 * buffer: by kind and name, at most 1,000 (CONFIG_DIFFERENCES_MAX). No difference is
 *   a whole number that follows the rank: each its rank's number plus the same number, which is that of a port, or of at
 *   least three ranks (ports, devices);
 *   a string of which each of at least three ranks has one of its own (paths, names of hosts);
 *   a rank that has some of the values of another one, and fewer compiles, or a log that ends within one;
 *   a rank that has no configuration of this kind at all. */
void rank_settings_compare(const struct rank_settings *settings, struct rank_facts *const *facts, size_t count,
                           struct buf *differences);

#endif
