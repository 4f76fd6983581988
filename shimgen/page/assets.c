/* assets.c - the page's style sheet and script. The build converts both files to lists of numbers (page.mk). */
#include "shimgen/page/assets.h"

const unsigned char report_style[] = {
#include "style.css.inc"
};
const size_t report_style_size = sizeof report_style;

const unsigned char report_script[] = {
#include "script.js.inc"
};
const size_t report_script_size = sizeof report_script;
