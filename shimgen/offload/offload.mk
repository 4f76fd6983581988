# What is worth an accelerator: readers, indexes, verdicts, bounds, what is printed.
offload_dir := shimgen/offload
offload_uses := page estimate $(estimate_uses)
offload_lib := $(addprefix shimgen/offload/,accelerator.c arcs.c call_parts.c callgrind_line.c callgrind_loops.c code_arithmetic.c event_weights.c judge.c \
                 offload_table.c operations.c perf_line.c profile_costs.c read_callgrind.c read_perf.c read_profile.c record.c) \
               $(addprefix shimgen/offload/show/,icicle.c offload_json.c offload_page.c offload_print.c offload_time.c over_time.c)
offload_tests := $(addprefix tests/unit/offload/,test_accelerator.c test_events.c test_judge.c test_offload_print.c test_operations.c test_read_callgrind.c test_read_perf.c)

# The descriptions of accelerators, beside the programs.
offload_accelerators := $(patsubst shimgen/offload/accelerators/%,$(BUILD)/share/shimgen/accelerators/%,$(wildcard shimgen/offload/accelerators/*.ini))
$(BUILD)/share/shimgen/accelerators/%.ini: shimgen/offload/accelerators/%.ini
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(offload_accelerators)
# What events of processors' counters stand for.
offload_events := $(patsubst shimgen/offload/events/%,$(BUILD)/share/shimgen/events/%,$(wildcard shimgen/offload/events/*.ini))
$(BUILD)/share/shimgen/events/%.ini: shimgen/offload/events/%.ini
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(offload_events)
