perf-xml_uses := base
perf-xml_lib := perf-xml/open.c $(addprefix perf-xml/document/,number.c sink.c xml_reader.c xml_writer.c) \
                $(addprefix perf-xml/cubex/,anchor.c cubex.c tar.c values.c)
perf-xml_main := $(addprefix perf-xml/,main.c cmd_check.c cmd_convert.c cmd_diff.c cmd_get.c cmd_show.c)
perf-xml_cflags = $(shell xml2-config --cflags)
perf-xml_ldlibs := -lxml2 -lz
