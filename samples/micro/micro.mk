# Microbenchmarks that are made as IR.
micro_src := $(addprefix samples/micro/,body.c cases.c cases_arithmetic.c cases_comparison.c cases_control.c cases_conversion.c \
             cases_intrinsics.c cases_library.c cases_memory.c cases_pairs.c cases_vectors.c code.c emit.c \
             shape_control.c shape_library.c shape_memory.c shape_use.c shape_value.c target.c types.c)
micro_ldlibs := -Wl,--as-needed $(shell $(LLVM_CONFIG) --ldflags --libs core analysis bitwriter target object mcdisassembler \
                x86 aarch64 arm riscv irreader 2>/dev/null) -Wl,--no-as-needed
micro_tests := $(addprefix tests/unit/samples/,test_micro_cases.c test_micro_code.c test_micro_evidence.c)
