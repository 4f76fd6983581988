# Estimates: methods, sums, what is printed.
estimate_src := $(addprefix shimgen/estimate/,costs.c estimate.c lines.c print.c rows.c schedule.c schedule_code.c schedule_events.c schedule_meaning.c schedule_order.c schedule_target.c sum.c trust.c tune.c tune_read.c)
