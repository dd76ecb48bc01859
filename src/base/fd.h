/* fd.h - reading and writing all of a part of a file. A file system may return less than was asked for, or be interrupted by a signal; the end
 * of the file is where a call returns nothing. Any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Reads from the offset, up to the end of the file. Returns the number of bytes, or -1 with errno. */
ssize_t fd_read_at(int fd, void *to, size_t bytes, uint64_t offset);

/* Write all bytes, at the offset or at that of fd. Return false with errno. */
bool fd_write_at(int fd, const char *from, size_t bytes, uint64_t offset);
bool fd_write_all(int fd, const char *from, size_t bytes);

/* Raises the limit of open files of the process to `wanted`, or as far as it may. Returns the limit. The usual one of
 * 1024 is meant for programs that use select(). */
size_t fd_allow(size_t wanted);

/* Gives a file or folder the mode and, if permitted, the owner of the one that it replaces. */
void fd_take_mode(int fd, const struct stat *replaced);
