/* kernel_cached.h - the source lines of kernels whose code comes from a cache.
 *
 * Such code names the lines of the program, or of the function, that stored it. After an edit, or if two functions make
 * equal graphs, these are not the lines of the compile. */
#pragma once

#include "model/model.h"

/* Removes the lines of these kernels, unless the compile's own Dynamo graph has all of them, with the same text. Call it
 * once, when all records are read. */
void kernels_check_cached(struct model *model);
