/* left_out.c - reads left_out.txt beside a board.ini: samples for which the board has no room, one per line; # begins a
 * comment. */
#include "boards/description/left_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { LEFT_OUT_LIMIT = 1 << 20 };

/* Is it a set and a program, such as "suite/shell_sort", without a level? */
static bool is_sample(const char *word)
{
    const char *slash = strchr(word, '/');
    return slash && slash != word && slash[1] && !strchr(slash + 1, '/') && !strpbrk(word, "@ \t");
}

static enum status take_line(struct board_args *to, char *line, const char *path, size_t number, struct error *e)
{
    line[strcspn(line, "#")] = 0;
    line += strspn(line, " \t");
    size_t n = strlen(line);
    while (n && strchr(" \t\r", line[n - 1]))
        line[--n] = 0;
    if (!n)
        return OK;
    if (!is_sample(line))
        return error_set(e, ERR_INPUT, AT(path, number),
                         "'%s' is not a sample; write its set and its name, as in 'suite/shell_sort'", line);
    board_args_add(to, line);
    return OK;
}

static enum status read_lines(struct board_args *to, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    enum status s = file_read(&text, path, LEFT_OUT_LIMIT, e);
    size_t number = 0;
    for (char *line = text.s, *next; !s && line && *line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] != 0);
        line[n] = 0;
        s = take_line(to, line, path, ++number, e);
    }
    str_release(&text);
    return s;
}

enum status left_out_read(struct board *b, struct error *e)
{
    struct board_args names = {0, 0};
    char *path = path_join(b->folder, "left_out.txt");
    enum status s = file_exists(path) ? read_lines(&names, path, e) : OK;
    free(path);
    if (!s && names.n) {
        words_free(b->left_out);
        b->left_out = names.at;
        return OK;
    }
    board_args_release(&names);
    return s;
}
