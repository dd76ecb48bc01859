/* launcher.h - how the program `tlparse` of a wheel, which only runs `tlp`, is recognized (packaging/launcher.c). */
#ifndef TLPARSE_BASE_LAUNCHER_H
#define TLPARSE_BASE_LAUNCHER_H

#define LAUNCHER_MARK "tlparse: runs the program tlp of the package tlparse-c"
enum { LAUNCHER_MAX_BYTES = 256 * 1024 };

#endif
