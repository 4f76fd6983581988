# Memory and messages between cores: the evaluation, and the probes as sources: they are compiled for the board.
boards_lib += boards/memory/probe_table.c
boards_tests += tests/unit/boards/test_probe_table.c

boards_probes := $(addprefix $(BUILD)/share/shimgen/memory/,access.c pair.c others.c others.h points.h)
$(BUILD)/share/shimgen/memory/%: boards/memory/%
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(boards_probes)
