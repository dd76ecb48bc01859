/* Redacts standard input, as a part of the data of a report or as the text of an artifact: redact_text paths,names json|text. For cost.py, which counts
 * its instructions. */
#include <stdio.h>
#include <stdlib.h>

#include "share/redact.h"

int main(int argc, char **argv) {
    struct buf input = {0}, out = {0};
    struct redact redact;
    struct err err = {0};
    unsigned what;
    size_t len;
    char part[4096];
    if (argc != 3 || !redact_parse(argv[1], &what, &err))
        return 2;
    while ((len = fread(part, 1, sizeof part, stdin)))
        buf_add(&input, slice_make(part, len));
    redact_init(&redact, what);
    bool ok = true;
    if (strcmp(argv[2], "json") == 0) {
        ok = redact_learn(&redact, buf_slice(&input)) && redact_json(&redact, buf_slice(&input), &out);
    } else {
        redact_places_add(&redact.places, SLICE("d"), 0, input.len, REDACT_TEXT);
        redact_stream(&redact, SLICE("d"), buf_slice(&input), &out);
    }
    fwrite(out.ptr, 1, out.len, stdout);
    redact_finish(&redact);
    buf_free(&input);
    buf_free(&out);
    return ok ? 0 : 1;
}
