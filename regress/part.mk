regress_uses := base
regress_lib := $(addprefix regress/data/,classes.c classes_read.c counters.c data.c join.c possible.c priors.c profilers.c rows.c table.c unknown.c) \
          $(addprefix regress/solve/,bounded.c box.c decompose.c error_stats.c fitter.c gram.c lapack.c nnls.c ols.c parallel.c \
                robust.c shrink.c solvers.c tree_solver.c) \
          $(addprefix regress/validate/,compare.c conformal.c crossval.c diagnose.c fit.c folds.c influence.c model_read.c \
                model_write.c predict.c validate.c) \
          $(addprefix regress/design/,coverage.c coverage_keys.c coverage_pool.c coverage_words.c design.c design_data.c)
regress_main := $(addprefix regress/,main.c cmd_classes.c cmd_compare.c cmd_counters.c cmd_crossval.c cmd_diagnose.c cmd_fit.c cmd_import.c cmd_join.c \
                cmd_predict.c print_common.c print_crossval.c print_diagnose.c print_fit.c)
regress_ldlibs := -llapacke -lopenblas -lm -lpthread
regress_tests := $(addprefix tests/unit/regress/,test_bounded.c test_box.c test_classes.c test_compare.c test_conformal.c test_counters.c test_coverage.c test_data.c test_design.c \
                 test_diagnose.c test_fit.c test_gram.c test_nist.c test_penalties.c test_priors.c test_ranges.c test_solvers.c test_error_stats.c test_validate.c)

# The classifications, beside the programs.
regress_classes := $(patsubst regress/classes/%,$(BUILD)/share/shimgen/classes/%,$(wildcard regress/classes/*.classes))
$(BUILD)/share/shimgen/classes/%.classes: regress/classes/%.classes
	$(Q)mkdir -p $(@D) && cp $< $@
ALL += $(regress_classes)

# What `make install` brings for other programs (docs/regress-library.md).
$(eval $(call installed_header,shimregress,base/error_public.h,regress/error.h))
$(eval $(call installed_header,shimregress,regress/regress.h,regress/regress.h))
$(eval $(call installed_library,shimregress,$(regress_lib),regress))
$(eval $(call installed_pc,shimregress,regress/shimregress.pc))
