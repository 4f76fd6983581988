# Random programs: a library; the programs themselves are made when asked for.
generate_src := $(addprefix samples/generate/,draw_program.c generate_program.c interpret.c moves.c print_program.c program.c)
generate_tests := tests/unit/samples/test_generate_program.c
