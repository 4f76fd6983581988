# Freestanding: irprof's runtime compiles these sources too.
sim_uses :=
sim_lib :=
