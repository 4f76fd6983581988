# Freestanding: irprof's runtime compiles these sources too.
sim_uses :=
sim_lib := sim/branch.c sim/cache.c sim/prefetch.c sim/tage.c sim/tournament.c
sim_ldlibs := -lm
sim_tests := tests/unit/sim/test_branch.c tests/unit/sim/test_predictors.c tests/unit/sim/test_cache.c tests/unit/sim/test_prefetch.c
