/* fetch.h - reads logs at addresses, such as s3://bucket/key, with the user's programs.
 *
 * The configuration has a command for each scheme. Its argument "{url}" becomes the address, and its standard output is
 * the log, which is read as a stream. No shell is involved, and an address begins with its scheme, so it cannot become an
 * option. If a program fails, or prints nothing within the time limit, the log ends like a truncated file. */
#pragma once

#include "hooks/config.h"
#include "trace/source.h"

struct fetcher {
    struct source_remote remote;      /* the first member */
    const struct user_config *config; /* of the caller */
};

/* The configuration must outlive the fetcher, which must outlive its streams. */
void fetcher_init(struct fetcher *fetcher, const struct user_config *config);
