/* assets.h - the style sheet and the script of pages: style.css and script.js, put into the program by the build. */
#ifndef SHIMGEN_PAGE_ASSETS_H
#define SHIMGEN_PAGE_ASSETS_H

#include <stddef.h>

extern const unsigned char report_style[], report_script[];
extern const size_t report_style_size, report_script_size;

#endif
