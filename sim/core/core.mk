# The timing of a core: decoders, pipeline, memory hierarchy. The simulated boards' plugin runs it, and `compiled` asks it for
# code that nobody runs.
core_dir := sim/core
core_uses := sim base
core_lib := $(addprefix sim/core/,arithmetic_x86.c branch_unit.c code_schedule.c core_model.c decode_aarch64.c decode_aarch64_fp.c \
              decode_aarch64_memory.c decode_riscv64.c decode_thumb.c decode_thumb_fp.c expand_rvc.c flash.c hierarchy.c op.c pipeline.c registers.c \
              ports.c wide.c x86/decode_x86.c x86/x86_length.c x86/x86_table.c)
core_ldlibs := -lcapstone
core_tests := $(addprefix tests/unit/core/,test_arithmetic_x86.c test_branch_unit.c test_code_schedule.c test_core_figures.c test_core_model.c test_decode_aarch64.c test_decode_aarch64_effect.c test_decode_riscv64.c test_decode_thumb.c test_decode_x86.c test_expand_rvc.c test_flash.c test_hierarchy.c \
                test_pipeline.c test_pipeline_flash.c test_pipeline_issue.c test_pipeline_pairs.c test_registers.c test_wide.c test_wide_rules.c)
$(core_tests:%.c=$(BUILD)/%): | $(addprefix $(BUILD)/share/shimgen/boards/,raspberrypi3-sim/cortex-a53.ini riscv64-sim/sifive-u74.ini cortex-m4-sim/cortex-m4.ini)
