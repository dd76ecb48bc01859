#include "runs/secret_view.h"

enum { SKIPPED = 0 };

struct range {
    uint32_t first, last;
    char shown; /* SKIPPED: it has no width, or is a mark on the preceding letter */
};

static const struct range ranges[] = {
    {0x85, 0x85, '\n'},          {0xa0, 0xa0, ' '},         {0xab, 0xab, '"'},      {0xad, 0xad, SKIPPED},
    {0xbb, 0xbb, '"'},           {0x300, 0x36f, SKIPPED},   {0x2000, 0x200a, ' '},  {0x200b, 0x200f, SKIPPED},
    {0x2010, 0x2015, '-'},       {0x2018, 0x201b, '\''},    {0x201c, 0x201f, '"'},  {0x2028, 0x2029, '\n'},
    {0x202a, 0x202e, SKIPPED},   {0x202f, 0x202f, ' '},     {0x2032, 0x2032, '\''}, {0x2033, 0x2033, '"'},
    {0x205f, 0x205f, ' '},       {0x2060, 0x206f, SKIPPED}, {0x2212, 0x2212, '-'},  {0x3000, 0x3000, ' '},
    {0xfe00, 0xfe0f, SKIPPED},   {0xfe58, 0xfe58, '-'},     {0xfe63, 0xfe63, '-'},  {0xfeff, 0xfeff, SKIPPED},
    {0xe0000, 0xe01ef, SKIPPED},
};

static const struct {
    uint32_t code;
    char shown;
} letters[] = {
    {0x131, 'i'}, {0x17f, 's'}, {0x391, 'A'},  {0x392, 'B'}, {0x395, 'E'}, {0x396, 'Z'}, {0x397, 'H'}, {0x399, 'I'},
    {0x39a, 'K'}, {0x39c, 'M'}, {0x39d, 'N'},  {0x39f, 'O'}, {0x3a1, 'P'}, {0x3a4, 'T'}, {0x3a5, 'Y'}, {0x3a7, 'X'},
    {0x3b1, 'a'}, {0x3b5, 'e'}, {0x3b9, 'i'},  {0x3ba, 'k'}, {0x3bd, 'n'}, {0x3bf, 'o'}, {0x3c1, 'p'}, {0x3c4, 't'},
    {0x3c5, 'u'}, {0x3c7, 'x'}, {0x405, 'S'},  {0x406, 'I'}, {0x408, 'J'}, {0x410, 'A'}, {0x412, 'B'}, {0x415, 'E'},
    {0x41a, 'K'}, {0x41c, 'M'}, {0x41d, 'H'},  {0x41e, 'O'}, {0x420, 'P'}, {0x421, 'C'}, {0x422, 'T'}, {0x423, 'Y'},
    {0x425, 'X'}, {0x430, 'a'}, {0x432, 'b'},  {0x435, 'e'}, {0x43a, 'k'}, {0x43c, 'm'}, {0x43e, 'o'}, {0x440, 'p'},
    {0x441, 'c'}, {0x442, 't'}, {0x443, 'y'},  {0x445, 'x'}, {0x455, 's'}, {0x456, 'i'}, {0x458, 'j'}, {0x501, 'd'},
    {0x51b, 'q'}, {0x51d, 'w'}, {0x212a, 'K'},
};

static char shown(uint32_t code) {
    if (code >= 0xff01 && code <= 0xff5e) /* full width */
        return (char)(code - 0xff01 + '!');
    if (code >= 0x1d400 && code <= 0x1d6a3) { /* bold, italic, … */
        uint32_t letter = (code - 0x1d400) % 52;
        return (char)(letter < 26 ? 'A' + letter : 'a' + letter - 26);
    }
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && ranges[i].first <= code; i++)
        if (code <= ranges[i].last)
            return ranges[i].shown;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].code == code)
            return letters[i].shown;
    return SECRET_LETTER;
}

/* The length of the character at the start of a text that is not ASCII, and its code point; 1 and 0 for an ill-formed byte. */
static size_t decode(struct slice text, uint32_t *code) {
    const unsigned char *p = (const unsigned char *)text.ptr;
    size_t len = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
    *code = 0;
    if (len > text.len || !utf8_is_valid(slice_first(text, len)))
        return 1;
    *code = *p & (0x7fu >> len);
    for (size_t i = 1; i < len; i++)
        *code = *code << 6 | (p[i] & 0x3f);
    return len;
}

void secret_view_init(struct secret_view *view, struct slice source) {
    *view = (struct secret_view){.text = mem_alloc(source.len + 1),
                                 .from = mem_alloc((source.len + 1) * sizeof *view->from),
                                 .source = source};
    for (size_t at = 0, len; at < source.len; at += len) {
        char c = source.ptr[at];
        len = 1;
        if ((unsigned char)c >= 0x80) {
            uint32_t code;
            len = decode(slice_from(source, at), &code);
            c = shown(code);
        }
        if (c == SKIPPED && len > 1)
            continue;
        view->text[view->len] = c;
        view->from[view->len++] = at;
    }
    view->from[view->len] = source.len;
}

void secret_view_finish(struct secret_view *view) {
    mem_free(view->text);
    mem_free(view->from);
    *view = (struct secret_view){0};
}
