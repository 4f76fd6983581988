# The samples are data: sources and manifests, compiled on the board's behalf whenever a board is measured.
samples_files := samples/sample.h $(wildcard samples/*/manifest.csv samples/*/*.[ch])
samples_installed := $(patsubst samples/%,$(BUILD)/share/shimgen/samples/%,$(samples_files))

$(BUILD)/share/shimgen/samples/%: samples/%
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(samples_installed)
