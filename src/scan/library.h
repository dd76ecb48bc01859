/* library.h - whether a file belongs to the user, or to Python, PyTorch or another package.
 *
 * This is the only such rule of the program; the page uses its result. It only has the path, so it relies on how
 * packages are installed: site-packages, the folder of the standard library, PyTorch's own folders, generated code. A
 * folder that is just named torch is not PyTorch. Pure; any thread. */
#pragma once

#include "base/base.h"

/* Whether the file is not the user's. True for the empty slice. */
bool is_library_file(struct slice file);

/* Whether the part of a path after a folder torch/ can only be PyTorch's: its private modules, and the folders of its
 * nn. PyTorch's guards name places by such a part, because it leaves out what the path has in common with its own. */
bool is_inside_torch(struct slice rest);

/* Whether Python itself has the file: what it does needs no graph. */
bool is_of_python(struct slice file);
/* Whether it is Lightning's file of LightningModule, whose `log` PyTorch does not trace. */
bool is_lightning_module(struct slice file);
