shim-xml_uses := base
shim-xml_lib := $(addprefix shim-xml/document/,access_levels.c annotation.c clocks.c doc.c edit.c instruction_widths.c machine_make.c \
                machine_read.c node.c notes.c path.c quantity.c read.c schema.c skeleton.c text.c topology.c units_file.c unpack.c write.c) \
          $(addprefix shim-xml/check/,check_accesses.c check_caches.c check_costs.c check_memory.c check_readers.c check_readers_two.c \
                check_refs.c check_schema.c check_values.c findings.c nearest.c) \
          $(addprefix shim-xml/values/,import.c interval.c latencies.c memory_messages.c memory_table.c memory_units.c merge.c \
                merge_access.c merge_connections.c merge_memory.c merge_model.c merge_shim.c merge_two.c method.c model_widths.c \
                prior_values.c seal.c \
                system_values.c units.c) \
          $(addprefix shim-xml/show/,diff.c draw.c draw_blocks.c draw_lines.c draw_places.c draw_reach.c export.c show_table.c \
                show_tree.c spoken.c) \
          $(addprefix shim-xml/power/,power_check.c power_make.c power_read.c power_text.c) \
          $(addprefix shim-xml/convert/,convert.c convert_form.c convert_one.c convert_two.c widths.c)
shim-xml_main := $(addprefix shim-xml/,main.c cmd_check.c cmd_convert.c cmd_diff.c cmd_export.c cmd_get.c cmd_import.c cmd_memory.c cmd_merge.c cmd_new.c cmd_set.c cmd_show.c)
shim-xml_cflags = $(shell xml2-config --cflags)
shim-xml_ldlibs := -lxml2 -lhwloc -lz -lbz2
shim-xml_tests := $(addprefix tests/unit/shim-xml/,test_check.c test_check_exact.c test_check_schema.c test_draw.c test_interval.c test_levels.c test_limits.c test_merge.c test_merge_ranges.c test_merge_model.c test_notes.c test_plausible.c test_power.c test_readers.c test_topology.c test_two.c)

# What `make install` brings for other programs (docs/shim-library.md).
$(eval $(call installed_header,shimxml,base/error_public.h,shim-xml/error.h))
$(eval $(call installed_header,shimxml,shim-xml/shim.h,shim-xml/shim.h))
$(eval $(call installed_header,shimxml,shim-xml/shimxml.h,shim-xml/shimxml.h))
$(eval $(call installed_library,shimxml,$(shim-xml_lib)))
$(eval $(call installed_pc,shimxml,shim-xml/shimxml.pc))
