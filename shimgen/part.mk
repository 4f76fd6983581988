include shimgen/blocks/blocks.mk shimgen/report/report.mk shimgen/estimate/estimate.mk
shimgen_uses := samples irprof boards regress shim-xml sim base
shimgen_lib := $(addprefix shimgen/,board_check.c board_new.c board_show.c board_options.c findings.c import.c compile.c counting.c coverage.c coverage_print.c evaluate.c evidence.c generate.c generate_csmith.c generate_design.c jobs.c lock.c losses.c measure.c memory.c micro.c micro_evaluate.c micro_fit.c micro_table.c micro_values.c outputs.c \
               pipeline.c pipeline_publish.c profile.c publish.c publish_schedule.c quick.c report_accounting.c report_compiled.c report_coverage.c report_estimators.c report_fill.c report_machine.c report_memory.c report_micro.c report_simulated.c roles.c room.c samples.c shim_caches.c shim_simulated.c simulated.c predictors.c predictor_file.c predictor_judge.c events.c shim_core.c steps.c \
               unit.c) $(report_src) $(blocks_src) $(estimate_src)
shimgen_main := $(addprefix shimgen/,main.c cmd_blocks.c cmd_build.c cmd_cc.c cmd_events.c cmd_coverage.c cmd_crossval.c cmd_doctor.c cmd_estimate.c cmd_generate.c cmd_measure.c cmd_micro.c \
                cmd_profile.c cmd_tune.c cmd_board.c)
shimgen_tests := $(addprefix tests/unit/shimgen/,test_compiled.c test_coverage.c test_crossval.c test_estimate.c test_events.c test_tune.c test_jobs.c test_leverage.c test_micro_fit.c test_micro_table.c test_predictor_judge.c test_samples.c test_schedule.c test_schedule_model.c test_shim_caches.c test_simulated.c) $(report_tests) $(blocks_tests)
