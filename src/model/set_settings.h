/* set_settings.h - the settings that fx_graph_runnable sets.
 *
 * That program repeats the compile of one graph, so it sets each setting of Dynamo, Inductor and AOTAutograd that was
 * set at that moment: by the program, by an environment variable, by torch.compile(mode=, options=) or by PyTorch
 * itself. Other records only have the configuration in the metrics, which lacks settings of a single compile. Settings
 * that PyTorch sets in every compile are left out. Each distinct value is stored once. One thread. */
#pragma once

#include "model/model.h"

enum { SET_SETTINGS_MAX = 4096, SET_VALUE_MAX = 400 }; /* distinct values in a log; bytes of a value */

struct set_setting {
    enum config_kind kind;
    struct slice name;
    struct slice value;   /* as JSON: a number, boolean, null or text; for any other value, the text of its Python
                           * representation */
    bool simple;          /* it is one of them */
    LIST(uint32_t) users; /* indices of compiles, without consecutive repetitions */
};

struct set_settings {
    LIST(struct set_setting) list;
    struct map map;
    LIST(uint32_t) programs; /* compiles with such a program, without consecutive repetitions */
    uint64_t more;           /* number of settings that are not stored */
    struct map first;        /* process → the compile of its first program */
    struct map first_set;    /* processes and settings that the first programs set */
};

/* Reads the fx_graph_runnable program of the compile. */
void set_settings_note(struct model *model, uint32_t compile, struct slice program);
/* The compile of the process's first program, if that program does not set the setting: it then had its default.
 * UINT32_MAX: there is none. Later programs do not tell: once a setting was changed and restored, they set it to its
 * default. */
uint32_t set_settings_first_without(const struct model *model, uint64_t process, enum config_kind kind,
                                    struct slice name);
/* Whether PyTorch itself may set the setting in every compile, so that it may be left out. */
bool set_setting_is_usual(enum config_kind kind, struct slice name);
/* Adds a Python value as JSON. Returns false if it is not a number, boolean, None or plain text; then it adds the text
 * itself. `quoted`: only a text in quotes, as in repr(), is a plain text; otherwise, any text is. */
bool python_value_add(struct buf *json, struct slice value, bool quoted);
