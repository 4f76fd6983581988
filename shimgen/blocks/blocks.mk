# Cycles of a model's blocks (shimgen/blocks/). For shimgen/part.mk:
#   include shimgen/blocks/blocks.mk
#   shimgen_lib += $(blocks_src)      shimgen_tests += $(blocks_tests)
blocks_src := $(addprefix shimgen/blocks/,assign.c blocks.c braces.c cores.c csource.c moved.c print.c print_amalthea.c print_callgrind.c \
              print_html.c print_json.c source.c steps.c system.c traffic.c tree.c tree_read.c words.c)
# Checksums of sources.
shimgen_ldlibs += -lmd
blocks_tests := $(addprefix tests/unit/shimgen/,test_blocks_csource.c test_blocks_moved.c test_blocks_traffic.c test_blocks_tree.c \
                test_blocks_words.c)
