# The samples are data: sources and manifests, compiled on the board's behalf whenever a board is measured. What reads
# the manifests and what makes programs (folders of their own below) is a library.
include samples/generate/generate.mk samples/micro/micro.mk
samples_files := samples/sample.h samples/quick.txt $(wildcard samples/*/manifest.csv) \
                 $(filter-out samples/generate/% samples/micro/%,$(wildcard samples/*/*.[ch]))
samples_installed := $(patsubst samples/%,$(BUILD)/share/shimgen/samples/%,$(samples_files))

$(BUILD)/share/shimgen/samples/%: samples/%
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(samples_installed)

samples_uses := irprof sim base
samples_lib := samples/manifest.c $(generate_src) $(micro_src)
samples_ldlibs := $(micro_ldlibs)
samples_tests := tests/unit/samples/test_manifest.c $(generate_tests) $(micro_tests)
