# Random programs: a library; the programs themselves are made when asked for.
generate_src := $(addprefix samples/generate/,csmith.c draw.c generate.c interpret.c moves.c print.c program.c)
generate_tests := tests/unit/samples/test_generate.c
