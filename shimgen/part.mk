# The commands, the build, and what they are made of. page, estimate, report and blocks are parts of their own.
include shimgen/page/page.mk shimgen/estimate/estimate.mk shimgen/report/report.mk shimgen/blocks/blocks.mk shimgen/map/map.mk shimgen/offload/offload.mk
# Packs: libarchive.
shimgen_ldlibs := -larchive
shimgen_uses := report map offload $(map_uses)
shimgen_lib := $(addprefix shimgen/board/,board_check.c board_findings.c board_new.c board_options.c board_show.c) \
          $(addprefix shimgen/kit/,import_log.c kit_folder.c kit_images.c kit_texts.c part_choose.c part_fit.c) \
          $(addprefix shimgen/build/,build.c build_publish.c build_steps.c import_measurements.c publish.c publish_compiled.c publish_schedule.c simulated.c) \
          $(addprefix shimgen/units/,count_units.c headers.c image.c jobs.c lock.c losses.c measure_units.c outputs.c quick.c room.c unit.c) \
          $(addprefix shimgen/pack/,pack_names.c pack_read.c pack_write.c) \
          $(addprefix shimgen/farm/,agree.c collect.c engine_command.c engine_parallel.c engine_slurm.c engines.c farm.c farm_plan.c task.c task_result.c) \
          $(addprefix shimgen/publish/,merge_models.c provenance.c publish_model.c verify_model.c) \
          $(addprefix shimgen/values/,compiled_rows.c evaluate.c evidence.c micro_values.c) \
          $(addprefix shimgen/probes/,memory_probes.c micro.c micro_evaluate.c micro_fit.c micro_time.c micro_walk.c) \
          $(addprefix shimgen/predictor/,event_ratios.c predictor_file.c predictor_judge.c predictors.c) \
          $(addprefix shimgen/profile/,line_cycles.c profile_program.c source_lines.c shim_caches.c shim_simulated.c) \
          $(addprefix shimgen/core/targets/,board_kernels_aarch64.c board_kernels_riscv64.c board_kernels_x86_64.c kernels_aarch64.c kernels_riscv64.c kernels_x86_64.c) \
          $(addprefix shimgen/core/,beside.c board_core.c core_build.c core_figures.c core_write.c core_fit.c fit_begin.c fit_values.c hierarchy_figures.c kernels.c llvm_core.c mca.c measured_file.c core_predict.c timing.c trials.c) \
          $(addprefix shimgen/core/values/,values_board.c values_core.c values_figures.c values_find.c) \
          $(addprefix shimgen/core/wide/,port_sets.c wide_core.c wide_trials.c) \
          $(addprefix shimgen/compare/,compare_print.c compare_tables.c) \
          $(addprefix shimgen/coverage/,coverage_print.c sample_coverage.c) \
          $(addprefix shimgen/generate/,generate_design.c generate_samples.c) \
          $(addprefix shimgen/report_data/,report_accounting.c report_coverage.c report_data.c report_estimators.c report_fill.c \
                report_machine.c report_memory.c report_micro.c report_simulated.c)
shimgen_main := $(addprefix shimgen/,cmd_blocks.c cmd_board.c cmd_build.c cmd_cc.c cmd_compare.c cmd_core.c cmd_coverage.c cmd_crossval.c cmd_demo.c cmd_doctor.c \
                cmd_estimate.c cmd_events.c cmd_generate.c cmd_map.c cmd_measure.c cmd_micro.c cmd_offload.c cmd_profile.c cmd_tune.c main.c)
shimgen_tests := $(addprefix tests/unit/shimgen/,test_agree.c test_core_fit.c test_core_kernels.c test_core_timing.c test_event_ratios.c test_farm_plan.c test_headers.c test_jobs.c test_kit.c test_micro_fit.c test_micro_table.c test_pack.c test_port_sets.c test_predictor_judge.c \
                test_sample_coverage.c test_shim_caches.c test_simulated.c test_values_core.c)

# What `shimgen demo` shows.
example_files := $(addprefix $(BUILD)/share/shimgen/example/,$(notdir $(wildcard docs/example/*.c docs/example/*.h docs/example/*.csv docs/example/*.shim.xml)))
$(BUILD)/share/shimgen/example/%: docs/example/%
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(example_files)
