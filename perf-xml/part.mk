perf-xml_uses := base
perf-xml_lib := perf-xml/open.c perf-xml/read_all.c $(addprefix perf-xml/document/,csv_writer.c json_writer.c number.c sink.c writer.c xml_reader.c xml_writer.c) \
                $(addprefix perf-xml/cubex/,anchor.c cubex.c tar.c values.c) $(addprefix perf-xml/template/,derive.c template.c) \
                $(addprefix perf-xml/source/,estimate_json.c gather.c irprof.c likwid.c own_json.c perf_stat.c source.c)
perf-xml_main := $(addprefix perf-xml/,main.c cmd_check.c cmd_convert.c cmd_diff.c cmd_get.c cmd_show.c)
perf-xml_cflags = $(shell xml2-config --cflags)
perf-xml_ldlibs := -lxml2 -lz

# The item template, beside the programs.
perf-xml_templates := $(patsubst perf-xml/templates/%,$(BUILD)/share/shimgen/perf-xml/%,$(wildcard perf-xml/templates/*.csv))
$(BUILD)/share/shimgen/perf-xml/%.csv: perf-xml/templates/%.csv
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(perf-xml_templates)
