# The tools of the tests: the interpreter that judges irprof. It uses base, LLVM and libffi, and nothing of irprof.
oracle_sources := $(addprefix tests/oracle/,constant.c count.c decode.c decode_call.c decode_memory.c exec.c key.c layout.c \
                  main.c native.c real.c refs.c wide.c)
oracle_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(oracle_sources))
oracle_cflags := -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)

$(BUILD)/obj/tests/oracle/%.o: tests/oracle/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(oracle_cflags) -MMD -MP -c $< -o $@
$(BUILD)/tests/oracle/irinterp: $(oracle_objects) $(BUILD)/lib/libbase.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $$($(LLVM_CONFIG) --ldflags --libs) -lffi -ljansson -linih -lm
TEST_TOOLS += $(BUILD)/tests/oracle/irinterp
SOURCES += $(oracle_sources)

# Compares two profiles with all that is in them.
$(BUILD)/obj/tests/irprof/%.o: tests/irprof/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/irprof/same: $(BUILD)/obj/tests/irprof/same.o $(call libraries,irprof)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call part_ldlibs,irprof)
TEST_TOOLS += $(BUILD)/tests/irprof/same
SOURCES += tests/irprof/same.c
