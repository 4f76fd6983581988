/*
 * http_request - 40 requests, cut into pieces of 1 to 60 bytes as a socket delivers them, through a parser whose state is
 * a pointer to a function; method, path with %-escapes, header names in any case, a body of stated length.
 *
 * The truth: the generator's own notes of what each request says.
 *
 * Work: more than 4000 bytes, each loaded and compared at least once, a call by pointer: 4000 * 4 = 16000.
 */
#include "judge.h"

#define REQUESTS 40
#define ROOM     12000

struct request {
    uint8_t method; /* 0 GET, 1 PUT, 2 POST */
    uint8_t headers;
    uint8_t keep;
    uint32_t body_sum, path_sum;
    uint16_t path_length, body_length;
};
struct parser {
    void (*state)(struct parser *p, uint8_t c);
    struct request *out;
    unsigned at, n_done;
    char word[24];
    unsigned left, escape, value;
    uint8_t bad;
};

static uint8_t stream[ROOM], pieces[ROOM];
static unsigned stream_length;
static struct request truth[REQUESTS], found[REQUESTS];
static struct parser parser;

static void in_method(struct parser *p, uint8_t c);
static void in_path(struct parser *p, uint8_t c);
static void in_name(struct parser *p, uint8_t c);

static uint8_t lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 32) : c;
}
static int hex(uint8_t c)
{
    return c <= '9' ? c - '0' : lower(c) - 'a' + 10;
}
static int word_is(const struct parser *p, const char *text)
{
    for (unsigned i = 0;; i++) {
        if (i == p->at)
            return text[i] == 0;
        if (p->word[i] != text[i])
            return 0;
    }
}
static void keep(struct parser *p, uint8_t c)
{
    if (p->at < sizeof p->word)
        p->word[p->at++] = (char)c;
    else
        p->bad = 1;
}

static void finished(struct parser *p)
{
    p->out++;
    p->n_done++;
    p->at = 0;
    p->state = in_method;
}
static void in_body(struct parser *p, uint8_t c)
{
    p->out->body_sum = p->out->body_sum * 31 + c;
    if (--p->left == 0)
        finished(p);
}
static void at_end_of_headers(struct parser *p, uint8_t c)
{
    p->bad |= c != '\n';
    p->left = p->out->body_length;
    if (p->left)
        p->state = in_body;
    else
        finished(p);
}
static void at_end_of_line(struct parser *p, uint8_t c)
{
    p->bad |= c != '\n';
    p->at = 0;
    p->state = in_name;
}
static void in_length(struct parser *p, uint8_t c)
{
    if (c == '\r') {
        p->out->body_length = (uint16_t)p->value;
        p->state = at_end_of_line;
    } else if (c != ' ')
        p->value = p->value * 10 + (c - '0');
}
static void in_connection(struct parser *p, uint8_t c)
{
    if (c == '\r') {
        p->out->keep = (uint8_t)word_is(p, "keep-alive");
        p->state = at_end_of_line;
    } else if (c != ' ')
        keep(p, lower(c));
}
static void in_other(struct parser *p, uint8_t c)
{
    if (c == '\r')
        p->state = at_end_of_line;
}
static void in_name(struct parser *p, uint8_t c)
{
    static const struct {
        const char *name;
        void (*state)(struct parser *p, uint8_t c);
    } known[] = {{"content-length", in_length}, {"connection", in_connection}};

    if (c == '\r' && p->at == 0) {
        p->state = at_end_of_headers;
        return;
    }
    if (c != ':') {
        keep(p, lower(c));
        return;
    }
    p->out->headers++;
    p->state = in_other;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (word_is(p, known[i].name))
            p->state = known[i].state;
    p->at = 0;
    p->value = 0;
}
static void in_version(struct parser *p, uint8_t c)
{
    if (c == '\r')
        p->state = at_end_of_line;
}
static void path_byte(struct parser *p, uint8_t c)
{
    p->out->path_sum = p->out->path_sum * 33 ^ c;
    p->out->path_length++;
    p->state = in_path;
}
static void in_escape(struct parser *p, uint8_t c)
{
    p->value = p->value << 4 | (unsigned)hex(c);
    if (++p->escape == 2)
        path_byte(p, (uint8_t)p->value);
}
static void in_path(struct parser *p, uint8_t c)
{
    if (c == ' ')
        p->state = in_version;
    else if (c == '%') {
        p->escape = p->value = 0;
        p->state = in_escape;
    } else
        path_byte(p, c);
}
static void in_method(struct parser *p, uint8_t c)
{
    if (c != ' ') {
        keep(p, c);
        return;
    }
    if (word_is(p, "GET"))
        p->out->method = 0;
    else if (word_is(p, "PUT"))
        p->out->method = 1;
    else if (word_is(p, "POST"))
        p->out->method = 2;
    else
        p->bad = 1;
    p->state = in_path;
}

static void feed(struct parser *p, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n && !p->bad; i++)
        p->state(p, bytes[i]);
}

static void add_text(const char *text)
{
    while (*text)
        stream[stream_length++] = (uint8_t)*text++;
}
static void add_request(struct request *r, uint64_t *seed)
{
    static const char *const methods[] = {"GET ", "PUT ", "POST "};
    static const char *const others[] = {"Accept: text/plain\r\n", "User-Agent: pump/1.2\r\n", "X-Trace: 0a:0b:0c\r\n"};
    char text[64];

    *r = (struct request){.method = (uint8_t)draw_below(seed, 3)};
    add_text(methods[r->method]);
    r->path_length = (uint16_t)(4 + draw_below(seed, 30));
    for (int i = 0; i < r->path_length; i++) {
        uint8_t c = (uint8_t)(i % 7 == 0 ? '/' : i % 5 == 2 ? 1 + draw_below(seed, 250) : 'a' + draw_below(seed, 26));

        r->path_sum = r->path_sum * 33 ^ c;
        snprintf(text, sizeof text,
                 c == '/' || (c >= 'a' && c <= 'z') ? "%c"
                 : draw_below(seed, 2)              ? "%%%02X"
                                                    : "%%%02x",
                 c);
        add_text(text);
    }
    add_text(" HTTP/1.1\r\n");
    r->headers = (uint8_t)draw_below(seed, 4);
    for (int i = 0; i < r->headers; i++)
        add_text(others[i % 3]);
    r->keep = (uint8_t)draw_below(seed, 2);
    add_text(r->keep ? "CONNECTION: Keep-Alive\r\n" : "Connection: close\r\n");
    r->body_length = (uint16_t)(r->method ? 1 + draw_below(seed, 90) : 0);
    r->headers++;
    if (r->method) {
        snprintf(text, sizeof text, "Content-length: %d\r\n", r->body_length);
        add_text(text);
        r->headers++;
    }
    add_text("\r\n");
    for (int i = 0; i < r->body_length; i++) {
        stream[stream_length] = (uint8_t)draw(seed);
        r->body_sum = r->body_sum * 31 + stream[stream_length++];
    }
}

int main(void)
{
    uint64_t seed = 3;
    unsigned n_pieces = 0, total = 0;

    stream_length = 0;
    for (int i = 0; i < REQUESTS; i++)
        add_request(&truth[i], &seed);
    for (; total < stream_length; total += pieces[n_pieces++]) {
        unsigned piece = 1 + (unsigned)draw_below(&seed, 60);
        pieces[n_pieces] = (uint8_t)(piece < stream_length - total ? piece : stream_length - total);
    }
    memset(found, 0, sizeof found);
    parser = (struct parser){.state = in_method, .out = found};
    SHIM_KEEP(stream);
    SHIM_KEEP(pieces);
    SHIM_KEEP(&parser);
    shim_region_begin("http_request");
    for (unsigned i = 0, at = 0; i < n_pieces; at += pieces[i++])
        feed(&parser, stream + at, pieces[i]);
    SHIM_KEEP(found);
    SHIM_KEEP(&parser);
    shim_region_end("http_request");
    for (int i = 0; i < REQUESTS; i++) {
        struct request *a = &found[i], *b = &truth[i];

        if (a->method != b->method || a->headers != b->headers || a->keep != b->keep || a->body_sum != b->body_sum ||
            a->path_sum != b->path_sum || a->path_length != b->path_length || a->body_length != b->body_length)
            return sample_verdict_int("request that is wrong", i, -1);
    }
    return sample_verdict_int("requests", parser.n_done, REQUESTS);
}
