/* plain_pass.c - reads a JSON file and parses it with yyjson, for comparison: bench/profiles.py. */
#include <stdio.h>
#include <yyjson.h>

int main(int argc, char **argv) {
    yyjson_read_err err;
    yyjson_doc *doc = argc == 2 ? yyjson_read_file(argv[1], 0, NULL, &err) : NULL;
    if (!doc)
        return 1;
    printf("%zu values\n", yyjson_doc_get_val_count(doc));
    yyjson_doc_free(doc);
    return 0;
}
