boards_uses := sim base
boards_lib := $(addprefix boards/description/,board.c build_flags.c causes.c core_board.c event_names.c keys.c keys_read.c left_out.c optimisation_levels.c override.c pfm.c settings.c words.c) \
              $(addprefix boards/run/,answer.c foreign.c run.c run_command.c run_emulator.c run_local.c run_ssh.c ssh.c) \
              $(addprefix boards/measure/,conditions.c counting.c kit_rows.c known_work.c measure.c measurements.c part.c result.c \
                run_stats.c series.c stopping.c) \
              $(addprefix boards/kit/,kit_judge.c kit_line.c kit_log.c) \
              $(addprefix boards/doctor/,doctor.c doctor_arm.c doctor_counters.c doctor_place.c) boards/machine/this_machine.c boards/machine/system_files.c
boards_ldlibs := -lpfm
boards_tests := $(addprefix tests/unit/boards/,test_board.c test_event_names.c test_doctor.c test_run_stats.c test_result.c \
                  test_measurements.c test_measure.c test_known_work.c test_counters.c test_run.c test_run_kinds.c test_series_rows.c test_answer.c test_kit_judge.c test_kit_log.c)
include boards/memory/memory.mk
include boards/plugin/plugin.mk

# The measuring runtime: one object that measured programs are linked with. Never sanitized: it measures.
boards_rt := $(addprefix boards/runtime/,rt_main.c rt_region.c rt_event.c rt_perf.c rt_known.c rt_prove.c rt_calibrate.c rt_maps.c rt_flush.c rt_noise.c \
               rt_iss.c rt_pmu.c rt_report.c rt_untrain.c rt_places.c rt_copy.c)
boards_rt_objects := $(boards_rt:%.c=$(BUILD)/obj/rt/%.o)
$(BUILD)/obj/rt/boards/%.o: boards/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O2 -g $(PATH_FLAGS) -fPIC -fno-lto -MMD -MP -c $< -o $@
$(BUILD)/lib/shimgen/shim_measure_rt.o: $(boards_rt_objects)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $^
-include $(boards_rt_objects:.o=.d)
ALL += $(BUILD)/lib/shimgen/shim_measure_rt.o

# A program that is nothing but the runtime: the doctor proves the counters with it.
$(BUILD)/lib/shimgen/shimgen-counters: $(BUILD)/obj/rt/boards/prover/main.o $(BUILD)/lib/shimgen/shim_measure_rt.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -static -Wl,--wrap=main -o $@ $^
ALL += $(BUILD)/lib/shimgen/shimgen-counters

# The same two with counters that lie as they are told to (tests/boards/fake/perf.c). FAKE_FLAGS: make coverage counts what of the runtime
# these programs execute.
boards_fake_rt := $(patsubst $(BUILD)/obj/rt/%,$(BUILD)/obj/rt-fake/%,$(filter-out %/rt_perf.o %/rt_known.o,$(boards_rt_objects)))
boards_fake_objects := $(boards_fake_rt) $(addprefix $(BUILD)/obj/rt/tests/boards/fake/,perf.o known.o)
$(BUILD)/obj/rt-fake/boards/%.o: boards/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O2 -g $(PATH_FLAGS) $(FAKE_FLAGS) -fPIC -fno-lto -MMD -MP -c $< -o $@
$(BUILD)/obj/rt/tests/boards/fake/known.o: boards/runtime/rt_known.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -Drt_known_run=real_known_run -O2 -g -fPIC -fno-lto -MMD -MP -c $< -o $@
$(BUILD)/obj/rt/tests/boards/fake/perf.o: tests/boards/fake/perf.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -I. -O2 -g -fPIC -fno-lto -MMD -MP -c $< -o $@
$(BUILD)/tests/fake/shim_measure_rt.o: $(boards_fake_objects)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib $(FAKE_FLAGS) -o $@ $^
$(BUILD)/tests/fake/shimgen-counters: $(BUILD)/obj/rt/boards/prover/main.o $(BUILD)/tests/fake/shim_measure_rt.o
	$(call say,LINK,$@)
	$(Q)$(CC) -static -Wl,--wrap=main -o $@ $^
-include $(boards_fake_rt:.o=.d) $(addprefix $(BUILD)/obj/rt/tests/boards/fake/,perf.d known.d) $(BUILD)/obj/rt/boards/prover/main.d
TEST_TOOLS += $(BUILD)/tests/fake/shim_measure_rt.o $(BUILD)/tests/fake/shimgen-counters

# Its sources, from which it is compiled for targets that are not this machine.
boards_rt_sources := $(patsubst %,$(BUILD)/share/shimgen/runtime/%,$(boards_rt) $(wildcard boards/runtime/*.h) \
                       $(wildcard boards/kit/files/*.* boards/kit/files/include/*.h boards/kit/files/declarations/*.h))
$(BUILD)/share/shimgen/runtime/%: %
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(boards_rt_sources)

# The board folders, as they are.
boards_folders := $(patsubst boards/%,$(BUILD)/share/shimgen/boards/%,$(wildcard $(addsuffix *,$(dir \
                    $(wildcard boards/*/board.ini)))))
$(BUILD)/share/shimgen/boards/%: boards/%
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(boards_folders)

# The tests measure: they need what a measurement needs.
$(patsubst %.c,$(BUILD)/%,$(boards_tests)): | $(BUILD)/lib/shimgen/shim_measure_rt.o $(boards_folders) \
    $(BUILD)/tests/fake/shim_measure_rt.o $(BUILD)/tests/fake/shimgen-counters $(BUILD)/lib/shimgen/shimgen-counters \
    $(BUILD)/include/shim_region.h
