perf-xml_uses := page base
perf-xml_lib := perf-xml/open.c perf-xml/read_all.c $(addprefix perf-xml/document/,csv_writer.c cubex_writer.c json_writer.c number.c plain_text.c sink.c writer.c xml_reader.c xml_writer.c) \
                $(addprefix perf-xml/cubex/,anchor.c cubex.c tar.c values.c window.c) $(addprefix perf-xml/template/,derive.c template.c) \
                $(addprefix perf-xml/source/,estimate_json.c gather.c irprof.c likwid.c own_json.c perf_stat.c source.c) \
                $(addprefix perf-xml/page/,page_data.c page_html.c)
perf-xml_main := $(addprefix perf-xml/,main.c cmd_check.c cmd_convert.c cmd_diff.c cmd_get.c cmd_page.c cmd_show.c)
perf-xml_cflags = $(shell xml2-config --cflags)
perf-xml_ldlibs := -lxml2 -lz
perf-xml_tests := $(addprefix tests/unit/perf-xml/,test_number.c test_page_data.c test_place.c test_window.c)

# The item template, beside the programs.
perf-xml_templates := $(patsubst perf-xml/templates/%,$(BUILD)/share/shimgen/perf-xml/%,$(wildcard perf-xml/templates/*.csv))
$(BUILD)/share/shimgen/perf-xml/%.csv: perf-xml/templates/%.csv
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(perf-xml_templates)

# Style and script of the page become lists of numbers that page_html.c includes.
perf-xml_assets := $(BUILD)/gen/perf-xml/page
$(perf-xml_assets)/%.inc: perf-xml/page/%
	$(Q)mkdir -p $(@D)
	$(Q)od -An -v -tu1 $< | sed 's/\([0-9]\{1,\}\)/\1,/g' > $@
$(BUILD)/obj/perf-xml/page/page_html.o: $(perf-xml_assets)/page.css.inc $(perf-xml_assets)/page.js.inc
$(BUILD)/obj/perf-xml/page/page_html.o: private ALL_CFLAGS += -I$(perf-xml_assets)
