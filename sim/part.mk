# Simulated caches and branch predictors. Freestanding: irprof's runtime compiles these sources too.
sim_uses :=
sim_lib := sim/branch/branch.c sim/branch/tage.c sim/branch/tournament.c sim/cache/cache.c sim/cache/prefetch.c
sim_ldlibs := -lm
sim_tests := tests/unit/sim/test_branch.c tests/unit/sim/test_predictors.c tests/unit/sim/test_cache.c tests/unit/sim/test_prefetch.c
include sim/core/core.mk
