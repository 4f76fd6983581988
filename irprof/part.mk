irprof_uses := sim base
irprof_lib := irprof/branch.c irprof/branch_switch.c irprof/callees.c irprof/callgraph.c irprof/callgrind.c irprof/cc.c irprof/cc_args.c irprof/cc_command.c \
              irprof/cc_link.c irprof/cfg.c irprof/chains.c irprof/columns.c irprof/container.c irprof/counter.c irprof/counts.c irprof/dataflow.c irprof/describe.c \
              irprof/description.c irprof/flow.c irprof/flow_loops.c irprof/folds.c irprof/insert.c irprof/instrument.c irprof/key.c irprof/label.c \
              irprof/link.c irprof/llvm.c irprof/memory.c irprof/objects.c irprof/options.c irprof/place.c irprof/plausible.c irprof/predictor.c \
              irprof/profile.c irprof/report.c irprof/report_branch.c irprof/report_callgrind.c irprof/report_csv.c \
              irprof/report_json.c irprof/report_loop.c irprof/report_text.c irprof/segment.c irprof/spill.c \
              irprof/spill_access.c irprof/spill_compile.c irprof/spill_mir.c irprof/spill_rate.c irprof/spots.c irprof/state.c irprof/target_code.c irprof/target_wait.c \
              irprof/table.c irprof/tree.c irprof/trips.c irprof/steps.c irprof/values.c
irprof_main := irprof/main.c irprof/operand.c irprof/cmd_cc.c irprof/cmd_cflags.c irprof/cmd_instrument.c \
               irprof/cmd_libs.c irprof/cmd_merge.c irprof/cmd_report.c irprof/cmd_table.c
irprof_cflags := -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)
# As needed: who only reads profiles is not linked with LLVM.
irprof_ldlibs := -Wl,--as-needed $(shell $(LLVM_CONFIG) --ldflags --libs core irreader bitwriter analysis passes target \
                 2>/dev/null) -Wl,--no-as-needed

# The runtime inside counted programs: libc only, never with our own sanitizers.
irprof_rt := irprof/runtime/rt.c irprof/runtime/rt_branch.c irprof/runtime/rt_main.c irprof/runtime/rt_memory.c irprof/runtime/rt_module.c irprof/runtime/rt_region.c \
             irprof/runtime/rt_state.c irprof/runtime/rt_step.c irprof/runtime/rt_write.c sim/branch.c sim/cache.c sim/prefetch.c \
             sim/tage.c sim/tournament.c
irprof_rt_objects := $(patsubst %.c,$(BUILD)/obj/%.rt.o,$(irprof_rt))
$(BUILD)/obj/%.rt.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARN) -O2 -g -fPIC -MMD -MP -c $< -o $@
$(BUILD)/lib/shimgen/libirprof_rt.a: $(irprof_rt_objects)
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@ && ar rcs $@ $^
ALL += $(BUILD)/lib/shimgen/libirprof_rt.a
# Its sources, from which it is compiled for targets that are not this machine (the rule is in boards/part.mk).
ALL += $(addprefix $(BUILD)/share/shimgen/runtime/,$(irprof_rt) irprof/format.h irprof/runtime/rt.h \
         irprof/runtime/rt_events.h sim/branch.h sim/cache.h sim/predictor_private.h sim/prefetch.h)
$(BUILD)/bin/irprof: | $(BUILD)/lib/shimgen/libirprof_rt.a $(BUILD)/include/shim_region.h
# The compiler in one word, for build systems that want it so.
$(BUILD)/bin/irprof-cc $(BUILD)/bin/irprof-c++: $(BUILD)/bin/irprof
	$(Q)ln -sf irprof $@
ALL += $(BUILD)/bin/irprof-cc $(BUILD)/bin/irprof-c++
-include $(irprof_rt_objects:.o=.d)
irprof_tests := $(addprefix tests/unit/irprof/,test_callgraph.c test_cc.c test_cfg.c test_chains.c test_describe.c test_flow.c test_key.c test_objects.c \
              test_profile.c test_report.c test_segment.c test_spill.c test_spill_mir.c test_spill_rate.c test_target_code.c)
