irprof_uses := sim page base
irprof_lib := $(addprefix irprof/profile/,callgraph.c chains.c container.c counter_values.c counts.c description.c folding.c footprint_section.c \
                overlap.c plausible.c predictor_text.c quotient_bits.c profile.c traffic_section.c windows_section.c) \
          $(addprefix irprof/module/,child.c condition.c debug_nodes.c edge_split.c hooks.c instruction_key.c llvm.c options.c step_regions.c) \
          $(addprefix irprof/access/,access_base.c access_order.c access_plan.c access_text.c) \
          $(addprefix irprof/count/,cfg.c counter.c dataflow.c describe.c flow.c flow_loops.c insert.c place.c segment.c \
                spanning_tree.c trips.c) \
          $(addprefix irprof/events/,branch_events.c branch_jump.c branch_switch.c footprint_events.c memory_events.c memory_reports.c quotient_events.c size_events.c state.c traffic_events.c window_events.c) \
          $(addprefix irprof/codegen/,branch_code.c code_find.c code_map.c generator.c label.c label_names.c mnemonic.c spill.c spill_access.c spill_compile.c spill_mir.c switch_code.c target_code.c \
                target_flops.c target_wait.c) \
          irprof/instrument/instrument.c \
          $(addprefix irprof/report/,callgrind.c columns.c profile_report.c report_branch.c report_callgrind.c report_csv.c report_json.c \
                report_loop.c report_text.c section.c wide_table.c) \
          $(addprefix irprof/depend/,depend_effects.c depend_inline.c depend_place.c parts_depend.c split_part.c split_write.c) \
          $(addprefix irprof/stamp/,clock.c cpu.c kernel.c kernel_function.c kernel_ids.c kernel_shared.c loops.c marks.c module_data.c places.c \
                results.c sled.c specs.c stamp_module.c stamped_kernels.c) \
          $(addprefix irprof/history/,gantt.c history.c imbalance.c lanes.c otf2.c page.c page_tables.c points.c raw.c raw_kernels.c write_table.c) \
          $(addprefix irprof/cc/,cc.c cc_args.c cc_command.c cc_link.c cc_stamp.c link.c objects.c step_names.c) \
          $(addprefix irprof/kernel/,builtins.c executions.c host_text.c kernel_load.c kernel_run.c kernel_table.c launch.c) \
          $(addprefix irprof/prove/,code_lines.c code_text.c executed.c flip.c guard.c ptxas.c run_kernels.c run_programs.c run_time.c \
                same_work.c stamp_marks.c structure.c verdicts.c)
irprof_main := irprof/main.c irprof/operand.c irprof/cmd_cc.c irprof/cmd_cflags.c irprof/cmd_history.c irprof/cmd_instrument.c \
               irprof/cmd_kernel.c irprof/cmd_libs.c irprof/cmd_merge.c irprof/cmd_prove.c irprof/cmd_report.c irprof/cmd_stamp.c irprof/cmd_table.c
irprof_cflags := -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)
# As needed: who only reads profiles is not linked with LLVM.
irprof_ldlibs := -Wl,--as-needed $(shell $(LLVM_CONFIG) --ldflags --libs core irreader bitwriter analysis passes target mcdisassembler \
                 2>/dev/null) $(shell pkg-config --libs otf2 2>/dev/null || echo -lopen-trace-format2) -Wl,--no-as-needed

# Style and script of the page of a history become lists of numbers that page.c includes.
irprof_assets := $(BUILD)/gen/irprof/history
$(irprof_assets)/%.inc: irprof/history/%
	$(Q)mkdir -p $(@D)
	$(Q)od -An -v -tu1 $< | sed 's/\([0-9]\{1,\}\)/\1,/g' > $@
$(BUILD)/obj/irprof/history/page.o: $(irprof_assets)/gantt.css.inc $(irprof_assets)/gantt.js.inc
$(BUILD)/obj/irprof/history/page.o: private ALL_CFLAGS += -I$(irprof_assets)

# The runtime inside counted programs: libc only, never with our own sanitizers.
irprof_rt := irprof/runtime/rt.c irprof/runtime/rt_branch.c irprof/runtime/rt_footprint.c irprof/runtime/rt_main.c irprof/runtime/rt_memory.c irprof/runtime/rt_module.c irprof/runtime/rt_region.c \
             irprof/runtime/rt_state.c irprof/runtime/rt_step.c irprof/runtime/rt_thread.c irprof/runtime/rt_traffic.c irprof/runtime/rt_windows.c irprof/runtime/rt_write.c $(sim_lib)
irprof_rt_objects := $(patsubst %.c,$(BUILD)/obj/%.rt.o,$(irprof_rt))
$(BUILD)/obj/%.rt.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARN) -O2 -g $(PATH_FLAGS) -fPIC -MMD -MP -c $< -o $@
$(BUILD)/lib/shimgen/libirprof_rt.a: $(irprof_rt_objects)
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@ && ar rcs $@ $^
ALL += $(BUILD)/lib/shimgen/libirprof_rt.a
# The runtime inside stamped programs, likewise.
irprof_stamp_rt := $(addprefix irprof/runtime/,rt_stamp.c rt_stamp_clock.c rt_stamp_file.c rt_stamp_sled.c)
irprof_stamp_rt_objects := $(patsubst %.c,$(BUILD)/obj/%.rt.o,$(irprof_stamp_rt))
$(BUILD)/lib/shimgen/libirprof_stamp.a: $(irprof_stamp_rt_objects)
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@ && ar rcs $@ $^
ALL += $(BUILD)/lib/shimgen/libirprof_stamp.a
ALL += $(addprefix $(BUILD)/share/shimgen/runtime/,$(irprof_stamp_rt) irprof/runtime/rt_stamp.h irprof/profile/stamp_format.h)
# What runs kernels of OpenCL C: linked with them by irprof kernel and irprof prove.
irprof_kernel_rt := $(addprefix irprof/kernel/runtime/,kr_functions.c kr_items.c kr_main.c kr_memory.c)
irprof_kernel_rt_objects := $(patsubst %.c,$(BUILD)/obj/%.rt.o,$(irprof_kernel_rt))
$(BUILD)/lib/shimgen/libirprof_kernel.a: $(irprof_kernel_rt_objects)
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@ && ar rcs $@ $^
ALL += $(BUILD)/lib/shimgen/libirprof_kernel.a $(BUILD)/share/shimgen/runtime/irprof/kernel/runtime/host.h
-include $(irprof_kernel_rt_objects:.o=.d)
# Its sources, from which it is compiled for targets that are not this machine (the rule is in boards/part.mk).
ALL += $(addprefix $(BUILD)/share/shimgen/runtime/,$(irprof_rt) irprof/profile/format.h irprof/runtime/rt.h \
         irprof/runtime/rt_events.h irprof/runtime/rt_footprint.h irprof/runtime/rt_traffic.h irprof/runtime/rt_windows.h sim/branch/branch.h sim/cache/cache.h sim/branch/predictor_kind.h sim/branch/several_tables.h sim/cache/prefetch.h)
$(BUILD)/bin/irprof: | $(BUILD)/lib/shimgen/libirprof_rt.a $(BUILD)/lib/shimgen/libirprof_stamp.a $(BUILD)/include/shim_region.h \
    $(BUILD)/include/shim_stamp.h
# The compiler in one word, for build systems that want it so.
$(BUILD)/bin/irprof-cc $(BUILD)/bin/irprof-c++: $(BUILD)/bin/irprof
	$(Q)ln -sf irprof $@
ALL += $(BUILD)/bin/irprof-cc $(BUILD)/bin/irprof-c++
-include $(irprof_rt_objects:.o=.d) $(irprof_stamp_rt_objects:.o=.d)
irprof_tests := $(addprefix tests/unit/irprof/,test_access.c test_branch_code.c test_callgraph.c test_cc.c test_cfg.c test_chains.c test_code_map.c test_describe.c test_flow.c test_instruction_key.c test_kernel_builtins.c test_kernel_launch.c test_label.c test_mnemonic.c test_objects.c test_place.c \
              test_profile.c test_prove_code.c test_prove_same.c test_prove_verdicts.c test_report.c test_segment.c test_spill.c test_spill_mir.c test_stamp_draw.c test_stamp_history.c test_stamp_specs.c test_stamp_times.c test_target_code.c test_traffic_section.c test_trips.c)
