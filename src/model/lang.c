#include "model/lang.h"

#include <stddef.h>

const char *lang_name(enum lang lang) {
    static const char *const names[LANGS] = {
        [LANG_NONE] = NULL,   [LANG_TEXT] = "text",   [LANG_PYTHON] = "python", [LANG_CPP] = "cpp",
        [LANG_JSON] = "json", [LANG_GRAPH] = "graph", [LANG_GUARDS] = "guards",
    };
    return names[lang];
}
