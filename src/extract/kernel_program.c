#include "base/word.h"
#include "extract/program.h"
#include "extract/python_text.h"

/* "NAME = async_compile.triton(…": the name; empty: the line does not define a kernel. */
static struct slice kernel_of(struct slice line) {
    size_t length = word_length(line);
    if (!length || !slice_starts(slice_from(line, length), SLICE(" = async_compile.")))
        return (struct slice){0};
    return slice_first(line, length);
}

/* Whether the definition that begins in this line has further lines: its text is in triple quotes. */
static bool opens_text(struct slice line) {
    struct slice behind = slice_after(line, SLICE("'''"));
    return behind.ptr && slice_find(behind, SLICE("'''")) == SIZE_MAX;
}

/* Comments that name files of the first run. */
static bool names_file(struct slice line) {
    return slice_starts(line, SLICE("# kernel path:")) || slice_starts(line, SLICE("# Original path:"));
}

/* The header of Inductor's kernels is in the cache of the first run: PyTorch has it, too. */
static struct slice with_own_header(struct slice line) {
    struct slice path = slice_trim(line);
    bool in_cache = slice_cut_start(&path, SLICE("#include \"/")) && slice_ends(path, SLICE(".h\""));
    return in_cache ? SLICE("#include <torch/csrc/inductor/cpp_prefix.h>") : line;
}

static bool has_kernel(struct slice code, struct slice kernel) {
    struct slice line;
    while (slice_next_line(&code, &line))
        if (kernel.len && slice_eq(kernel_of(line), kernel))
            return true;
    return false;
}

static void add_line(struct buf *out, struct slice line) {
    buf_add(out, line);
    buf_add_byte(out, '\n');
}

bool kernel_code_add(struct buf *out, const struct compile_records *records, struct slice kernel, bool *changed) {
    AUTO_BUF text = {0};
    struct slice line, code = {0};
    bool within = false, other = false;
    for (size_t i = 0; i < records->codes.count && !code.len; i++)
        if (has_kernel(records->codes.items[i].text, kernel))
            code = records->codes.items[i].text;
    if (!code.len)
        return false;
    while (slice_next_line(&code, &line)) {
        struct slice name = within ? (struct slice){0} : kernel_of(line);
        if (within) {
            within = !slice_starts(line, SLICE("'''"));
        } else if (name.len) {
            other = !slice_eq(name, kernel);
            within = opens_text(line);
            if (other)
                BUF_ADD(&text, name, " = TlSkipped()\n");
        } else {
            other = false;
        }
        if (!within && slice_starts(line, SLICE("if __name__ == ")))
            break;
        if (!other && !names_file(line))
            add_line(&text, with_own_header(line));
        other = other && within;
    }
    python_add_code(out, buf_slice(&text), changed);
    return true;
}

/* The function that the C++ wrapper defines in this line, "extern "C"  void  cpp_fused_add_0(const float* in_ptr0,"; empty: none, or only its
 * declaration. rest: the lines behind it. */
static struct slice function_of(struct slice line, struct slice rest) {
    enum { HEAD_BYTES = 1 << 14 };
    if (!slice_cut_start(&line, SLICE("extern \"C\"")))
        return (struct slice){0};
    line = slice_trim(line);
    if (!slice_cut_start(&line, SLICE("void ")))
        return (struct slice){0};
    struct slice name = slice_trim(line);
    size_t length = word_length(name);
    struct slice from = slice_from(name, length), all = slice_make(from.ptr, (size_t)(rest.ptr + rest.len - from.ptr));
    all = slice_first(all, HEAD_BYTES);
    size_t end = slice_find(all, SLICE(";")), body = slice_find(slice_first(all, end), SLICE("{"));
    return slice_first(name, body == SIZE_MAX ? 0 : length);
}

void kernel_order_add(struct buf *out, struct slice code) {
    struct slice line;
    while (slice_next_line(&code, &line)) {
        struct slice name = kernel_of(line);
        if (!name.len)
            name = function_of(line, code);
        if (slice_find(name, SLICE("_fused_")) == SIZE_MAX)
            continue;
        buf_add_lit(out, "        ");
        python_add_string(out, name);
        buf_add_lit(out, ",\n");
    }
}

void kernel_names_add(struct buf *out, const struct compile_records *records) {
    enum { SHOWN = 20 };
    size_t count = 0;
    for (size_t i = 0; i < records->codes.count; i++) {
        struct slice line, code = records->codes.items[i].text;
        while (slice_next_line(&code, &line)) {
            struct slice name = kernel_of(line);
            if (!name.len || ++count > SHOWN)
                continue;
            if (count > 1)
                buf_add_lit(out, ", ");
            buf_add(out, name);
        }
    }
    if (count > SHOWN)
        buf_add_lit(out, ", …");
}
