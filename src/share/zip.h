/* zip.h - a zip archive of a whole report, or of a few files.
 *
 * The archive of a report contains every regular file of the report, including raw.log, below the folder ZIP_FOLDER, so
 * unpacking creates one folder. The archive only depends on the content: sorted paths, one fixed time, one mode. Paths
 * are relative, without "..", in UTF-8.
 *
 * minizip writes it: it streams files of any size (zip64), and depends on nothing but zlib, which is linked anyway. libzip has no static library in
 * Debian and brings libcrypto for encryption; libarchive brings libxml2, ICU and a C++ runtime for formats that are not needed here. */
#pragma once

#include "share/tree.h"

#define ZIP_FOLDER "tlparse_report"

/* Writes the archive to a seekable file. */
bool zip_write(const struct tree *tree, FILE *to, struct err *err);

struct zip_member {
    const char *path;
    struct slice content;
};
/* Writes an archive of these files. */
bool zip_write_members(const struct zip_member *members, size_t count, FILE *to, struct err *err);
