# shimgen: build, test, install. `make help` lists the targets.
#
# Each part brings <part>/part.mk with explicit lists (paths from the top). A part that stands inside another part's
# folder (sim/core, shimgen/estimate ...) is brought by that one and says where it is:
#   <part>_dir     its folder, if that is not <part>/
#   <part>_uses    the parts it may depend on: their libraries are linked, in this order
#   <part>_lib     sources of its library
#   <part>_main    sources of its program, if it has one; the program is named like the part
#   <part>_cflags, <part>_ldlibs   what its foreign libraries need
#   <part>_tests   unit tests, each a program of its own that links this part and what it uses, nothing else;
#                  <part>_tests_cflags, <part>_tests_ldlibs: what only these need
# and any rule of its own (runtimes, data files).

BOARD ?= host
BUILD ?= build
PREFIX ?= /usr/local
LLVM_CONFIG ?= llvm-config-19
# Of the names of LLVM's programs: 19 as in clang-19; empty: they have none.
llvm_number := $(filter-out llvm-config,$(patsubst llvm-config-%,%,$(notdir $(LLVM_CONFIG))))
ifeq ($(origin CC),default)
CC := clang$(addprefix -,$(llvm_number))
endif
V ?=
Q := $(if $(V),,@)
say = $(if $(V),@:,@printf '%-7s %s\n' '$(1)' '$(2)')

WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
CFLAGS ?= -O2 -g
# SAN=1 builds everything under build/san with address and undefined-behaviour sanitizers.
ifeq ($(SAN),1)
BUILD := build/san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
# ANYWHERE=1: no file has this folder's path in it, so that building in another one gives the same bytes (packages).
PATH_FLAGS := $(if $(ANYWHERE),-ffile-prefix-map=$(CURDIR)=.)
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE $(addprefix -DLLVM_NUMBER=,$(llvm_number)) -I. $(WARN) $(CFLAGS) $(PATH_FLAGS) $(SANFLAGS)
ALL_LDFLAGS = $(LDFLAGS) $(SANFLAGS)
# cmocka 2 has other names for assert_in_range, which cmocka 1 lacks.
TESTS_CFLAGS := -DCMOCKA_DISABLE_DEPRECATION_WARNINGS

.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

PARTS := base sim core irprof boards samples regress shim-xml perf-xml page estimate report blocks map offload shimgen
-include $(foreach p,$(PARTS),$(p)/part.mk)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
# A part's library and those it uses, in link order.
libraries = $(foreach p,$(1) $($(1)_uses),$(if $($(p)_lib),$(BUILD)/lib/lib$(p).a))
part_ldlibs = $(foreach p,$(1) $($(1)_uses),$($(p)_ldlibs))
part_cflags = $(foreach p,$(1) $($(1)_uses),$($(p)_cflags))
part_includes = $(foreach p,$(PARTS),$($(p)_cflags))
# Where the lists of numbers are that pages are made of.
made_includes = $(addprefix -I$(BUILD)/gen/,shimgen/page perf-xml/page irprof/history)

# $(call part,NAME): the rules for one part.
define part
$(BUILD)/obj/$(or $($(1)_dir),$(1))/%.o: $(or $($(1)_dir),$(1))/%.c $(BUILD)/flags
	$$(call say,CC,$$<)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(CC) $$(ALL_CFLAGS) $$(call part_cflags,$(1)) -MMD -MP -c $$< -o $$@
$(BUILD)/obj/tests/unit/$(1)/%.o: tests/unit/$(1)/%.c $(BUILD)/flags
	$$(call say,CC,$$<)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(CC) $$(ALL_CFLAGS) $$(call part_cflags,$(1)) $$($(1)_tests_cflags) $(TESTS_CFLAGS) -MMD -MP -c $$< -o $$@
ifneq ($($(1)_lib),)
$(BUILD)/lib/lib$(1).a: $(call objects,$($(1)_lib))
	$$(call say,AR,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)rm -f $$@ && ar rcs $$@ $$^
ALL += $(BUILD)/lib/lib$(1).a
endif
ifneq ($($(1)_main),)
$(BUILD)/bin/$(1): $(call objects,$($(1)_main)) $(call libraries,$(1))
	$$(call say,LINK,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(call part_ldlibs,$(1))
# What completes its command lines, printed by itself.
$(BUILD)/share/bash-completion/completions/$(1): $(BUILD)/bin/$(1)
	$(Q)mkdir -p $$(@D) && $(BUILD)/bin/$(1) --completion bash >$$@
$(BUILD)/share/zsh/site-functions/_$(1): $(BUILD)/bin/$(1)
	$(Q)mkdir -p $$(@D) && $(BUILD)/bin/$(1) --completion zsh >$$@
ALL += $(BUILD)/bin/$(1) $(BUILD)/share/bash-completion/completions/$(1) $(BUILD)/share/zsh/site-functions/_$(1)
PROGRAMS += $(BUILD)/bin/$(1)
endif
$(foreach t,$($(1)_tests),
$(BUILD)/$(t:.c=): $(call objects,$(t)) $(call libraries,$(1))
	$$(call say,LINK,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(call part_ldlibs,$(1)) $$($(1)_tests_ldlibs) -lcmocka
UNIT_TESTS += $(BUILD)/$(t:.c=)
)
SOURCES += $($(1)_lib) $($(1)_main) $($(1)_tests)
endef
$(foreach p,$(PARTS),$(eval $(call part,$(p))))
include tests/tests.mk

# The command that compiles, written only when it changes: all objects depend on it.
$(BUILD)/flags: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)echo '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LLVM_CONFIG)' | cmp -s - $@ || \
	  echo '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LLVM_CONFIG)' > $@
FORCE:

-include $(patsubst %.c,$(BUILD)/obj/%.d,$(SOURCES))

.PHONY: all remove-stale help setup shim check check-quick test-programs test-tools check-headers tidy golden install install-files docs deb tarball clean format sizes FORCE
all: $(ALL) remove-stale

# What an older build of this tree left there would be found by the programs, and installed.
remove-stale: $(ALL)
	$(Q)printf '%s\n' $(sort $(ALL)) >$(BUILD)/installed && find $(BUILD)/share $(BUILD)/include -type f | \
	  grep -vxFf $(BUILD)/installed | while read -r f; do rm -f "$$f"; done

help:
	@echo 'make shim [BOARD=host]  set up, build, measure the board, write out/BOARD/; BOARD: see shimgen board list'
	@echo '          SSH=USER@HOST: the board is there; MEASUREMENTS=FILE: of a board measured elsewhere'
	@echo '          QUICK=1: a first file within a minute; CLEAN=1: remove out/BOARD/work/ after; STRICT=1: nothing may be left out'
	@echo 'make check              set up, build, run every test'
	@echo 'make                    build into build/'
	@echo 'make install PREFIX= DESTDIR='
	@echo 'make check-quick        the tests that need no set-up; TESTS=NAMES: only these (tests/README.md)'
	@echo 'make fuzz               search for input that harms what reads it; FUZZ_SECONDS=600 on each target, FUZZ=TARGETS (tests/README.md)'
	@echo 'make mutate             do the tests notice a wrong source? FILES=PARTS AND SOURCES, MUTANTS=200, SEED=1, ONLY=LIST (tests/README.md)'
	@echo 'make coverage           lines and branches that tests execute, by part; MISSED=SOURCES, FUNCTIONS=SOURCES: what none executes'
	@echo 'make bench              what counting costs, beside what is aimed at (tests/bench/README.md)'
	@echo 'make golden TESTS=NAMES rewrite what these command cases expect'
	@echo 'make check-headers      compile each header alone'
	@echo 'make tidy               clang-tidy; TIDY_FILES=FILES: only these'
	@echo 'make format             clang-format the sources'
	@echo 'make sizes              lines per file, longest first'
	@echo 'make docs               README, pages and manuals as HTML: build/docs/index.html'
	@echo 'make deb                Debian packages in build/deb; TWICE=1: built twice, in two places, and compared'
	@echo 'make tarball            build/shimgen-VERSION-linux-MACHINE.tar.gz: programs, libraries and clang, to unpack anywhere'
	@echo 'make clean'
	@echo 'variables: LLVM_CONFIG=llvm-config-NN  NO_INSTALL=1  SAN=1  V=1'

# Installs what packages.txt names and the machine lacks; `shim` leaves out what only tests need, and adds the board's own
# list. A sub-make follows, because what this file asks (llvm-config, pkg-config) may only be there afterwards.
setup: export NO_INSTALL := $(NO_INSTALL)
setup: export LLVM_CONFIG := $(LLVM_CONFIG)
setup:
	@sh base/setup.sh packages.txt

# BOARD is a name, of a board in boards/ or of a folder here, or a path to a board's folder (it has a '/').
board_folder = $(if $(findstring /,$(BOARD))$(if $(wildcard boards/$(BOARD)/board.ini),,$(wildcard $(BOARD)/board.ini)),$(BOARD),boards/$(BOARD))
# By the environment: what a shell reads there it takes as it is, quotes and blanks included.
shim: export BOARD := $(BOARD)
shim: export BOARD_FOLDER := $(board_folder)
shim: export SSH := $(SSH)
shim: export MEASUREMENTS := $(MEASUREMENTS)
shim: export QUICK := $(QUICK)
shim: export CLEAN := $(CLEAN)
shim: export STRICT := $(STRICT)
shim: export NO_INSTALL := $(NO_INSTALL)
shim: export LLVM_CONFIG := $(LLVM_CONFIG)
shim:
	@NO_TESTS=1 sh base/setup.sh packages.txt "$$BOARD_FOLDER"
	@$(MAKE) --no-print-directory all
	@set -- "$$BOARD"; \
	[ -z "$$SSH" ] || set -- "$$@" --ssh "$$SSH"; \
	[ -z "$$MEASUREMENTS" ] || set -- "$$@" --measurements "$$MEASUREMENTS"; \
	[ -z "$$QUICK" ] || set -- "$$@" --quick; \
	[ -z "$$CLEAN" ] || set -- "$$@" --clean; \
	[ -z "$$STRICT" ] || set -- "$$@" --strict; \
	exec $(BUILD)/bin/shimgen build "$$@"

check: setup
	@$(MAKE) --no-print-directory check-quick

test-programs: $(UNIT_TESTS) $(TEST_TOOLS)
test-tools: $(TEST_TOOLS)

check-quick: all test-programs
	@LLVM_CONFIG='$(LLVM_CONFIG)' BUILD='$(abspath $(BUILD))' UNIT_TESTS='$(abspath $(UNIT_TESTS))' tests/run $(TESTS)

# Rewrites what the command cases named by TESTS expect, and shows the difference.
golden: all
	@BUILD='$(abspath $(BUILD))' tests/run --golden $(TESTS)

# Each header compiles alone. Those of kits need a part's own one.
check-headers:
	@bad=0; for h in $$(git ls-files '*.h' | grep -v '^boards/kit/files/'); do \
	  $(CC) $(ALL_CFLAGS) $(part_includes) -Ibase -Wno-unused-function -Wno-missing-prototypes -fsyntax-only -x c $$h || bad=1; \
	done; exit $$bad

# clang-tidy's findings (.clang-tidy) are failures. Inputs of tests, and sources of a kit, which need a part's header, are not looked at. TIDY_FILES: these instead of all;
# TIDY: more options.
TIDY_FILES ?= $(shell git ls-files '*.c')
tidy: all
	@printf '%s\n' $(TIDY_FILES) | grep -v -e '^$$' -e '^boards/kit/files/' -e '^tests/cli/' -e '^tests/iss/coremark/' -e '^tests/oracle/cases/' -e '^tests/irprof/flows/' -e '^tests/mutate/tiny/' | \
	  xargs -r -P $$(nproc) -n 4 sh -c 'clang-tidy --quiet $(TIDY) "$$@" -- $(ALL_CFLAGS) $(part_includes) -Ibase $(made_includes) 2>/dev/null' tidy

install: all
	$(Q)$(MAKE) --no-print-directory install-files

# Without building. Where to: by the environment, as in `shim`.
install-files: export DESTDIR := $(DESTDIR)
install-files: export PREFIX := $(PREFIX)
install-files:
	$(Q)for d in bin lib share include; do \
	  (cd $(BUILD) && find -L $$d -type f \( -path 'bin/*' -o -path '*/shimgen/*' -o -path '*-completion/*' -o -path '*/site-functions/*' -o -path 'include/*' -o -path 'lib/libshimxml.a' -o -path 'lib/libshimregress.a' \
	    -o -path 'lib/pkgconfig/*' \) -print) | \
	  while read -r f; do case $$f in bin/*|lib/shimgen/shimgen-counters) m=755;; *) m=644;; esac; \
	    install -D -m $$m $(BUILD)/$$f "$$DESTDIR$$PREFIX/$$f" || exit 1; done || exit 1; done
	$(Q)find docs/man -name '*.[15]' 2>/dev/null | while read -r f; do \
	  install -D -m 644 $$f "$$DESTDIR$$PREFIX/share/man/man$${f##*.}/$${f##*/}" || exit 1; done

# Needs cmark-gfm and mandoc.
docs:
	@sh docs/site.sh $(BUILD)/docs

# Debian packages; TWICE=1: twice, in two places, and compared. lintian looks at them where it is installed.
deb:
	@sh debian/build.sh $(BUILD)/deb
	@! command -v lintian >/dev/null || lintian --fail-on error,warning $(BUILD)/deb/*.changes

# For machines on which nobody may install; needs patchelf.
tarball: all
	@sh base/tarball.sh $(BUILD) "$$($(LLVM_CONFIG) --prefix)" $(BUILD)

clean:
	rm -rf build

# Inputs of command cases are as their cases want them.
C_FILES = $(shell git ls-files '*.c' '*.h' | grep -v '^tests/cli/')
format:
	clang-format -i $(C_FILES)
sizes:
	@wc -l $(C_FILES) | sort -rn
