#include "pages/pages.h"

#include "analysis/vllm_parts.h"
#include "base/json.h"
#include "pages/html.h"

static void list_artifact(struct buf *out, const struct artifact *artifact) {
    buf_add_lit(out, "<li><a");
    html_href(out, "", artifact->url);
    buf_add_byte(out, '>');
    html_text(out, path_last(artifact->url));
    buf_addf(out, "</a>%s</li>\n", artifact_suffix(artifact));
}

static void list_config(struct buf *out, const struct vllm_call *call) {
    AUTO_ARENA arena = {0};
    struct slice text = call->config;
    yyjson_val *config = NULL, *key, *value;
    size_t i, max;
    buf_add_lit(out, "<h2>Compilation Configuration</h2>\n");
    if (!text.ptr || json_read(&text, JSON_NUMBERS_RAW, &arena, &config) == JSON_BAD) {
        buf_add_lit(out, "<p>The log holds none.</p>\n");
        return;
    }
    buf_add_lit(out, "<table><tbody>\n");
    yyjson_obj_foreach(config, i, max, key, value) {
        AUTO_BUF plain = {0};
        if (yyjson_is_str(value))
            buf_add(&plain, json_text(value));
        else
            json_add_value(&plain, value);
        buf_add_lit(out, "<tr><th>");
        html_text(out, json_text(key));
        buf_add_lit(out, "</th><td>");
        html_text(out, buf_slice(&plain));
        buf_add_lit(out, "</td></tr>\n");
    }
    buf_add_lit(out, "</tbody></table>\n");
}

static void list_groups(struct buf *out, const struct model *model, const struct vllm_call *call) {
    buf_add_lit(out, "<h2>Inductor Compilation</h2>\n");
    if (!call->groups.count)
        buf_add_lit(out, "<p>No piece was compiled.</p>\n");
    for (size_t g = 0; g < call->groups.count; g++) {
        buf_add_lit(out, "<h3>");
        html_text(out, call->groups.items[g].label);
        buf_addf(out, " · %u subgraphs</h3>\n", call->groups.items[g].count);
        for (uint32_t p = call->groups.items[g].head; p != UINT32_MAX; p = call->pieces.items[p].next) {
            const struct vllm_piece *piece = &call->pieces.items[p];
            buf_add_lit(out, "<h4>");
            html_text(out, piece->name);
            buf_add_lit(out, "</h4>\n<ul>\n");
            for (size_t i = piece->first; i < vllm_end(model, piece->end); i++)
                if (vllm_in_piece(model, call, i))
                    list_artifact(out, &model->artifacts.items[i]);
            buf_add_lit(out, "</ul>\n");
        }
    }
}

void vllm_list_add(struct buf *out, const struct model *model) {
    if (!model->vllm_facts)
        return;
    uint32_t *owner = vllm_owners(model);
    buf_add_lit(out, "<h1>vLLM Compilation Summary</h1>\n<p><a href=\"tlparse_index.html\">The usual report</a></p>\n");
    for (size_t c = 0; c < model->vllm_facts->calls.count; c++) {
        const struct vllm_call *call = &model->vllm_facts->calls.items[c];
        if (model->vllm_facts->calls.count > 1)
            buf_addf(out, "<h2>Compile call %zu</h2>\n", c + 1);
        struct vllm_places dynamo = vllm_dynamo(model, c, owner);
        list_config(out, call);
        buf_add_lit(out, "<h2>Dynamo Compilation</h2>\n<ul>\n");
        for (size_t i = 0; i < dynamo.list.count; i++)
            list_artifact(out, &model->artifacts.items[dynamo.list.items[i]]);
        mem_free(dynamo.list.items);
        buf_add_lit(out, "</ul>\n<h2>Piecewise Split Graph</h2>\n<ul>\n");
        if (call->split_graph >= 0)
            list_artifact(out, &model->artifacts.items[call->split_graph]);
        buf_add_lit(out, "</ul>\n");
        list_groups(out, model, call);
    }
    mem_free(owner);
}
