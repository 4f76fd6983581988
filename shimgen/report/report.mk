# The report page: its data and its sections. Knows nothing of how a build comes to its figures.
report_dir := shimgen/report
report_uses := page base
report_lib := $(addprefix shimgen/report/,derived.c draw_breakdown.c page_accounting.c page_accuracy.c page_coverage.c page_estimators.c \
                page_files.c page_instructions.c page_json.c page_machine.c page_models.c page_quality.c page_simulated.c \
                page_summary.c page_surprises.c page_values.c report_page.c)
report_tests := $(addprefix tests/unit/report/,test_figures.c test_report_json.c test_report_page.c test_report_places.c)
# The test reads the page as XML.
report_tests_cflags = $(shell xml2-config --cflags)
report_tests_ldlibs := -lxml2
