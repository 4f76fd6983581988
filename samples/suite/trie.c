/*
 * trie - count the words of a text of 6000 characters in a tree of letters, then list them in order by a recursive
 * walk.
 *
 * The truth: the same words cut out, sorted by qsort and counted, outside.
 *
 * Work: each of the 6000 characters is loaded and compared, and a letter's link is loaded from its node, a chain; about
 * a sixth are no letters: 6000 * 2 + 5000 = 17000. The text is drawn so that at least 4500 are letters: 16500.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH  6000
#define NODES   4000
#define WORDS   1500
#define LONGEST 16

struct node {
    uint16_t child[26];
    uint16_t count;
};
struct counted {
    char word[LONGEST];
    int count;
};

static char text[LENGTH + 1];
static struct node nodes[NODES];
static int used;
static struct counted listed[WORDS], expected[WORDS];
static char words[WORDS][LONGEST];
static int n_listed;

static int letter(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    return c >= 'a' && c <= 'z' ? c - 'a' : -1;
}

static void count_words(const char *at)
{
    uint16_t node = 0;

    for (; *at; at++) {
        int which = letter(*at);

        if (which < 0) {
            nodes[node].count += node != 0;
            node = 0;
            continue;
        }
        if (nodes[node].child[which] == 0)
            nodes[node].child[which] = (uint16_t)++used;
        node = nodes[node].child[which];
    }
    nodes[node].count += node != 0;
}

static void list_words(const struct node *node, char *path, int depth)
{
    if (node->count > 0) {
        struct counted *entry = &listed[n_listed++];

        for (int i = 0; i < depth; i++)
            entry->word[i] = path[i];
        entry->word[depth] = 0;
        entry->count = node->count;
    }
    for (int which = 0; which < 26; which++)
        if (node->child[which] != 0) {
            path[depth] = (char)('a' + which);
            list_words(&nodes[node->child[which]], path, depth + 1);
        }
}

static int compare(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* What must come out; returns how many words. */
static int count_by_sorting(void)
{
    int n = 0, distinct = 0;

    memset(words, 0, sizeof words);
    for (const char *at = text; *at;) {
        int length = 0;

        for (; letter(*at) >= 0; at++)
            words[n][length++] = (char)('a' + letter(*at));
        n += length > 0;
        at += *at != 0;
    }
    qsort(words, (size_t)n, sizeof words[0], compare);
    for (int i = 0; i < n; i++) {
        if (i == 0 || strcmp(words[i], words[i - 1]) != 0) {
            memcpy(expected[distinct].word, words[i], LONGEST);
            expected[distinct++].count = 0;
        }
        expected[distinct - 1].count++;
    }
    return distinct;
}

static void write_text(void)
{
    static const char *const syllables[] = {"ba", "den", "i", "kor", "la", "mis", "no", "u", "Ra", "ste", "to", "wex"};
    uint32_t seed = 34;
    int at = 0;

    while (at < LENGTH - 12) {
        int parts = 1 + (int)(lcg_draw(&seed) % 3);

        while (parts-- > 0)
            for (const char *c = syllables[lcg_draw(&seed) % 12]; *c; c++)
                text[at++] = *c;
        text[at++] = lcg_draw(&seed) % 9 ? ' ' : '.';
    }
    while (at < LENGTH)
        text[at++] = '-';
    text[at] = 0;
}

int main(void)
{
    char path[LONGEST];
    int distinct;

    write_text();
    memset(nodes, 0, sizeof nodes);
    used = n_listed = 0;
    SHIM_KEEP(text);
    SHIM_KEEP(nodes);
    SHIM_KEEP(&used);
    SHIM_KEEP(&n_listed);
    shim_region_begin("trie");
    count_words(text);
    list_words(&nodes[0], path, 0);
    SHIM_KEEP(listed);
    SHIM_KEEP(&n_listed);
    shim_region_end("trie");
    distinct = count_by_sorting();
    if (sample_verdict_int("different words", n_listed, distinct))
        return 1;
    for (int i = 0; i < distinct; i++)
        if (sample_verdict_int(expected[i].word, strcmp(listed[i].word, expected[i].word), 0) ||
            sample_verdict_int(expected[i].word, listed[i].count, expected[i].count))
            return 1;
    return 0;
}
