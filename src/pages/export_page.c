
#include "pages/export_page.h"

#include "analysis/export_words.h"
#include "pages/html.h"
#include "pages/page_parts.h"

enum { WHOLE_NODES = 64 };

/* Text with `code` in backticks. */
static void add_prose(struct buf *out, struct slice text) {
    bool code = false;
    size_t start = 0;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && text.ptr[i] != '`')
            continue;
        html_text(out, slice_make(text.ptr + start, i - start));
        start = i + 1;
        if (i < text.len || code) {
            buf_add_str(out, code ? "</code>" : "<code>");
            code = !code;
        }
    }
    if (code)
        buf_add_lit(out, "</code>");
}

/* A page's title has no markup, because it is also the title of the window. */
static void remove_backticks(struct buf *text) {
    size_t len = 0;
    for (size_t i = 0; i < text->len; i++)
        if (text->ptr[i] != '`')
            text->ptr[len++] = text->ptr[i];
    text->len = len;
}

static void add_lines(struct buf *out, struct slice text) {
    struct slice line;
    buf_add_lit(out, "<ul>\n");
    while (slice_next_line(&text, &line)) {
        buf_add_lit(out, "<li>");
        add_prose(out, line);
        buf_add_lit(out, "</li>\n");
    }
    buf_add_lit(out, "</ul>\n");
}

static void add_stack(struct buf *out, const char *title, const struct stack_node *stack, bool open) {
    if (!stack)
        return;
    buf_addf(out, "<details%s><summary>%s, %u %s</summary><pre>", open ? " open" : "", title, stack->depth,
             stack->depth == 1 ? "frame" : "frames");
    stack_html_add(out, stack);
    buf_add_lit(out, "</pre></details>\n");
}

static void add_pairs(struct buf *out, const char *head, const struct export_pair *pairs, uint32_t count) {
    buf_addf(out, "<table><thead><tr>%s</tr></thead><tbody>\n", head);
    for (uint32_t i = 0; i < count; i++) {
        buf_add_lit(out, "<tr><td><code>");
        html_text(out, pairs[i].name);
        buf_add_lit(out, "</code></td><td><code>");
        html_text(out, pairs[i].value);
        buf_add_lit(out, "</code></td></tr>\n");
    }
    buf_add_lit(out, "</tbody></table>\n");
}

static void add_locals(struct buf *out, const struct export_failure *failure) {
    buf_add_lit(out, "<h2>Locals</h2>\n");
    if (failure->local_count)
        add_pairs(out, "<th>Name</th><th>Value</th>", failure->locals, failure->local_count);
    else
        buf_add_lit(out, "<p>The log has none.</p>\n");
    if (failure->more_locals)
        buf_addf(out, "<p>%u more are left out.</p>\n", failure->more_locals);
    buf_add_lit(out, "<h2>Symbols</h2>\n");
    if (failure->symbol_count)
        add_pairs(out, "<th>Symbol</th><th>Source</th>", failure->symbols, failure->symbol_count);
    else
        buf_add_lit(out, "<p>The log has none.</p>\n");
}

/* The first nodes get full stacks, the others only the line that created them: a tree has hundreds of nodes, and an
 * export has many trees. */
static void add_node_stacks(struct buf *out, const struct expression *expression, bool whole) {
    if (whole) {
        add_stack(out, "User stack", expression->user_stack, false);
        add_stack(out, "Framework stack", expression->stack, false);
    } else if (expression->user_stack) {
        const struct frame *frame = expression->user_stack->frame;
        html_text(out, frame->file);
        buf_addf(out, ":%" PRIu64 " in ", frame->line);
        html_text(out, frame->function);
        buf_add_byte(out, '\n');
    }
}

static void add_node(struct buf *out, const struct tree_node *node, bool whole) {
    const struct expression *expression = node->expression;
    buf_add_lit(out, "<code>");
    html_text(out, expression ? expression->result : node->text);
    buf_add_lit(out, "</code>");
    if (!expression)
        return;
    if (expression->method.ptr) {
        buf_add_lit(out, " = ");
        html_text(out, expression->method);
        buf_add_lit(out, "(");
        html_text(out, expression->arguments);
        buf_add_lit(out, ")");
    } else {
        buf_add_lit(out, " a symbol from tensor data");
        if (expression->range.len) {
            buf_add_lit(out, ", in ");
            html_text(out, expression->range);
        }
    }
    if (node->again)
        buf_add_lit(out, " (unfolded above)");
    if (node->cut)
        buf_add_lit(out, " (not all of its operands are shown)");
    buf_add_byte(out, '\n');
    add_node_stacks(out, expression, whole);
}

static void add_tree(struct buf *out, const struct export_failure *failure) {
    buf_add_lit(out, "<h2>Where the expression comes from</h2>\n");
    if (!failure->tree_count) {
        buf_add_lit(out, "<p>The log does not say.</p>\n");
        return;
    }
    unsigned open = 0;
    for (uint32_t i = 0; i < failure->tree_count; i++) {
        const struct tree_node *node = &failure->tree[i];
        for (; open > node->depth + 1u; open--)
            buf_add_lit(out, "</li></ul>");
        if (open == node->depth + 1u)
            buf_add_lit(out, "</li>\n<li>");
        for (; open < node->depth + 1u; open++)
            buf_add_lit(out, "<ul>\n<li>");
        add_node(out, node, i < WHOLE_NODES);
    }
    for (; open; open--)
        buf_add_lit(out, "</li></ul>");
    buf_add_byte(out, '\n');
    if (failure->tree_cut)
        buf_add_lit(out, "<p>The tree is cut here: there is more in the log.</p>\n");
}

void export_page_render(struct buf *out, struct slice text, const void *data) {
    const struct export_page *given = data;
    const struct export_failure *failure = &given->failure;
    AUTO_BUF words = {0};
    (void)text;
    export_add_title(&words, failure);
    remove_backticks(&words);
    struct html_page page = {.type = PAGE_EXPORT, .root = "../", .title = buf_slice(&words), .key = given->key};
    html_begin(out, &page);
    words.len = 0;
    export_add_reason(&words, failure);
    buf_add_lit(out, "<p>");
    add_prose(out, buf_slice(&words));
    buf_add_lit(out, "</p>\n");
    if (failure->code.len) {
        buf_add_lit(out, "<pre>");
        html_text(out, failure->code);
        buf_add_lit(out, "</pre>\n");
    }
    words.len = 0;
    export_add_advice(&words, failure);
    buf_add_lit(out, "<h2>What to do</h2>\n");
    add_lines(out, buf_slice(&words));
    buf_add_lit(out, "<h2>Stacks</h2>\n");
    add_stack(out, "User stack", failure->user_stack, true);
    add_stack(out, "Framework stack", failure->stack, false);
    add_locals(out, failure);
    add_tree(out, failure);
    html_end(out, &page);
}

void export_pages_write(struct model *model, struct files *files) {
    AUTO_BUF text = {0}, path = {0};
    for (size_t i = 0; model->exports && i < model->exports->failures.count; i++) {
        struct export_failure *failure = model->exports->failures.items[i];
        if (!failure->late)
            continue;
        const struct export_page page = {*failure, model->compiles.items[failure->compile]->key};
        struct artifact artifact = {.name = EXPORT_PAGE,
                                    .kind = failure->kind == EXPORT_GUARD ? SLICE("guard_added")
                                                                          : SLICE("propagate_real_tensors_provenance"),
                                    .lang = LANG_TEXT,
                                    .line = failure->line,
                                    .number = (int64_t)model->next_number++,
                                    .folder = failure->folder,
                                    .listed = true};
        path.len = text.len = 0;
        buf_add(&path, model->folders.items[failure->folder].name);
        buf_addf(&path, "/%.*s_%" PRId64 ".html", SLICE_ARG(EXPORT_PAGE), artifact.number);
        artifact.url = failure->url = arena_slice(&model->arena, buf_slice(&path));
        export_page_render(&text, (struct slice){0}, &page);
        files_folder(files, failure->url);
        files_write(files, failure->url, buf_slice(&text));
        struct folder *folder = &model->folders.items[failure->folder];
        uint32_t latest = folder->compile;
        folder->compile = failure->compile; /* it may no longer be the folder's latest compile */
        model_add_artifact(model, &artifact);
        folder->compile = latest;
    }
}

static void add_programs(struct buf *out, const struct model *model) {
    const struct exports *exports = model->exports;
    for (size_t i = 0; i < exports->programs.count; i++) {
        struct slice url = model->artifacts.items[exports->programs.items[i].artifact].url;
        if (!url.ptr)
            continue;
        buf_add_lit(out, "<p>The exported program: <a");
        html_href(out, "", url);
        buf_add_byte(out, '>');
        html_text(out, path_last(url));
        buf_add_lit(out, "</a></p>\n");
    }
}

static void add_row(struct buf *out, const struct model *model, const struct export_failure *failure) {
    AUTO_BUF words = {0};
    buf_addf(out, "<tr><td>[");
    html_text(out, model->compiles.items[failure->compile]->key);
    buf_addf(out, "]</td><td>%s</td><td>", export_kind_title(failure->kind));
    export_add_reason(&words, failure);
    add_prose(out, buf_slice(&words));
    if (failure->detail.len && failure->kind != EXPORT_MISMATCHED_KERNEL) {
        buf_add_lit(out, "<pre>");
        html_text(out, failure->detail);
        buf_add_lit(out, "</pre>");
    }
    buf_add_lit(out, "</td><td>");
    words.len = 0;
    export_add_advice(&words, failure);
    add_lines(out, buf_slice(&words));
    if (failure->url.ptr) {
        buf_add_lit(out, "<a");
        html_href(out, "", failure->url);
        buf_add_byte(out, '>');
        html_text(out, path_last(failure->url));
        buf_add_lit(out, "</a>");
    }
    buf_add_lit(out, "</td></tr>\n");
}

void export_list_add(struct buf *out, const struct model *model) {
    const struct exports *exports = model->exports;
    buf_add_lit(out, "<h2>Export</h2>\n");
    struct buf title = {0}, words = {0};
    export_add_outcome(&title, &words, model);
    buf_addf(out, "<p>%.*s. ", SLICE_ARG(buf_slice(&title)));
    add_prose(out, buf_slice(&words));
    buf_add_lit(out, "</p>\n");
    buf_free(&title);
    buf_free(&words);
    if (exports->failures.count) {
        buf_add_lit(out, "<table class=\"export-list\"><thead><tr><th>Compile "
                         "id</th><th>Kind</th><th>Reason</th><th>More</th></tr></thead>"
                         "<tbody>\n");
        for (size_t i = 0; i < exports->failures.count; i++)
            add_row(out, model, exports->failures.items[i]);
        buf_add_lit(out, "</tbody></table>\n");
    }
    if (exports->more_failures)
        buf_addf(out, "<p>%" PRIu64 " more are left out.</p>\n", exports->more_failures);
    add_programs(out, model);
}
