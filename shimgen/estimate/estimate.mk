# Estimates: methods, sums, what is printed.
# The method compiled.
compiled_src := $(addprefix shimgen/estimate/compiled,.c _build.c _cost.c _counts.c _elf.c _flow.c _guess.c _library.c _machine.c _miss.c _notes.c _parts.c _text.c _way.c)
estimate_src := $(compiled_src) \
                $(addprefix shimgen/estimate/,assumed.c costs.c crossval.c crossval_print.c crossval_values.c estimate.c job.c leverage.c lines.c print.c rows.c schedule.c schedule_code.c schedule_events.c schedule_meaning.c schedule_misses.c schedule_model.c schedule_model_json.c schedule_order.c schedule_target.c sum.c trust.c tune.c tune_files.c tune_micro.c tune_read.c)
