base_uses :=
base_lib := base/alloc.c base/cleanup.c base/cli.c base/completion.c base/completion_zsh.c base/csv.c base/demangle.c base/error.c base/file.c base/ini.c base/json.c base/map.c \
            base/proc.c base/progress.c base/stamp.c base/str.c base/sums.c
base_ldlibs := -ljansson -linih -liberty -lm
base_tests := $(addprefix tests/unit/base/,test_csv.c test_demangle.c test_str.c test_map.c test_file.c test_cli.c test_ini_json.c test_proc.c test_progress.c test_stamp.c test_sums.c)

# The header that measured programs include.
$(BUILD)/include/shim_region.h: base/shim_region.h
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(BUILD)/include/shim_region.h
