/* library.h - whose code a file holds: the user's, or that of Python, PyTorch or another package.
 *
 * The one rule of the program; the page shows its verdict and has none of its own. It knows a path and nothing else, so it goes by
 * how things are installed: site-packages, the standard library's folder, PyTorch's own folders, code that was generated. A folder
 * that is merely called torch is not PyTorch. Pure; any thread. */
#ifndef TLPARSE_SCAN_LIBRARY_H
#define TLPARSE_SCAN_LIBRARY_H

#include "base/slice.h"

/* Whether the file is not the user's. True for the empty slice: nobody's line to look at. */
bool is_library_file(struct slice file);

#endif
