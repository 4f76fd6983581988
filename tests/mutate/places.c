/*
 * Where a source can be changed: a walk over its syntax tree as libclang gives it. Left out are comments, strings and
 * the insides of macros by construction; types, sizes of arrays, sizeof and static assertions, which hold or do not
 * compile; and functions that only give memory back, and calls of them, which the leak sanitizer judges.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tests/mutate/mutants.h"

struct cursors {
    VEC(CXCursor) list;
};

struct walk {
    struct source *source;
    const char *function;
    enum CXTypeKind result; /* the kind of type that the function returns */
};

static enum CXChildVisitResult take(CXCursor c, CXCursor parent, CXClientData to)
{
    struct cursors *children = to;
    (void)parent;
    vec_push(&children->list, c);
    return CXChildVisit_Continue;
}

bool span_of(const struct source *s, CXCursor c, struct span *to)
{
    CXSourceRange range = clang_getCursorExtent(c);
    CXFile first = 0, last = 0;
    clang_getFileLocation(clang_getRangeStart(range), &first, 0, 0, &to->from);
    clang_getFileLocation(clang_getRangeEnd(range), &last, 0, 0, &to->to);
    return first && last && clang_File_isEqual(first, s->file) && clang_File_isEqual(last, s->file) &&
           to->from < to->to && to->to <= s->n;
}

static enum CXChildVisitResult find_sizeof(CXCursor c, CXCursor parent, CXClientData found)
{
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_UnaryExpr)
        return CXChildVisit_Recurse;
    *(bool *)found = true;
    return CXChildVisit_Break;
}

static void binary(struct walk *w, CXCursor c, const struct cursors *operands)
{
    struct span whole, left, right;
    bool sized = false;
    if (operands->list.n != 2 || !span_of(w->source, c, &whole) || !span_of(w->source, operands->list.at[0], &left) ||
        !span_of(w->source, operands->list.at[1], &right))
        return;
    clang_visitChildren(c, find_sizeof, &sized);
    mutate_binary(w->source, w->function, whole, left, right, sized);
}

static void unary(struct walk *w, CXCursor c, const struct cursors *operands)
{
    struct span whole, operand;
    if (operands->list.n == 1 && span_of(w->source, c, &whole) && span_of(w->source, operands->list.at[0], &operand))
        mutate_unary(w->source, w->function, whole, operand);
}

/* Whether a change of an operator in it makes a condition its opposite: a comparison, or a negation. */
static bool has_opposite(CXCursor c)
{
    struct cursors inner = {0};
    enum CXCursorKind kind = clang_getCursorKind(c);
    bool has = false;
    if (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr) {
        clang_visitChildren(c, take, &inner);
        has = inner.list.n == 1 && has_opposite(inner.list.at[0]);
        vec_release(&inner.list);
    } else if (kind == CXCursor_BinaryOperator) {
        enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(c);
        has = op >= CXBinaryOperator_LT && op <= CXBinaryOperator_NE;
    } else if (kind == CXCursor_UnaryOperator) {
        has = clang_getCursorUnaryOperatorKind(c) == CXUnaryOperator_LNot;
    }
    return has;
}

static void condition(struct walk *w, CXCursor c)
{
    struct span at;
    if (!has_opposite(c) && span_of(w->source, c, &at))
        negate_condition(w->source, w->function, at);
}

/* A literal, perhaps after conversions: it is mutated itself. */
static bool is_literal(CXCursor c)
{
    struct cursors inner = {0};
    enum CXCursorKind kind = clang_getCursorKind(c);
    if (kind != CXCursor_UnexposedExpr)
        return kind == CXCursor_IntegerLiteral || kind == CXCursor_FloatingLiteral;
    clang_visitChildren(c, take, &inner);
    bool is = inner.list.n == 1 && is_literal(inner.list.at[0]);
    vec_release(&inner.list);
    return is;
}

static void returned(struct walk *w, const struct cursors *value)
{
    struct span at;
    if (!value->list.n || w->result == CXType_Record || is_literal(value->list.at[0]) ||
        !span_of(w->source, value->list.at[0], &at))
        return;
    if (w->result != CXType_Bool)
        replace_result(w->source, w->function, at, false);
    else if (!has_opposite(value->list.at[0]))
        replace_result(w->source, w->function, at, true);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

/* A function that gives memory back, by its name. */
static bool gives_back(CXCursor function)
{
    CXString name = clang_getCursorSpelling(function);
    const char *text = clang_getCString(name);
    bool gives = text && (!strcmp(text, "free") || !strcmp(text, "release") || ends_with(text, "_free") ||
                          ends_with(text, "_release") || !strncmp(text, "free_", 5) || !strncmp(text, "release_", 8));
    clang_disposeString(name);
    return gives;
}

static bool has_effect(CXCursor c)
{
    switch ((int)clang_getCursorKind(c)) {
    case CXCursor_CallExpr:
        return !gives_back(c);
    case CXCursor_BinaryOperator:
        return clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign;
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        return true;
    case CXCursor_ReturnStmt: {
        struct cursors value = {0};
        clang_visitChildren(c, take, &value);
        bool empty = !value.list.n;
        vec_release(&value.list);
        return empty;
    }
    default:
        return false;
    }
}

static bool is_expansion(const struct source *s, struct span at)
{
    for (size_t i = 0; i < s->expansions.n; i++)
        if (s->expansions.at[i].from == at.from && s->expansions.at[i].to == at.to)
            return true;
    return false;
}

static void statement(struct walk *w, CXCursor c)
{
    struct span at;
    if (has_effect(c) && span_of(w->source, c, &at) && !is_expansion(w->source, at))
        delete_statement(w->source, w->function, at);
}

/* Whether child `i` of `n` is a statement and not a condition or the head of a loop. */
static bool holds_statement(enum CXCursorKind parent, size_t i, size_t n)
{
    switch ((int)parent) {
    case CXCursor_CompoundStmt:
        return true;
    case CXCursor_IfStmt:
        return i > 0;
    case CXCursor_DoStmt:
        return i == 0;
    case CXCursor_WhileStmt:
    case CXCursor_ForStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return i + 1 == n;
    default:
        return false;
    }
}

static void mutate_cursor(struct walk *w, CXCursor c, const struct cursors *children)
{
    struct span at;
    size_t n = children->list.n;
    switch ((int)clang_getCursorKind(c)) {
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        binary(w, c, children);
        break;
    case CXCursor_UnaryOperator:
        unary(w, c, children);
        break;
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_ConditionalOperator:
        condition(w, children->list.at[0]);
        break;
    case CXCursor_DoStmt:
        if (!(span_of(w->source, c, &at) && is_expansion(w->source, at)))
            condition(w, children->list.at[n - 1]);
        break;
    case CXCursor_ReturnStmt:
        returned(w, children);
        break;
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
        if (span_of(w->source, c, &at))
            mutate_literal(w->source, w->function, at);
        break;
    default:
        break;
    }
}

static void visit(struct walk *w, CXCursor c)
{
    struct cursors children = {0};
    enum CXCursorKind kind = clang_getCursorKind(c);
    switch ((int)kind) {
    case CXCursor_UnaryExpr: /* sizeof and its like */
    case CXCursor_StaticAssert:
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_ParmDecl:
        return;
    case CXCursor_VarDecl: {
        CXCursor value = clang_Cursor_getVarDeclInitializer(c);
        if (!clang_Cursor_isNull(value))
            visit(w, value);
        return;
    }
    default:
        break;
    }
    clang_visitChildren(c, take, &children);
    mutate_cursor(w, c, &children);
    for (size_t i = 0; i < children.list.n; i++) {
        if (holds_statement(kind, i, children.list.n))
            statement(w, children.list.at[i]);
        visit(w, children.list.at[i]);
    }
    vec_release(&children.list);
}

/* `#define NAME LITERAL` */
static void macro(struct source *s, CXTranslationUnit unit, CXCursor c, const char *name)
{
    CXToken *tokens = 0;
    unsigned n = 0;
    clang_tokenize(unit, clang_getCursorExtent(c), &tokens, &n);
    if (n == 2 && clang_getTokenKind(tokens[1]) == CXToken_Literal) {
        CXSourceRange range = clang_getTokenExtent(unit, tokens[1]);
        struct span at;
        clang_getFileLocation(clang_getRangeStart(range), 0, 0, 0, &at.from);
        clang_getFileLocation(clang_getRangeEnd(range), 0, 0, 0, &at.to);
        mutate_literal(s, name, at);
    }
    clang_disposeTokens(unit, tokens, n);
}

static void top_level(struct source *s, CXTranslationUnit unit, CXCursor c)
{
    CXString name = clang_getCursorSpelling(c);
    struct walk w = {s, clang_getCString(name), clang_getCanonicalType(clang_getCursorResultType(c)).kind};
    switch ((int)clang_getCursorKind(c)) {
    case CXCursor_FunctionDecl:
    case CXCursor_VarDecl:
        if (!gives_back(c))
            visit(&w, c);
        break;
    case CXCursor_MacroDefinition:
        macro(s, unit, c, w.function);
        break;
    default:
        break;
    }
    clang_disposeString(name);
}

void find_mutants(struct source *s, CXTranslationUnit unit)
{
    struct cursors all = {0};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), take, &all);
    for (size_t i = 0; i < all.list.n; i++) {
        struct span at;
        if (clang_getCursorKind(all.list.at[i]) == CXCursor_MacroExpansion && span_of(s, all.list.at[i], &at))
            vec_push(&s->expansions, at);
    }
    for (size_t i = 0; i < all.list.n; i++)
        if (clang_Location_isFromMainFile(clang_getCursorLocation(all.list.at[i])))
            top_level(s, unit, all.list.at[i]);
    vec_release(&all.list);
}
