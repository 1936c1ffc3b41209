# SPDX-License-Identifier: GPL-2.0-or-later
#
# The front door: every target calls the script that does the work, after the
# Debian packages that it needs are there. `make help` lists the targets.

boards := $(basename $(notdir $(wildcard dts-overlays/boards/*.dtsi)))
robots := $(basename $(notdir $(wildcard dts-overlays/robots/*.dtsi)))
overlays := $(foreach board,$(boards),build/overlays/$(board).dtbo \
	$(robots:%=build/overlays/$(board)-%.dtbo))
PREFIX ?= /usr/local
KDIR ?=
# The demo's motion: a page of the project's own file unless told
MOTION ?=
PAGE ?=
ROBOT ?=
RUNS ?=
KERNELS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo check check-all soak bench fuzz tools modules modules_install kernels firmware
.PHONY: guest-modules host-programs deb overlays userspace guest install clean
.PHONY: FORCE packages-build packages-vm packages-uml packages-bench

help: ## lists the targets
	@echo 'naohw: robot servos as Linux devices. Targets:'
	@sed -n 's/^\([a-z_-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | \
		awk -F '|' '{ printf "%-23s %s\n", $$1, $$2 }'

demo: guest ## a simulated robot plays a motion page in a VM (MOTION=FILE PAGE=N ROBOT=NAME for another)
	@MOTION='$(MOTION)' PAGE='$(PAGE)' ROBOT='$(ROBOT)' tools/demo/run

check: ## runs all tests; on further kernels, those that tell most of one
	@tools/check

check-all: ## runs all tests on all kernels
	@tools/check all

soak: ## runs the fault campaigns at full length (hours)
	@tools/soak

bench: guest packages-bench ## measures the bus against the wire and a plain tty loop, the store, opening a NAO, the DCM, and naohwd
	@tools/bench/store
	@tools/bench/open
	@tools/bench/run
	@tools/bench/cycle
	@tools/bench/dcm
	@tools/bench/naohwd

fuzz: ## fuzzes the codec, what receives, the transfer queue, recordings, descriptions, motion and command files, LoLA, JSON-RPC (RUNS=N inputs of each kind, SEED=N)
	@tools/fuzz/run $(if $(RUNS),--runs '$(RUNS)') $(if $(SEED),--seed '$(SEED)')

tools: host-programs ## builds the native programs into build/host/bin
	@echo 'build/host/bin: naohw, naohwd, dxlsim, dxlattach, dxlctl, dxlflash'

firmware: packages-build ## builds the CM-510's firmware into build/firmware
	@tools/firmware/cm-510/build build/firmware

host-programs: packages-build
	@tools/setup/host-programs

modules: packages-build ## builds the kernel modules for this machine's kernel (or that of KDIR=DIR)
	@KDIR='$(KDIR)' tools/kbuild/modules host

modules_install: packages-build ## installs what `make modules` has built
	@KDIR='$(KDIR)' tools/kbuild/modules host build/kmod-host modules_install

kernels: packages-build ## builds the modules for all kernels, and prints a table (KERNELS='6.1-arm64 ...' for some)
	@tools/kbuild/matrix $(KERNELS)

guest-modules: packages-build packages-vm ## cross-builds the kernel modules for the VM
	@tools/kbuild/modules guest

deb: ## builds the Debian packages into build/deb
	@tools/deb/build

overlays: $(overlays) build/overlays.list ## compiles the device-tree overlays into build/overlays

userspace: packages-build packages-vm ## cross-builds libnaohw and naohw for the VM
	@tools/vm/userspace

guest: host-programs guest-modules overlays userspace ## builds all that a VM run needs

install: packages-build ## installs the native programs (PREFIX, DESTDIR)
	@tools/setup/host-programs '$(PREFIX)' '$(DESTDIR)'

clean: ## removes what was built here (not the cache)
	rm -rf build

$(overlays): $(wildcard dts-overlays/*.dtsi dts-overlays/*/*.dtsi) tools/overlays/compile | packages-build

# A board's own overlay has all robots in it, and a robot that goes makes no file newer: so this
# list is rewritten when it is another. What an earlier tree has left in the folder is removed, as
# guests get the folder, and tests what is in it.
build/overlays.list: FORCE
	@mkdir -p build/overlays
	@rm -f $(filter-out $(overlays),$(wildcard build/overlays/*.dtbo))
	@printf '%s\n' $(overlays) | cmp -s - $@ || printf '%s\n' $(overlays) >$@

$(boards:%=build/overlays/%.dtbo): build/overlays.list

build/overlays/%.dtbo:
	@tools/overlays/compile $* $@

# $(1) is a board, and $(2) a robot on it
define compile-robot
build/overlays/$(1)-$(2).dtbo:
	@tools/overlays/compile $(1) $(2) $$@

endef
$(eval $(foreach board,$(boards),$(foreach robot,$(robots),$(call compile-robot,$(board),$(robot)))))

packages-build packages-vm packages-uml packages-bench: packages-%:
	@tools/setup/packages $*
