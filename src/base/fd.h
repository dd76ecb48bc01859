/* fd.h - complete reads and writes. Repeats calls that a signal interrupts or that transfer less than requested; only a
 * read that returns nothing is the end of the file. Any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Reads from the offset, up to the end of the file. Returns the number of bytes, or -1 with errno. */
ssize_t fd_read_at(int fd, void *to, size_t bytes, uint64_t offset);

/* Write all bytes, at the given offset or at the current one of fd. Return false with errno. */
bool fd_write_at(int fd, const char *from, size_t bytes, uint64_t offset);
bool fd_write_all(int fd, const char *from, size_t bytes);

/* Raises the process's limit on open files to `wanted`, or as far as permitted. Returns the limit. The usual 1024
 * exists only for programs that use select(). */
size_t fd_allow(size_t wanted);

/* Gives a file or folder the mode and, if permitted, the owner of the one that it replaces. */
void fd_take_mode(int fd, const struct stat *replaced);
