# The simulated boards' plugin for qemu's user-mode emulators. Compiled apart: a shared object, never sanitized (the
# emulator that loads it is not), with what it needs of base/ and sim/.
iss_sources := $(addprefix boards/iss/,decode_aarch64.c decode_aarch64_fp.c decode_aarch64_memory.c decode_riscv64.c expand_rvc.c memory.c model.c op.c pipeline.c plugin.c predictor.c schedule.c values.c)
iss_objects := $(patsubst %.c,$(BUILD)/obj/iss/%.o,$(iss_sources) sim/branch.c sim/cache.c sim/prefetch.c sim/tage.c sim/tournament.c \
                 $(addprefix base/,alloc.c cleanup.c error.c file.c ini.c map.c proc.c str.c))
$(BUILD)/obj/iss/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARN) -O2 -g -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@
$(BUILD)/lib/shimgen/shimgen-iss.so: $(iss_objects)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ -lcapstone -linih -lm
-include $(iss_objects:.o=.d)
ALL += $(BUILD)/lib/shimgen/shimgen-iss.so

# The tests link the sources as they are compiled for the product's programs, sanitized with SAN=1.
iss_tests := $(addprefix tests/unit/boards/iss/,test_decode_aarch64.c test_memory.c test_model.c test_pipeline.c test_pipeline_issue.c test_schedule.c test_values.c)
iss_tested := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out boards/iss/plugin.c,$(iss_sources)))
$(iss_tests:%.c=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/%.o $(iss_tested) $(BUILD)/lib/libsim.a $(BUILD)/lib/libbase.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(base_ldlibs) -lcapstone -lcmocka
$(iss_tests:%.c=$(BUILD)/%): | $(addprefix $(BUILD)/share/shimgen/boards/,raspberrypi3-sim/cortex-a53.ini riscv64-sim/sifive-u74.ini)
UNIT_TESTS += $(iss_tests:%.c=$(BUILD)/%)
SOURCES += $(filter-out boards/iss/plugin.c,$(iss_sources)) $(iss_tests)
