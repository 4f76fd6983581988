/* page_frame.c - the begin and the end that all pages share. */
#include "shimgen/page/page_frame.h"

#include "shimgen/page/assets.h"
#include "shimgen/page/html.h"

void page_begin(struct str *out, const struct page_head *h)
{
    str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
                 "style-src &#39;unsafe-inline&#39;; script-src &#39;unsafe-inline&#39;; img-src data:\"/>\n");
    if (h->version)
        html_addf(out, "<meta name=\"generator\" content=\"shimgen %s\"/>\n", h->version);
    html_addf(out, "<link rel=\"icon\" href=\"data:,\"/>\n<title>%s</title>\n<style>\n", h->title);
    str_addn(out, (const char *)report_style, report_style_size);
    if (h->style)
        str_addn(out, h->style, h->style_size);
    str_add(out, "</style>\n</head>\n<body");
    if (h->body)
        html_addf(out, " class=\"%s\"", h->body);
    str_add(out, ">\n");
}

void page_data_json(struct str *out, const char *id, const char *json)
{
    html_addf(out, "<script type=\"application/json\" id=\"%s\">", id);
    html_script_json(out, json);
    str_add(out, "</script>\n");
}

void page_end_with(struct str *out, const void *script, size_t size)
{
    str_add(out, "<script>\n");
    str_addn(out, script, size);
    str_add(out, "</script>\n</body>\n</html>\n");
}

void page_end(struct str *out)
{
    page_end_with(out, report_script, report_script_size);
}
