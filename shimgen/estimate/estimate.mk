# Estimates from a SHIM file and a profile: methods, their intervals, what is printed.
estimate_dir := shimgen/estimate
estimate_uses := samples irprof boards core regress shim-xml sim base
estimate_lib := $(addprefix shimgen/estimate/,annotate.c assumed.c compile.c costs.c costs_shim.c estimate.c estimate_causes.c estimate_rows.c folded.c job.c kept_ir.c lines.c print_estimate.c \
                shim_core.c source_files.c sum.c) \
          $(addprefix shimgen/estimate/schedule/,schedule.c schedule_code.c schedule_events.c schedule_factors.c schedule_meaning.c schedule_memory.c schedule_misses.c \
                schedule_address.c schedule_division.c schedule_library.c schedule_order.c schedule_overlap.c schedule_sizes.c schedule_target.c schedule_vector.c) \
          $(addprefix shimgen/estimate/compiled/,compiled.c compiled_build.c compiled_cost.c compiled_paths.c compiled_walk.c compiled_counts.c compiled_elf.c \
                compiled_flow.c compiled_guess.c compiled_lengths.c compiled_library.c compiled_machine.c compiled_miss.c compiled_notes.c \
                compiled_parts.c compiled_text.c compiled_route.c compiled_unmeasured.c) \
          $(addprefix shimgen/estimate/tune/,micro_table.c roles.c schedule_model.c schedule_model_json.c tune.c tune_files.c tune_micro.c tune_read.c) \
          $(addprefix shimgen/estimate/intervals/,crossval_estimators.c crossval_print.c crossval_trust.c \
                crossval_values.c familiar.c trust.c)
# ELF files: libelf.
estimate_ldlibs := -lelf -lmd
estimate_tests := $(addprefix tests/unit/estimate/,test_causes.c test_compile.c test_costs.c test_costs_shim.c test_crossval_estimators.c test_crossval_trust.c test_estimate.c \
                test_kept_ir.c test_print_estimate.c test_source_files.c test_trust.c test_tune.c) \
          $(addprefix tests/unit/estimate/schedule/test_schedule,.c _address.c _ahead.c _code.c _events.c _factors.c _intervals.c _issue.c _model.c _order.c _target.c _vector.c) \
          $(addprefix tests/unit/estimate/compiled/test_compiled_,build.c cost.c counts.c elf.c flow.c guess.c library.c machine.c miss.c parts.c route.c text.c walk.c)
