# Estimates: methods, sums, what is printed.
estimate_src := $(addprefix shimgen/estimate/,compiled.c compiled_build.c compiled_cost.c compiled_elf.c compiled_flow.c compiled_guess.c compiled_library.c compiled_machine.c compiled_miss.c compiled_text.c compiled_way.c \
                costs.c crossval.c crossval_print.c crossval_values.c estimate.c job.c leverage.c lines.c print.c rows.c schedule.c schedule_code.c schedule_events.c schedule_meaning.c schedule_misses.c schedule_model.c schedule_model_json.c schedule_order.c schedule_target.c sum.c trust.c tune.c tune_files.c tune_read.c)
