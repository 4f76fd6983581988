# Drawing: HTML, SVG, scales, figures as text, the style sheet and the script of pages.
page_dir := shimgen/page
page_uses := base
page_lib := $(addprefix shimgen/page/,assets.c figures.c html.c page_frame.c scale.c svg.c)
page_tests := $(addprefix tests/unit/page/,test_html.c test_scale.c)
page_ldlibs := -lm

# Style and script become lists of numbers that assets.c includes.
page_assets := $(BUILD)/gen/shimgen/page
$(page_assets)/%.inc: shimgen/page/%
	$(Q)mkdir -p $(@D)
	$(Q)od -An -v -tu1 $< | sed 's/\([0-9]\{1,\}\)/\1,/g' > $@
$(BUILD)/obj/shimgen/page/assets.o: $(page_assets)/style.css.inc $(page_assets)/script.js.inc
$(BUILD)/obj/shimgen/page/assets.o: private ALL_CFLAGS += -I$(page_assets)
