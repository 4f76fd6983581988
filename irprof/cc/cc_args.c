/* cc_args.c - parses clang's command line as far as the driver must understand it; unknown words are passed on. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "irprof/cc/cc.h"

/* How an option is written. */
enum shape {
    ALONE,  /* -c */
    NEXT,   /* -Xlinker WORD */
    EITHER, /* -I DIR, -IDIR */
    PREFIX  /* -Wl,... */
};
enum effect {
    NOTHING,
    OUT,
    COMPILE_ONLY,
    LANGUAGE,
    VERBOSE,
    PASS,
    DEPEND,
    DEPEND_FILE,
    DEPEND_TARGET,
    PREPROCESSOR,
    PART,
    NO_LIBC,
    LIBRARY,
    DIRECTORY,
    LTO,
    NO_LTO,
    DROP,
    COVERAGE,
    ASSEMBLER,
    STAMP,
    STAMP_WAY, /* --stamp-mode */
    STAMP_RESULT
};
static const struct option {
    const char *name;
    enum shape shape;
    enum cc_word_kind kind;
    enum effect effect;
} options[] = {
    {"-o", EITHER, CC_MODE, OUT},
    {"--output=", PREFIX, CC_MODE, OUT},
    {"--output", NEXT, CC_MODE, OUT},
    {"-c", ALONE, CC_MODE, COMPILE_ONLY},
    {"--compile", ALONE, CC_MODE, COMPILE_ONLY},
    {"-x", EITHER, CC_MODE, LANGUAGE},
    {"--language=", PREFIX, CC_MODE, LANGUAGE},
    {"--stamp", NEXT, CC_MODE, STAMP},
    {"--stamp=", PREFIX, CC_MODE, STAMP},
    {"--stamp-mode", NEXT, CC_MODE, STAMP_WAY},
    {"--stamp-mode=", PREFIX, CC_MODE, STAMP_WAY},
    {"--stamp-results", NEXT, CC_MODE, STAMP_RESULT},
    {"--stamp-results=", PREFIX, CC_MODE, STAMP_RESULT},
    {"-v", ALONE, CC_MODE, VERBOSE},
    {"--verbose", ALONE, CC_MODE, VERBOSE},
    /* With these no code is generated, or another tool generates it, so nothing is counted. */
    {"-E", ALONE, CC_FLAG, PASS},
    {"--preprocess", ALONE, CC_FLAG, PASS},
    {"--driver-mode=cpp", ALONE, CC_FLAG, PASS},
    {"-S", ALONE, CC_FLAG, PASS},
    {"--assemble", ALONE, CC_FLAG, PASS},
    {"-M", ALONE, CC_DEPEND, PASS},
    {"-MM", ALONE, CC_DEPEND, PASS},
    {"-###", ALONE, CC_FLAG, PASS},
    {"-fsyntax-only", ALONE, CC_FLAG, PASS},
    {"-emit-llvm", ALONE, CC_FLAG, PASS},
    {"-emit-ast", ALONE, CC_FLAG, PASS},
    {"--analyze", ALONE, CC_FLAG, PASS},
    {"--version", ALONE, CC_FLAG, PASS},
    {"--precompile", ALONE, CC_FLAG, PASS},
    {"-dump", PREFIX, CC_FLAG, PASS},
    {"-print-", PREFIX, CC_FLAG, PASS},
    {"--print-", PREFIX, CC_FLAG, PASS},
    {"-cc1", PREFIX, CC_FLAG, PASS},
    /* Dependencies are written when the source is read. */
    {"-MD", ALONE, CC_DEPEND, DEPEND},
    {"-MMD", ALONE, CC_DEPEND, DEPEND},
    {"-MP", ALONE, CC_DEPEND, NOTHING},
    {"-MG", ALONE, CC_DEPEND, NOTHING},
    {"-MV", ALONE, CC_DEPEND, NOTHING},
    {"-MF", EITHER, CC_DEPEND, DEPEND_FILE},
    {"-MT", EITHER, CC_DEPEND, DEPEND_TARGET},
    {"-MQ", EITHER, CC_DEPEND, DEPEND_TARGET},
    {"-MJ", EITHER, CC_DEPEND, NOTHING},
    /* The IR of each file is counted, not that of the whole program. */
    {"-flto", PREFIX, CC_LTO, LTO},
    {"-fno-lto", ALONE, CC_LTO, NO_LTO},
    {"-ffat-lto-objects", ALONE, CC_LTO, NOTHING},
    {"-fthin-link-bitcode=", PREFIX, CC_LTO, NOTHING},
    {"-fwhole-program-vtables", ALONE, CC_LTO, NOTHING},
    {"-fvirtual-function-elimination", ALONE, CC_LTO, NOTHING},
    {"-Wl,-plugin-opt", PREFIX, CC_LTO, NOTHING},
    {"-Wl,--plugin-opt", PREFIX, CC_LTO, NOTHING},
    {"-save-temps", PREFIX, CC_MODE, DROP},
    {"--save-temps", PREFIX, CC_MODE, DROP},
    {"-fno-integrated-as", ALONE, CC_FLAG, ASSEMBLER},
    {"-no-integrated-as", ALONE, CC_FLAG, ASSEMBLER},
    {"--coverage", ALONE, CC_FLAG, COVERAGE},
    {"-coverage", ALONE, CC_FLAG, COVERAGE},
    {"-ftest-coverage", ALONE, CC_FLAG, COVERAGE},
    {"-fprofile-arcs", ALONE, CC_FLAG, COVERAGE},
    /* Options that are meant for sources; IR does not accept all of them. */
    {"-include", NEXT, CC_COMPILE, NOTHING},
    {"--include=", PREFIX, CC_COMPILE, NOTHING},
    {"-include-pch", NEXT, CC_COMPILE, NOTHING},
    {"-imacros", NEXT, CC_COMPILE, NOTHING},
    {"-isystem", EITHER, CC_COMPILE, NOTHING},
    {"-isystem-after", EITHER, CC_COMPILE, NOTHING},
    {"-cxx-isystem", EITHER, CC_COMPILE, NOTHING},
    {"-stdlib++-isystem", EITHER, CC_COMPILE, NOTHING},
    {"-iquote", EITHER, CC_COMPILE, NOTHING},
    {"-idirafter", EITHER, CC_COMPILE, NOTHING},
    {"-iprefix", EITHER, CC_COMPILE, NOTHING},
    {"-iwithprefix", EITHER, CC_COMPILE, NOTHING},
    {"-iwithprefixbefore", EITHER, CC_COMPILE, NOTHING},
    {"-iwithsysroot", EITHER, CC_COMPILE, NOTHING},
    {"-iframework", EITHER, CC_COMPILE, NOTHING},
    {"-ivfsoverlay", EITHER, CC_COMPILE, NOTHING},
    {"-isysroot", EITHER, CC_FLAG, NOTHING},
    {"-I", EITHER, CC_COMPILE, NOTHING},
    {"-D", EITHER, CC_COMPILE, NOTHING},
    {"-U", EITHER, CC_COMPILE, NOTHING},
    {"-A", EITHER, CC_COMPILE, NOTHING},
    {"-std=", PREFIX, CC_COMPILE, NOTHING},
    {"--std=", PREFIX, CC_COMPILE, NOTHING},
    {"-ansi", ALONE, CC_COMPILE, NOTHING},
    {"-Wp,", PREFIX, CC_COMPILE, PREPROCESSOR},
    {"-Xpreprocessor", NEXT, CC_COMPILE, NOTHING},
    {"-undef", ALONE, CC_COMPILE, NOTHING},
    {"-trigraphs", ALONE, CC_COMPILE, NOTHING},
    {"-serialize-diagnostics", NEXT, CC_COMPILE, NOTHING},
    {"--serialize-diagnostics", NEXT, CC_COMPILE, NOTHING},
    /* Options of the link. */
    {"-shared", ALONE, CC_LINK, PART},
    {"--shared", ALONE, CC_LINK, PART},
    {"-r", ALONE, CC_LINK, PART},
    {"-nostdlib", ALONE, CC_LINK, NO_LIBC},
    {"--no-standard-libraries", ALONE, CC_LINK, NO_LIBC},
    {"-nodefaultlibs", ALONE, CC_LINK, NO_LIBC},
    {"-nolibc", ALONE, CC_LINK, NO_LIBC},
    {"-nostartfiles", ALONE, CC_LINK, NOTHING},
    {"-l", EITHER, CC_LINK, LIBRARY},
    {"-L", EITHER, CC_LINK, DIRECTORY},
    {"-Wl,", PREFIX, CC_LINK, NOTHING},
    {"-Xlinker", NEXT, CC_LINK, NOTHING},
    {"-rpath", NEXT, CC_LINK, NOTHING},
    {"-T", EITHER, CC_LINK, NOTHING},
    {"-u", EITHER, CC_LINK, NOTHING},
    {"-z", NEXT, CC_LINK, NOTHING},
    {"-e", NEXT, CC_LINK, NOTHING},
    {"-rdynamic", ALONE, CC_LINK, NOTHING},
    {"-static", ALONE, CC_LINK, NOTHING},
    {"-static-pie", ALONE, CC_LINK, NOTHING},
    {"-pie", ALONE, CC_LINK, NOTHING},
    {"-no-pie", ALONE, CC_LINK, NOTHING},
    {"-s", ALONE, CC_LINK, NOTHING},
    /* Options of every stage. They are listed because a word follows. */
    {"-target", NEXT, CC_FLAG, NOTHING},
    {"-arch", NEXT, CC_FLAG, NOTHING},
    {"-b", EITHER, CC_FLAG, NOTHING},
    {"-mllvm", NEXT, CC_FLAG, NOTHING},
    {"-mthread-model", NEXT, CC_FLAG, NOTHING},
    {"-Xclang", NEXT, CC_FLAG, NOTHING},
    {"-Xassembler", NEXT, CC_FLAG, NOTHING},
    {"-Xanalyzer", NEXT, CC_FLAG, NOTHING},
    {"-Xopenmp-target", NEXT, CC_FLAG, NOTHING},
    {"-Xarch_host", NEXT, CC_FLAG, NOTHING},
    {"-Xarch_device", NEXT, CC_FLAG, NOTHING},
    {"--param", NEXT, CC_FLAG, NOTHING},
    {"--sysroot", NEXT, CC_FLAG, NOTHING},
    {"--config", NEXT, CC_FLAG, NOTHING},
    {"-resource-dir", NEXT, CC_FLAG, NOTHING},
    {"-working-directory", NEXT, CC_FLAG, NOTHING},
    {"-dumpdir", NEXT, CC_FLAG, NOTHING},
    {"-ccc-gcc-name", NEXT, CC_FLAG, NOTHING},
    {"-ccc-install-dir", NEXT, CC_FLAG, NOTHING},
    {"-B", EITHER, CC_FLAG, NOTHING},
    {"-F", EITHER, CC_FLAG, NOTHING},
    {"-G", EITHER, CC_FLAG, NOTHING},
    {"-framework", NEXT, CC_LINK, NOTHING},
};

/* The entry that fits. Of two that fit, the one with the longer name. */
static const struct option *find_option(const char *word)
{
    const struct option *best = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct option *o = &options[i];
        size_t n = strlen(o->name);
        if (strncmp(word, o->name, n) != 0 || (best && strlen(best->name) >= n))
            continue;
        if (!word[n] || o->shape == PREFIX || o->shape == EITHER)
            best = o;
    }
    return best;
}

static bool in_list(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* The kind of an input, by -x or by its suffix. */
static enum cc_word_kind input_kind(const char *path, const char *language)
{
    static const char *const source_suffixes[] = {"c",   "i",   "cc",   "cp",  "cxx",  "cpp",  "c++", "C",
                                                  "CPP", "CXX", "cppm", "ccm", "cxxm", "c++m", "ii",  "m",
                                                  "mi",  "mm",  "mii",  "M",   "ll",   "bc",   0};
    static const char *const other_suffixes[] = {"s",   "S",   "sx",  "asm", "f",   "F",  "for", "FOR", "fpp", "FPP",
                                                 "f90", "F90", "f95", "F95", "f03", "cl", "cu",  "hip", "pcm", 0};
    static const char *const header_suffixes[] = {"h", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc", 0};
    if (language) {
        if (strncmp(language, "assembler", 9) == 0)
            return CC_OTHER;
        return strstr(language, "-header") ? CC_MODE : CC_SOURCE;
    }
    const char *dot = strrchr(path_basename(path), '.');
    if (!dot)
        return strcmp(path, "-") == 0 ? CC_SOURCE : CC_LINK;
    if (in_list(dot + 1, header_suffixes))
        return CC_MODE; /* a precompiled header: not handled here */
    return in_list(dot + 1, source_suffixes) ? CC_SOURCE : in_list(dot + 1, other_suffixes) ? CC_OTHER : CC_LINK;
}

/* The state of the scan. */
struct scan {
    struct cc_line *line;
    const char *language;
};

/* clang takes "-Wp,-MD,x.d" for "-MD -MF x.d", and "-Wp,-MD" with anything else for "-MD". */
static void to_preprocessor(struct cc_line *line, const char *word)
{
    if (strncmp(word, "-Wp,-MD,", 8) != 0 && strncmp(word, "-Wp,-MMD,", 9) != 0)
        return;
    const char *file = strchr(word + 4, ',') + 1;
    line->depend = true;
    line->has_mf |= !strchr(file, ',');
}

static void apply(struct scan *s, const struct option *o, const char *word, const char *value)
{
    struct cc_line *line = s->line;
    switch (o->effect) {
    case OUT:
        line->out = value;
        break;
    case COMPILE_ONLY:
        line->compile_only = true;
        break;
    case LANGUAGE:
        s->language = value && strcmp(value, "none") != 0 ? value : 0;
        break;
    case VERBOSE:
        line->verbose = true;
        break;
    case PASS:
        line->pass_through = true;
        break;
    case DEPEND:
        line->depend = true;
        break;
    case DEPEND_FILE:
        line->has_mf = true;
        break;
    case DEPEND_TARGET:
        line->has_mt = true;
        break;
    case PREPROCESSOR:
        to_preprocessor(line, word);
        break;
    case PART:
        line->part = true;
        break;
    case NO_LIBC:
        line->no_libc = true;
        break;
    case LIBRARY:
        line->names_libc |= value && strcmp(value, "c") == 0;
        if (value)
            vec_push(&line->libraries, value);
        break;
    case DIRECTORY:
        if (value)
            vec_push(&line->directories, value);
        break;
    case LTO:
        line->lto = word;
        break;
    case NO_LTO:
        line->lto = 0;
        break;
    case DROP:
        line->dropped = word;
        break;
    case COVERAGE:
        line->coverage = true;
        break;
    case ASSEMBLER:
        line->other_assembler = true;
        break;
    case STAMP:
        line->stamp = value ? value : "";
        break;
    case STAMP_WAY:
        line->stamp_mode = value ? value : "";
        break;
    case STAMP_RESULT:
        line->stamp_results = value;
        break;
    case NOTHING:
        break;
    }
}

static void add_input(struct scan *s, const char *word)
{
    enum cc_word_kind kind = input_kind(word, s->language);
    if (kind == CC_MODE)
        s->line->pass_through = true;
    s->line->n_sources += kind == CC_SOURCE;
    s->line->n_others += kind == CC_OTHER;
    s->line->from_input |= strcmp(word, "-") == 0;
    vec_push(&s->line->words, (struct cc_word){kind, word, s->language});
}

/* Takes one word, or two. Returns how many. */
static int add_word(struct scan *s, char **argv, int argc)
{
    const char *word = argv[0];
    if (word[0] != '-' || !word[1]) {
        add_input(s, word);
        return 1;
    }
    const struct option *o = find_option(word);
    if (!o) {
        vec_push(&s->line->words, (struct cc_word){CC_FLAG, word, 0});
        return 1;
    }
    bool joined = (o->shape == EITHER || o->shape == PREFIX) && word[strlen(o->name)];
    bool two = !joined && (o->shape == NEXT || o->shape == EITHER) && argc > 1;
    apply(s, o, word, joined ? word + strlen(o->name) : two ? argv[1] : 0);
    vec_push(&s->line->words, (struct cc_word){o->kind, word, 0});
    if (two)
        vec_push(&s->line->words, (struct cc_word){o->kind, argv[1], 0});
    return two ? 2 : 1;
}

/* The next word of a response file, or NULL. Spaces separate words; quotes and backslashes protect them. */
static char *response_word(const char **at)
{
    const char *p = *at + strspn(*at, " \t\r\n");
    struct str word = STR_INIT;
    char quote = 0;
    if (!*p)
        return 0;
    for (; *p && (quote || !strchr(" \t\r\n", *p)); p++) {
        if (*p == '\\' && p[1])
            str_addch(&word, *++p);
        else if (quote ? *p == quote : *p == '"' || *p == '\'')
            quote = quote ? 0 : *p;
        else
            str_addch(&word, *p);
    }
    *at = p;
    str_add(&word, "");
    return str_detach(&word);
}

struct words {
    VEC(char *) list;
};

enum { RESPONSE_DEPTH = 16 };

static enum status expand(struct cc_line *line, struct words *out, char *word, int depth, struct error *e)
{
    /* as in clang: @NAME is an ordinary word if there is no such file */
    if (word[0] != '@' || !file_exists(word + 1)) {
        vec_push(&out->list, word);
        return OK;
    }
    if (depth == RESPONSE_DEPTH)
        return error_set(e, ERR_INPUT, AT_FILE(word + 1), "response files name each other without end");
    struct str text = STR_INIT;
    enum status s = file_read(&text, word + 1, FILE_LIMIT, e);
    const char *at = str_text(&text);
    for (char *next; !s && (next = response_word(&at));) {
        vec_push(&line->owned, next);
        s = expand(line, out, next, depth + 1, e);
    }
    str_release(&text);
    return s;
}

enum status cc_parse(struct cc_line *line, char **argv, int argc, struct error *e)
{
    *line = (struct cc_line){0};
    struct scan scan = {line, 0};
    struct words words = {0};
    enum status s = OK;
    for (int i = 0; i < argc && !s; i++)
        s = expand(line, &words, argv[i], 0, e);
    for (size_t i = 0; i < words.list.n && !s;)
        i += (size_t)add_word(&scan, words.list.at + i, (int)(words.list.n - i));
    vec_release(&words.list);
    if (s)
        cc_line_release(line);
    return s;
}

void cc_line_release(struct cc_line *line)
{
    for (size_t i = 0; i < line->owned.n; i++)
        free(line->owned.at[i]);
    vec_release(&line->owned);
    vec_release(&line->words);
    vec_release(&line->libraries);
    vec_release(&line->directories);
}
