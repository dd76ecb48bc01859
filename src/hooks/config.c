#include "hooks/config.h"

#include "hooks/words.h"

size_t config_line_at(const struct config_file *file, size_t offset) {
    size_t line = 1;
    for (size_t i = 0; i < offset && i < file->text.len; i++)
        line += file->text.ptr[i] == '\n';
    return line;
}

size_t config_line(const struct config_file *file, yyjson_val *text) {
    /* Parsed in place, so a text begins where it is in the file. */
    return config_line_at(file, (size_t)(yyjson_get_str(text) - file->parsed.ptr));
}

bool config_fail(const struct config_file *file, yyjson_val *key, struct err *err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *why = mem_vprintf(format, args);
    va_end(args);
    if (key)
        err_set(err, ERR_USAGE, "%s:%zu: %s", file->path, config_line(file, key), why);
    else
        err_set(err, ERR_USAGE, "%s: %s", file->path, why);
    mem_free(why);
    return false;
}

char *const *config_command_of(const struct config_commands *commands, const char *name) {
    for (size_t i = 0; i < commands->count; i++)
        if (strcmp(commands->items[i].name, name) == 0)
            return commands->items[i].words;
    return NULL;
}

static void finish_commands(struct config_commands *commands) {
    for (size_t i = 0; i < commands->count; i++) {
        mem_free(commands->items[i].name);
        words_free(commands->items[i].words);
    }
    mem_free(commands->items);
}

static void finish_file(struct config_file *file) {
    yyjson_doc_free(file->doc);
    buf_free(&file->text);
    buf_free(&file->parsed);
    mem_free(file->path);
    mem_free(file->folder);
}

void config_finish(struct user_config *config) {
    finish_commands(&config->fetch);
    finish_commands(&config->parsers);
    words_free(config->upload);
    words_free(config->notify);
    mem_free(config->source_link);
    mem_free(config->source_commit);
    for (size_t i = 0; i < config->source_roots.count; i++)
        mem_free(config->source_roots.items[i]);
    mem_free(config->source_roots.items);
    for (size_t i = 0; i < config->warnings.count; i++)
        mem_free(config->warnings.items[i]);
    mem_free(config->warnings.items);
    finish_file(&config->user);
    finish_file(&config->project);
    *config = (struct user_config){0};
}
