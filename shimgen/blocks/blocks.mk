# Cycles of a model's blocks.
blocks_dir := shimgen/blocks
blocks_uses := page estimate $(estimate_uses)
blocks_lib := $(addprefix shimgen/blocks/,amalthea_names.c assign.c block_counts.c block_names.c block_steps.c block_tree.c braces.c call_tree.c charts.c \
                comment_words.c cores.c csource.c inclusive.c loads.c make_blocks.c measured.c moved.c traffic.c tree_read.c) \
              $(addprefix shimgen/blocks/print/,print_amalthea.c print_blocks.c print_callgrind.c print_html.c print_json.c shown.c)
# Checksums of sources.
blocks_ldlibs := -lmd
blocks_tests := $(addprefix tests/unit/blocks/,test_block_names.c test_block_tree.c test_call_tree.c test_comment_words.c test_cores.c test_csource.c \
                test_make_blocks.c test_moved.c test_print_blocks.c test_traffic.c)
