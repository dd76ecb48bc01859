#include "cmd/facts_output.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *facts_host(void) {
    char name[256] = {0};
    if (gethostname(name, sizeof name - 1) != 0 || !name[0])
        return mem_strdup("localhost");
    return mem_strdup(name);
}

char *facts_path(const char *out, const char *host) {
    struct stat st;
    AUTO_BUF name = {0};
    bool folder = out && strcmp(out, "-") != 0 &&
                  ((stat(out, &st) == 0 && S_ISDIR(st.st_mode)) || slice_ends(slice_str(out), SLICE("/")));
    if (out && !folder)
        return mem_strdup(out);
    path_add_name(&name, slice_str(host));
    char *path = mem_printf("%s%s%.*s.facts", out ? out : "", out && !slice_ends(slice_str(out), SLICE("/")) ? "/" : "",
                            SLICE_ARG(buf_slice(&name)));
    return path;
}

int64_t facts_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
