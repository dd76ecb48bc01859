/* library.h - whether a file belongs to the user, or to Python, PyTorch or another package.
 *
 * This is the only such rule in the program; the page uses its result. The rule only sees the path, so it relies on how
 * packages are installed: site-packages, the folder of the standard library, PyTorch's own folders, generated code. A
 * folder that is merely named torch is not PyTorch. Pure; any thread. */
#pragma once

#include "base/base.h"

/* Whether the file does not belong to the user. True for the empty slice. */
bool is_library_file(struct slice file);

/* Whether the part of a path after a folder torch/ can only be PyTorch's: its private modules, and the folders of
 * torch.nn. PyTorch's guards name locations by such a part, because they leave out the prefix shared with PyTorch's own
 * path. */
bool is_inside_torch(struct slice rest);

/* Whether the file belongs to Python itself, whose code needs no graph. */
bool is_of_python(struct slice file);
/* Whether this is Lightning's file with LightningModule, whose `log` PyTorch does not trace. */
bool is_lightning_module(struct slice file);
