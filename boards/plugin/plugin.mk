# The simulated boards' plugin for qemu's user-mode emulators. Compiled apart: a shared object, never sanitized (the
# emulator that loads it is not), with what it needs of sim/ and base/.
plugin_objects := $(patsubst %.c,$(BUILD)/obj/iss/%.o,boards/plugin/plugin.c boards/plugin/ledger.c $(core_lib) $(sim_lib) \
                    $(addprefix base/,alloc.c cleanup.c error.c file.c ini.c map.c proc.c str.c))
$(BUILD)/obj/iss/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARN) -O2 -g $(PATH_FLAGS) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@
$(BUILD)/lib/shimgen/shimgen-iss.so: $(plugin_objects)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ $^ -lcapstone -linih -lm
-include $(plugin_objects:.o=.d)
ALL += $(BUILD)/lib/shimgen/shimgen-iss.so
