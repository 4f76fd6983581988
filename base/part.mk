base_uses :=
base_lib := base/alloc.c base/cleanup.c base/cli.c base/completion/completion.c base/completion/completion_zsh.c base/csv.c base/demangle.c base/error.c base/events/event_limits.c base/events/formula.c base/file.c base/graph.c base/ini.c base/instructions.c base/json.c base/key.c base/map.c \
            base/proc.c base/program_name.c base/progress.c base/stamp.c base/str.c base/sums.c base/target.c
base_ldlibs := -ljansson -linih -liberty -lm
base_tests := $(addprefix tests/unit/base/,test_alloc.c test_completion.c test_csv.c test_demangle.c test_error.c test_event_limits.c test_str.c test_map.c test_file.c test_formula.c test_graph.c test_cli.c test_ini_json.c test_instructions.c test_key.c test_proc.c test_program_name.c test_progress.c test_stamp.c test_sums.c test_target.c)

# The headers that measured programs include.
$(BUILD)/include/shim_%.h: base/shim_%.h
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(BUILD)/include/shim_region.h $(BUILD)/include/shim_stamp.h

# ---- libraries that `make install` brings for other programs ----
# In an installed header and archive the names of base/error_public.h begin with the library's name, so that a program may
# have an OK or a struct error of its own.
public_names := OK ERR_[A-Z]* ERROR_INIT MUST_CHECK PRINTF_LIKE
public_calls := error_text error_print error_release
upper = $(shell printf %s '$(1)' | tr a-z A-Z)

# $(call installed_header,LIBRARY,FROM,TO): FROM as include/shimgen/TO.
define installed_header
$(BUILD)/include/shimgen/$(3): $(2) base/part.mk
	$$(Q)mkdir -p $$(@D) && sed -E -e 's/\<struct error\>/struct $(1)_error/g; s/\<enum status\>/enum $(1)_status/g' \
	  $(foreach n,$(public_names),-e 's/\<$(n)\>/$(call upper,$(1))_&/g') $(foreach n,$(public_calls),-e 's/\<$(n)\>/$(1)_&/g') \
	  -e 's/\<BASE_ERROR_PUBLIC_H/$(call upper,$(1))_ERROR_H/; s/"base\/error.h"/"error.h"/' $$< >$$@
ALL += $(BUILD)/include/shimgen/$(3)
endef

# $(call installed_library,LIBRARY,SOURCES,PREFIX...): lib/libLIBRARY.a, one object that shows only names with these prefixes.
define installed_library
$(BUILD)/lib/lib$(1).a: $(patsubst %.c,$(BUILD)/obj/%.o,$(2)) $(BUILD)/lib/libbase.a base/part.mk
	$$(call say,AR,$$@)
	$$(Q)$$(CC) -r -nostdlib -o $(BUILD)/obj/$(1).o $$(filter-out %.mk,$$^)
	$$(Q)objcopy $(foreach n,$(public_calls),--redefine-sym $(n)=$(1)_$(n)) $(BUILD)/obj/$(1).o
	$$(Q)objcopy --wildcard $(foreach n,$(1) $(3),--keep-global-symbol='$(n)_*') $(BUILD)/obj/$(1).o
	$$(Q)rm -f $$@ && ar rcs $$@ $(BUILD)/obj/$(1).o
ALL += $(BUILD)/lib/lib$(1).a
endef

# $(call installed_pc,LIBRARY,FROM): what pkg-config asks.
define installed_pc
$(BUILD)/lib/pkgconfig/$(1).pc: $(2) base/cli.h
	$$(Q)mkdir -p $$(@D) && sed "s/@VERSION@/$$$$(sed -n 's/^#define SHIMGEN_VERSION "\(.*\)"/\1/p' base/cli.h)/" $$< >$$@
ALL += $(BUILD)/lib/pkgconfig/$(1).pc
endef
