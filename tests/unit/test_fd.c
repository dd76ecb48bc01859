#include "support.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"

static int file_with(const char *text) {
    FILE *file = tmpfile();
    assert_non_null(file);
    int fd = dup(fileno(file));
    fclose(file);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    return fd;
}

static void reads_up_to_the_end(void **state) {
    char bytes[8];
    int fd = file_with("0123456789");
    (void)state;
    assert_int_equal(fd_read_at(fd, bytes, 4, 3), 4);
    assert_memory_equal(bytes, "3456", 4);
    assert_int_equal(fd_read_at(fd, bytes, sizeof bytes, 7), 3);
    assert_memory_equal(bytes, "789", 3);
    assert_int_equal(fd_read_at(fd, bytes, sizeof bytes, 10), 0);
    assert_int_equal(fd_read_at(fd, bytes, 0, 0), 0);
    close(fd);
}

static void says_why_it_cannot(void **state) {
    char byte;
    (void)state;
    errno = 0;
    assert_int_equal(fd_read_at(-1, &byte, 1, 0), -1);
    assert_int_equal(errno, EBADF);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_up_to_the_end),
        cmocka_unit_test(says_why_it_cannot),
    };
    return cmocka_run_group_tests_name("fd", tests, NULL, NULL);
}
