shim-xml_uses := base
shim-xml_lib := $(addprefix shim-xml/,check_refs.c check_schema.c check_values.c diff.c findings.c memory.c memory_messages.c memory_table.c memory_units.c merge.c model.c \
                schema.c system.c text.c topology.c values.c xml.c)
shim-xml_main := $(addprefix shim-xml/,main.c cmd_check.c cmd_diff.c cmd_memory.c cmd_merge.c cmd_new.c cmd_show.c)
shim-xml_cflags = $(shell xml2-config --cflags)
shim-xml_ldlibs := -lxml2 -lhwloc
shim-xml_tests := $(addprefix tests/unit/shim-xml/,test_check.c test_limits.c test_merge.c test_topology.c)
