# The report page (shimgen/report/). For shimgen/part.mk:
#   include shimgen/report/report.mk
#   shimgen_lib += $(report_src)      shimgen_tests += $(report_tests)      needs: base (jansson), libxml2 in the tests
report_src := $(addprefix shimgen/report/,assets.c data.c derived.c draw_breakdown.c figures.c html.c page_accounting.c page_accuracy.c \
              page_coverage.c page_estimators.c page_files.c page_instructions.c page_machine.c page_models.c page_quality.c page_simulated.c page_summary.c \
              page_surprises.c page_values.c report.c scale.c svg.c)
report_tests := $(addprefix tests/unit/shimgen/,test_report_figures.c test_report_html.c test_report_page.c \
                test_report_scale.c)

# Style and script become lists of numbers that assets.c includes.
report_assets := $(BUILD)/gen/shimgen/report
$(report_assets)/%.inc: shimgen/report/%
	$(Q)mkdir -p $(@D)
	$(Q)od -An -v -tu1 $< | sed 's/\([0-9]\{1,\}\)/\1,/g' > $@
$(BUILD)/obj/shimgen/report/assets.o: $(report_assets)/style.css.inc $(report_assets)/script.js.inc
$(BUILD)/obj/shimgen/report/assets.o: private ALL_CFLAGS += -I$(report_assets)
