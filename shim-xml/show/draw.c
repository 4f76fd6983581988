/* draw.c - writes blocks with known places as an SVG that needs no other file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shim-xml/show/draw.h"
#include "shim-xml/document/text.h"

/* ---- text ---- */

/* Advances of DejaVu Sans, U+0020 to U+007E, in thousandths of its height (from its hmtx table). It is wider than the
 * usual screen fonts, so what fits in it fits in those. */
static const short advances[] = {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
                                 636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
                                 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
                                 603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
                                 500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
                                 635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};

static size_t letter_bytes(const char *p)
{
    size_t n = 1;
    while ((p[n] & 0xc0) == 0x80)
        n++;
    return n;
}

static double letter_width(const char *p)
{
    unsigned char c = (unsigned char)*p;
    return c >= 0x20 && c < 0x7f ? advances[c - 0x20] / 1000.0 : 1;
}

double drawing_text_width(const char *text, double size)
{
    double w = 0;
    for (const char *p = text; *p; p += letter_bytes(p))
        w += letter_width(p);
    return w * size;
}

static void put_escaped(struct str *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *entity = text[i] == '"' ? 0 : xml_entity(text[i]);
        str_add(out, entity ? entity : (char[]){text[i], 0});
    }
}

/* Writes as much as fits, with an ellipsis if something is left out. */
static void put_text(struct str *out, double x, double y, const char *class, const char *text, double size, double room)
{
    double scale = size == TITLE ? BOLD * size : size, w = 0;
    const char *p = text;
    bool all = drawing_text_width(text, scale) <= room;
    while (*p && (all || w + (letter_width(p) + 1) * scale <= room)) {
        w += letter_width(p) * scale;
        p += letter_bytes(p);
    }
    str_addf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    put_escaped(out, text, (size_t)(p - text));
    str_add(out, all ? "</text>\n" : CUT "</text>\n");
}

/* ---- lines and piles ---- */

static void put_line(struct str *out, double x0, double y0, double x1, double y1)
{
    str_addf(out, "<path class=\"shim-bus\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x0, y0, x1, y1);
}

/* Lines to the memories of this set from what reaches them, around its rows. */
static void put_bus(struct str *out, const struct block *b, double x, double y)
{
    double trunk = x + PAD + TRUNK / 2 - 4, top = INFINITY, bottom = -INFINITY;
    if (!blocks_any_reached(&b->memories))
        return;
    for (size_t i = 0; i < b->inner.n; i++) {
        const struct block *c = b->inner.at[i];
        double middle = x + c->x + c->w / 2;
        if (!c->reached)
            continue;
        put_line(out, middle, y + c->y + c->h, middle, y + c->bus);
        put_line(out, trunk, y + c->bus, middle, y + c->bus);
        top = fmin(top, y + c->bus);
    }
    for (size_t i = 0; i < b->foot.n; i++)
        put_line(out, trunk, y + b->foot.at[i]->y + BAR_H / 2, x + b->foot.at[i]->x, y + b->foot.at[i]->y + BAR_H / 2);
    for (size_t i = 0; i < b->memories.n; i++) {
        const struct block *m = b->memories.at[i];
        double middle = x + m->x + m->w / 2, line = y + m->y - 8;
        if (!m->reached)
            continue;
        put_line(out, trunk, line, middle, line);
        put_line(out, middle, line, middle, y + m->y);
        bottom = fmax(bottom, line);
        top = fmin(top, line);
    }
    put_line(out, trunk, top, trunk, bottom);
}

static const char *class_of(const struct block *b)
{
    return b->kind == BLOCK_CACHE    ? "shim-cache"
           : b->kind == BLOCK_MEMORY ? (b->unbound ? "shim-memory shim-unbound" : "shim-memory")
           : b->kind != BLOCK_CORE   ? "shim-set"
           : b->marked               ? "shim-core shim-marked"
           : b->transfer             ? "shim-core shim-transfer"
                                     : "shim-core";
}

/* The full description that is shown when pointing at the block. */
static void put_tooltip(struct str *out, const struct block *b)
{
    str_add(out, "<title>");
    for (size_t i = 0; i < b->lines.n; i++) {
        str_add(out, i ? ", " : "");
        put_escaped(out, b->lines.at[i], strlen(b->lines.at[i]));
    }
    str_add(out, "</title>\n");
}

static void put_rect(struct str *out, double x, double y, double w, double h)
{
    str_addf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>\n", x, y, w, h);
}

static void put_block(struct str *out, const struct block *b, double x, double y);

static void put_all(struct str *out, const blocks_t *list, double x, double y)
{
    for (size_t i = 0; i < list->n; i++)
        put_block(out, list->at[i], x, y);
}

static void put_box(struct str *out, const struct block *b, double x, double y)
{
    str_addf(out, "<g class=\"%s\">\n", class_of(b));
    put_tooltip(out, b);
    for (size_t i = b->nodes.n > 1 ? 2 : 0; i; i--) /* a pile: drawn before the block, so below it */
        put_rect(out, x + 3.0 * (double)i, y - 3.0 * (double)i, b->w - 6, b->h);
    put_rect(out, x, y, b->w - (b->nodes.n > 1 ? 6 : 0), b->h);
    double room = b->w - 16 - (b->nodes.n > 1 ? 6 : 0);
    if (b->kind == BLOCK_CACHE) {
        put_text(out, x + 8, y + 15, "shim-small", b->lines.at[0], SMALL, room);
        put_text(out, x + 8, y + 29, "shim-small", b->lines.at[1], SMALL, room);
    }
    for (size_t i = 0; b->kind != BLOCK_CACHE && i < b->lines.n; i++)
        put_text(out, x + 8, y + 17 + LINE * (double)i, i ? "shim-small" : "shim-name", b->lines.at[i],
                 i ? SMALL : TITLE, room);
    str_add(out, "</g>\n");
    put_all(out, &b->inner, x, y);
}

static void put_block(struct str *out, const struct block *b, double x, double y)
{
    x += b->x;
    y += b->y;
    if (b->kind != BLOCK_SET && b->kind != BLOCK_GROUP) {
        put_box(out, b, x, y);
        return;
    }
    if (block_has_frame(b)) {
        str_addf(out, "<g class=\"%s\">\n", class_of(b));
        put_tooltip(out, b);
        for (size_t i = b->nodes.n > 1 ? 2 : 0; i; i--)
            put_rect(out, x + 3.0 * (double)i, y - 3.0 * (double)i, b->w, b->h);
        put_rect(out, x, y, b->w, b->h);
        if (b->lines.n)
            put_text(out, x + PAD, y + 19, "shim-name", b->lines.at[0], TITLE, b->w - 2 * PAD);
        str_add(out, "</g>\n");
    }
    if (b->kind == BLOCK_SET)
        put_bus(out, b, x, y);
    put_all(out, &b->inner, x, y);
    put_all(out, &b->foot, x, y);
    put_all(out, &b->memories, x, y);
}

/* ---- the whole drawing ---- */

static const char style[] =
    "<style>.shim-drawing text{font-family:\"DejaVu Sans\",Verdana,Arial,sans-serif;fill:#1b1f24;stroke:none}"
    ".shim-name{font-size:13px;font-weight:bold}.shim-small{font-size:11px}.shim-head{font-size:16px;font-weight:bold}"
    "\n"
    ".shim-page{fill:#fff}.shim-bus{stroke:#5f6b7a;stroke-width:2;fill:none}"
    ".shim-set>rect,.shim-core>rect,.shim-cache>rect,.shim-memory>rect{stroke-width:1.2}\n"
    ".shim-set>rect{fill:#f4f5f7;stroke:#8a94a6}.shim-core>rect{fill:#dbe8fb;stroke:#2f6db3}"
    ".shim-transfer>rect{fill:#eadff7;stroke:#7a4fb0}.shim-marked>rect{stroke-width:3}\n"
    ".shim-cache>rect{fill:#d8f0de;stroke:#2c8450}.shim-memory>rect{fill:#fdeccb;stroke:#a86a0c}"
    ".shim-unbound>rect{stroke-dasharray:5 4}\n"
    "@media(prefers-color-scheme:dark){.shim-drawing "
    "text{fill:#e8eaed}.shim-page{fill:#16191d}.shim-bus{stroke:#9aa7b8}"
    ".shim-set>rect{fill:#22272e}.shim-core>rect{fill:#1d3557}.shim-transfer>rect{fill:#3a2a55}"
    ".shim-cache>rect{fill:#1d4030}.shim-memory>rect{fill:#4a3715}}</style>\n";

static const char *plural(size_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

static void describe(const struct drawing *w, struct str *out)
{
    size_t units = 0;
    for (size_t i = 0; i < w->s->n_cores; i++)
        units += strcmp(w->s->cores[i].type, "PU") == 0;
    str_addf(out, "%zu processing unit%s", units, plural(units, "", "s"));
    if (w->s->n_cores > units)
        str_addf(out, ", %zu other master%s", w->s->n_cores - units, plural(w->s->n_cores - units, "", "s"));
    str_addf(out, ", %zu cache%s, %zu memor%s; system %s", w->s->n_caches, plural(w->s->n_caches, "", "s"),
             w->s->n_memories, plural(w->s->n_memories, "y", "ies"), w->s->clock_hz > 0 ? "clock " : "");
    text_hertz(out, w->s->clock_hz);
}

/* Writes a line for each kind: "SharedMemoryCommunication: 12 connections". */
static size_t put_connections(const struct drawing *w, struct str *out, double y)
{
    const struct shimxml_node *set = shimxml_following(shimxml_root(w->d), 0, "CommunicationSet");
    const char *kind = 0;
    size_t n = 0, lines = 0;
    for (const struct shimxml_node *c = shimxml_child(set, 0);; c = shimxml_next(c, 0)) {
        if (kind && (!c || strcmp(kind, shimxml_name(c)) != 0)) {
            char *name = text_printable(kind, 60),
                 *line = xasprintf("%s: %zu connection%s", name, n, plural(n, "", "s"));
            put_text(out, PAD, y + LINE * (double)lines++, "shim-small", line, SMALL, WIDEST);
            free(line);
            free(name);
            n = 0;
        }
        if (!c)
            break;
        kind = shimxml_name(c);
        for (const struct shimxml_node *x = shimxml_child(shimxml_child(c, "ConnectionSet"), "Connection"); x;
             x = shimxml_next(x, "Connection"))
            n++;
    }
    return lines;
}

/* Describes the drawing in words for people who cannot see it: every block that is not inside another one's cache,
 * once. */
static void say_blocks(struct str *out, const blocks_t *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct block *b = list->at[i];
        if (b->lines.n)
            str_add(out, out->len ? "; " : "");
        for (size_t k = 0; k < b->lines.n; k++) {
            str_add(out, k ? ", " : "");
            put_escaped(out, b->lines.at[k], strlen(b->lines.at[k]));
        }
        say_blocks(out, &b->inner);
        say_blocks(out, &b->foot);
        say_blocks(out, &b->memories);
    }
}

static void put_svg(struct str *out, const struct drawing *w, struct block *top)
{
    struct str words = STR_INIT, connections = STR_INIT, said = STR_INIT;
    char *name = text_printable(w->s->name, TEXT_LIMIT);
    describe(w, &words);
    blocks_t one = {.at = &top, .n = 1};
    say_blocks(&said, &one);
    double width = fmax(top->w + 2 * PAD + 6, drawing_text_width(str_text(&words), SMALL) + 2 * PAD), head = 52;
    size_t lines = put_connections(w, &connections, head + top->h + 2 * PAD + 8);
    double height = head + top->h + 2 * PAD + LINE * (double)lines;
    top->x = PAD;
    top->y = head + PAD / 2;
    str_addf(out,
             "<svg%s class=\"shim-drawing\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" "
             "aria-labelledby=\"shim-title shim-desc\">\n<title id=\"shim-title\">",
             w->how->in_page ? "" : " xmlns=\"http://www.w3.org/2000/svg\"", width, height, width, height);
    put_escaped(out, name, strlen(name));
    str_addf(out, "</title>\n<desc id=\"shim-desc\">%s. %s.</desc>\n", str_text(&words), str_text(&said));
    str_add(out, style);
    str_addf(out, "<rect class=\"shim-page\" width=\"%.0f\" height=\"%.0f\"/>\n", width, height);
    put_text(out, PAD, 26, "shim-head", name, 16 * BOLD, width - 2 * PAD);
    put_text(out, PAD, 44, "shim-small", str_text(&words), SMALL, width - 2 * PAD);
    put_block(out, top, 0, 0);
    str_add(out, str_text(&connections));
    str_add(out, "</svg>\n");
    free(name);
    str_release(&words);
    str_release(&connections);
    str_release(&said);
}

/* masters that are drawn separately; if there are more, they are folded unless the user wants it otherwise */
enum { APART = 8 };

static void number_nodes(struct drawing *w)
{
    size_t masters = 0;
    const struct shimxml_node *root = shimxml_root(w->d);
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0)) {
        bool master = shimxml_is(n, "MasterComponent");
        if (!master && !shimxml_is(n, "Cache"))
            continue;
        char *key = xasprintf("%p", (const void *)n);
        map_put(&w->numbers, key, master ? masters++ : w->caches.n);
        free(key);
        if (!master)
            vec_push(&w->caches, n);
    }
}

static size_t *filled(size_t n)
{
    size_t *list = xreallocarray(0, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = SIZE_MAX;
    return list;
}

static void list_caches_of_cores(struct drawing *w)
{
    w->first_cache = filled(w->s->n_cores);
    w->next_cache = filled(w->s->n_caches);
    for (size_t i = w->s->n_caches; i--;) {
        size_t core = w->s->caches[i].core;
        if (core == SHIMXML_SHARED)
            continue;
        w->next_cache[i] = w->first_cache[core];
        w->first_cache[core] = i;
    }
}

static void find_parents(struct drawing *w)
{
    const struct shimxml_system *s = w->s;
    w->parent = filled(s->n_caches);
    for (size_t i = 0; i < s->n_caches; i++)
        for (size_t k = 0; k < s->caches[i].n_inner; k++) {
            size_t inner = s->caches[i].inner[k];
            if (w->parent[inner] == SIZE_MAX && s->caches[inner].level < s->caches[i].level)
                w->parent[inner] = i;
        }
}

enum status shimxml_draw(char **out, const struct shimxml_doc *d, const struct shimxml_drawing *how, struct error *e)
{
    static const struct shimxml_drawing plain = {0};
    struct drawing w = {.d = d, .how = how ? how : &plain};
    enum status s = shimxml_system(&w.s, d, e);
    const struct shimxml_node *set = shimxml_following(shimxml_root(d), 0, "ComponentSet");
    if (!s && !set) {
        shimxml_system_free(w.s);
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "there is no ComponentSet to draw");
    }
    if (s)
        return s;
    number_nodes(&w);
    list_caches_of_cores(&w);
    find_parents(&w);
    drawing_find_reach(&w);
    w.fold = w.how->fold == SHIMXML_FOLD || (w.how->fold == SHIMXML_FOLD_MANY && w.s->n_cores > APART);
    struct block *top = drawing_blocks(&w, set);
    drawing_lay_out(&w, top, WIDEST);
    struct str svg = STR_INIT;
    put_svg(&svg, &w, top);
    *out = str_detach(&svg);
    block_free(top);
    drawing_reach_release(&w);
    map_release(&w.numbers);
    free(w.parent);
    free(w.first_cache);
    free(w.next_cache);
    vec_release(&w.caches);
    shimxml_system_free(w.s);
    return OK;
}
