# The tools of the tests: the interpreter that judges irprof. It uses base, LLVM and libffi, and nothing of irprof.
oracle_sources := $(addprefix tests/oracle/,constant.c count.c decode.c decode_call.c decode_memory.c exec.c key.c layout.c \
                  main.c native.c real.c refs.c wide.c)
oracle_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(oracle_sources))
oracle_cflags := -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)

$(BUILD)/obj/tests/oracle/%.o: tests/oracle/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(oracle_cflags) -MMD -MP -c $< -o $@
$(BUILD)/tests/oracle/irinterp: $(oracle_objects) $(BUILD)/lib/libbase.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $$($(LLVM_CONFIG) --ldflags --libs) -lffi -ljansson -linih -lm
TEST_TOOLS += $(BUILD)/tests/oracle/irinterp
SOURCES += $(oracle_sources)

# Compares two profiles with all that is in them.
$(BUILD)/obj/tests/irprof/%.o: tests/irprof/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/irprof/same: $(BUILD)/obj/tests/irprof/same.o $(call libraries,irprof)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call part_ldlibs,irprof)
TEST_TOOLS += $(BUILD)/tests/irprof/same
SOURCES += tests/irprof/same.c

# Readers under fuzzing. Each target of tests/fuzz/ is linked twice: replay_NAME, with replay.c or replay_text.c in the place of libFuzzer, for make check;
# fuzz_NAME, libFuzzer's, for make fuzz, which builds it and what it calls in a folder of its own.
fuzz_targets := profile shim dataset answer schedule board model micro manifest blocks packed units callgrind perf cubex kit stamps launch points assembly
fuzz_part_profile := irprof
fuzz_part_shim := shim-xml
fuzz_part_packed := shim-xml
fuzz_part_units := shim-xml
fuzz_part_cubex := perf-xml
fuzz_part_dataset := regress
fuzz_part_answer := boards
fuzz_part_board := boards
fuzz_part_kit := boards
fuzz_part_model := core
fuzz_part_schedule := estimate
fuzz_part_micro := shimgen
fuzz_part_manifest := samples
fuzz_part_blocks := blocks
fuzz_part_callgrind := offload
fuzz_part_perf := offload
fuzz_part_stamps := irprof
fuzz_part_launch := irprof
fuzz_part_points := irprof
fuzz_part_assembly := irprof
fuzz_with_profile := mutate
fuzz_with := target
fuzz_replay_profile := replay
fuzz_replay := replay_text
$(BUILD)/obj/tests/fuzz/%.o: tests/fuzz/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/obj/tests/fuzz/assembly.o: private ALL_CFLAGS += $(irprof_cflags)
define fuzz_target
$(BUILD)/tests/fuzz/replay_$(1): $(addprefix $(BUILD)/obj/tests/fuzz/,$(or $(fuzz_replay_$(1)),$(fuzz_replay)).o $(1).o $(or $(fuzz_with_$(1)),$(fuzz_with)).o) $(call libraries,$(fuzz_part_$(1)))
	$$(call say,LINK,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(call part_ldlibs,$(fuzz_part_$(1)))
$(BUILD)/tests/fuzz/fuzz_$(1): $(addprefix $(BUILD)/obj/tests/fuzz/,$(1).o $(or $(fuzz_with_$(1)),$(fuzz_with)).o) $(call libraries,$(fuzz_part_$(1)))
	$$(call say,LINK,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(CC) $$(ALL_LDFLAGS) -fsanitize=fuzzer -o $$@ $$^ $$(call part_ldlibs,$(fuzz_part_$(1)))
endef
$(foreach t,$(fuzz_targets),$(eval $(call fuzz_target,$(t))))
TEST_TOOLS += $(patsubst %,$(BUILD)/tests/fuzz/replay_%,$(filter-out shim,$(fuzz_targets)))
SOURCES += $(patsubst %,tests/fuzz/%.c,$(fuzz_targets) mutate target replay replay_text)
FUZZ_SECONDS ?= 600
FUZZ ?= $(fuzz_targets)
.PHONY: fuzz fuzz-targets
fuzz-targets:
	@echo '$(fuzz_targets)'
fuzz: all
	$(Q)$(MAKE) --no-print-directory BUILD='$(BUILD)/fuzz' CFLAGS='-O1 -g' SANFLAGS='-fsanitize=fuzzer-no-link,address,undefined \
	  -fno-sanitize-recover=undefined -fno-omit-frame-pointer' $(patsubst %,$(BUILD)/fuzz/tests/fuzz/fuzz_%,$(FUZZ))
	@BUILD='$(abspath $(BUILD))' sh tests/fuzz/fuzz.sh $(FUZZ_SECONDS) $(FUZZ)

# Measures through board_measure, with a go-between in the place of the measured program.
$(BUILD)/obj/tests/pmu/%.o: tests/pmu/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/pmu/measure: $(BUILD)/obj/tests/pmu/measure.o $(call libraries,boards)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call part_ldlibs,boards)
TEST_TOOLS += $(BUILD)/tests/pmu/measure
SOURCES += tests/pmu/measure.c

# What a power cut takes away: a log kept by a preloaded library, and what applies it. Never sanitized: it is loaded into others.
$(BUILD)/tests/shimgen/powercut.so: tests/shimgen/powercut.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARN) -O2 -g -fPIC -shared -o $@ $< -ldl
$(BUILD)/obj/tests/shimgen/%.o: tests/shimgen/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/shimgen/powercut_apply: $(BUILD)/obj/tests/shimgen/powercut_apply.o $(BUILD)/lib/libbase.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(base_ldlibs)
TEST_TOOLS += $(BUILD)/tests/shimgen/powercut.so $(BUILD)/tests/shimgen/powercut_apply
SOURCES += tests/shimgen/powercut_apply.c

# A container's answer to perf_event_open.
$(BUILD)/tests/machines/no-perf: $(BUILD)/obj/tests/machines/no_perf.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^
$(BUILD)/obj/tests/machines/%.o: tests/machines/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
TEST_TOOLS += $(BUILD)/tests/machines/no-perf
SOURCES += tests/machines/no_perf.c

# What the published SHIM tools leave of a file.
$(BUILD)/obj/tests/shim-xml/%.o: tests/shim-xml/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(shim-xml_cflags) -MMD -MP -c $< -o $@
$(BUILD)/tests/shim-xml/reference_tools: $(BUILD)/obj/tests/shim-xml/reference_tools.o $(call libraries,shim-xml)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call part_ldlibs,shim-xml)
TEST_TOOLS += $(BUILD)/tests/shim-xml/reference_tools
SOURCES += tests/shim-xml/reference_tools.c

# What the simulator's decoders make of an instruction, to be held against a disassembler.
$(BUILD)/obj/tests/iss/%.o: tests/iss/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/iss/operands: $(BUILD)/obj/tests/iss/operands.o $(call libraries,core)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcapstone -lm
$(BUILD)/tests/iss/effects_x86_64: $(BUILD)/obj/tests/iss/effects_x86_64.o $(call libraries,core)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcapstone -lm
TEST_TOOLS += $(BUILD)/tests/iss/operands $(BUILD)/tests/iss/effects_x86_64
SOURCES += tests/iss/operands.c tests/iss/effects_x86_64.c

# Cores drawn at random: cycles of blocks by what was measured of a core and by its file. make blind: SEEDS='1 2', ARCHITECTURE=riscv64, FOLDER=...
$(BUILD)/obj/tests/cores/%.o: tests/cores/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/cores/block_%: $(BUILD)/obj/tests/cores/block_%.o $(call libraries,estimate)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call part_ldlibs,estimate)
$(BUILD)/tests/cores/wide_%: $(BUILD)/obj/tests/cores/wide_%.o $(call libraries,shimgen)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call part_ldlibs,shimgen)
TEST_TOOLS += $(BUILD)/tests/cores/block_cycles $(BUILD)/tests/cores/block_counts $(BUILD)/tests/cores/wide_recovery $(BUILD)/tests/cores/wide_board
SOURCES += tests/cores/block_cycles.c tests/cores/block_counts.c tests/cores/wide_recovery.c tests/cores/wide_board.c
FROZEN ?= $$(git rev-parse HEAD)
.PHONY: blind
blind: all $(BUILD)/tests/cores/block_cycles
	@BUILD='$(abspath $(BUILD))' tests/cores/blind.sh '$(or $(FOLDER),$(BUILD)/blind)' '$(or $(ARCHITECTURE),both)' $(or $(SEEDS),$$(sh tests/cores/seeds.sh $(FROZEN)))

# Mutation testing: a program that lists the small changes of a source which its tests should notice, by libclang; a script
# that makes them and runs the tests (tests/mutate/mutate --help).
mutants_objects := $(addprefix $(BUILD)/obj/tests/mutate/,mutants.o operators.o places.o)
$(BUILD)/obj/tests/mutate/%.o: tests/mutate/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null) -MMD -MP -c $< -o $@
$(BUILD)/tests/mutate/mutants: $(mutants_objects) $(BUILD)/lib/libbase.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $$($(LLVM_CONFIG) --ldflags) -lclang $(base_ldlibs)
TEST_TOOLS += $(BUILD)/tests/mutate/mutants
SOURCES += $(addprefix tests/mutate/,mutants.c operators.c places.c)
FILES ?=
MUTANTS ?= 200
SEED ?= 1
LEAST ?= 0
.PHONY: mutate
mutate: export CC := $(CC)
mutate: export LLVM_CONFIG := $(LLVM_CONFIG)
mutate: export MUTATE_FLAGS = $(ALL_CFLAGS) $(part_includes) $(made_includes)
mutate: all test-programs
	@BUILD='$(abspath $(BUILD))' tests/mutate/mutate -n '$(MUTANTS)' -s '$(SEED)' $(patsubst -j%,-j %,$(filter -j%,$(MAKEFLAGS))) \
	  $(if $(ONLY),--only '$(ONLY)') --least '$(LEAST)' $(foreach f,$(FILES),'$(f)')

# Coverage by tests: all built once more, with clang's counters. Not all scripts: those that execute what no unit test and no command
# case does, and take minutes at most.
coverage_scripts := $(addprefix boards/,command counters hostile kit lines ssh) $(addprefix irprof/,cc-project kernel prove_kernels stamp steps) $(addprefix cores/,blind in_order wide_board) \
  $(addprefix shimgen/,block_tables blocks build cc core demo emit farm generate import instances lock losses map map_rates micro offload predictor profile profile-board quick \
    publish report report-compiled traffic) oracle/spills $(addprefix perf-xml/,cubex written)
COVERAGE_TESTS ?= unit cli $(coverage_scripts)
.PHONY: coverage
coverage_flags := -fprofile-instr-generate -fcoverage-mapping
# LLVM's linker, where it is installed, links the some 200 programs in a fraction of the time.
coverage_ld = $(if $(wildcard $(shell $(LLVM_CONFIG) --bindir 2>/dev/null)/ld.lld),-fuse-ld=lld )
coverage_exit := $(abspath $(BUILD))/coverage/obj/tests/coverage_exit.o
coverage:
	$(Q)mkdir -p $(dir $(coverage_exit)) && $(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O2 -c tests/coverage_exit.c -o $(coverage_exit)
	$(Q)LLVM_PROFILE_FILE=/dev/null $(MAKE) --no-print-directory BUILD='$(BUILD)/coverage' CFLAGS='-O1 -g' \
	  LDFLAGS='$(coverage_ld)-Wl,--wrap=_exit,--wrap=execv,--wrap=execvp $(coverage_exit)' SANFLAGS='$(coverage_flags)' FAKE_FLAGS='$(coverage_flags)' all test-programs
	@BUILD='$(abspath $(BUILD))/coverage' LLVM_BIN="$$($(LLVM_CONFIG) --bindir)" MISSED='$(MISSED)' FUNCTIONS='$(FUNCTIONS)' ADD='$(ADD)' tests/coverage.sh $(COVERAGE_TESTS)

# The bench: prints figures, judges nothing (tests/bench/README.md).
$(BUILD)/obj/tests/bench/%.o: tests/bench/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/bench/race: $(BUILD)/obj/tests/bench/race.o $(BUILD)/lib/libbase.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(base_ldlibs)
$(BUILD)/tests/bench/peak: $(BUILD)/obj/tests/bench/peak.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^
SOURCES += tests/bench/race.c tests/bench/peak.c
.PHONY: bench
bench: all $(BUILD)/tests/bench/race $(BUILD)/tests/bench/peak
	@BUILD='$(abspath $(BUILD))' LLVM_CONFIG='$(LLVM_CONFIG)' sh tests/bench/bench.sh $(BENCH)
