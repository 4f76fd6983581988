regress_uses := base
regress_lib := $(addprefix regress/data/,classes.c classes_read.c counters.c data.c formula.c join.c priors.c rows.c table.c unknown.c) \
          $(addprefix regress/solve/,bounded.c box.c decompose.c error_stats.c fitter.c gram.c lapack.c nnls.c ols.c parallel.c ridge.c \
                robust.c shrink.c solvers.c tree_solver.c) \
          $(addprefix regress/validate/,compare.c conformal.c crossval.c diagnose.c fit.c folds.c influence.c model_read.c \
                model_write.c predict.c search.c search_draft.c search_moves.c validate.c) \
          $(addprefix regress/design/,coverage.c coverage_keys.c coverage_pool.c coverage_words.c design.c design_data.c)
regress_main := $(addprefix regress/,main.c cmd_classes.c cmd_compare.c cmd_counters.c cmd_crossval.c cmd_diagnose.c cmd_fit.c cmd_join.c \
                cmd_predict.c cmd_search.c print_common.c print_crossval.c print_diagnose.c print_fit.c)
regress_ldlibs := -llapacke -lopenblas -lm -lpthread
regress_tests := $(addprefix tests/unit/regress/,test_bounded.c test_box.c test_classes.c test_compare.c test_conformal.c test_counters.c test_coverage.c test_data.c test_design.c \
                 test_diagnose.c test_fit.c test_formula.c test_gram.c test_nist.c test_penalties.c test_priors.c test_ranges.c test_search.c test_solvers.c test_error_stats.c test_validate.c)

# The classifications, beside the programs.
regress_classes := $(patsubst regress/classes/%,$(BUILD)/share/shimgen/classes/%,$(wildcard regress/classes/*.classes))
$(BUILD)/share/shimgen/classes/%.classes: regress/classes/%.classes
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(regress_classes)

# What `make install` brings for other programs (docs/regress-library.md): one object that shows only what the header declares.
$(BUILD)/lib/libshimregress.a: $(patsubst %.c,$(BUILD)/obj/%.o,$(regress_lib)) $(BUILD)/lib/libbase.a
	$(call say,AR,$@)
	$(Q)$(CC) -r -nostdlib -o $(BUILD)/obj/shimregress.o $^
	$(Q)objcopy --wildcard $(foreach p,regress_ error_,--keep-global-symbol='$(p)*') $(BUILD)/obj/shimregress.o
	$(Q)rm -f $@ && ar rcs $@ $(BUILD)/obj/shimregress.o
$(BUILD)/lib/pkgconfig/shimregress.pc: regress/shimregress.pc base/cli.h
	$(Q)mkdir -p $(@D) && sed "s/@VERSION@/$$(sed -n 's/^#define SHIMGEN_VERSION "\(.*\)"/\1/p' base/cli.h)/" $< >$@
ALL += $(BUILD)/include/shimgen/regress/regress.h $(BUILD)/lib/libshimregress.a $(BUILD)/lib/pkgconfig/shimregress.pc
