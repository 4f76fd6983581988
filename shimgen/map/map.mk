# Blocks on cores: their graph, the cores, the search for a mapping, what is printed of it.
map_dir := shimgen/map
map_uses := blocks $(blocks_uses)
map_lib := $(addprefix shimgen/map/,map_graph.c map_graph_read.c map_links.c map_machine.c map_rules.c) \
           $(addprefix shimgen/map/search/,curve.c draws.c exact.c feasible.c heft.c local_search.c lower_bound.c first_moves.c steps_pipeline.c \
                plan.c problem.c search.c) \
           $(addprefix shimgen/map/show/,map_amalthea.c map_dot.c map_gantt.c map_json.c map_text.c)
map_lib += $(addprefix shimgen/map/program/,joined_parts.c map_rates.c program_graph.c program_ir.c program_read.c program_traffic.c)
map_lib += $(addprefix shimgen/map/emit/,emit_program.c emit_waits.c)
# What runs an emitted mapping: compiled where that is run (the rule is in boards/part.mk).
ALL += $(addprefix $(BUILD)/share/shimgen/runtime/shimgen/map/emit/run/,map_run.c map_run.h measure.sh)
map_ldlibs := -lm
map_tests := $(addprefix tests/unit/map/,test_map.c test_map_curve.c test_map_search.c)
