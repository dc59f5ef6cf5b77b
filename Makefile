# What this repository can do. `make` alone lists it.
.DEFAULT_GOAL := help
.PHONY: help setup build install install-files deb package-check release demo test check bench coverage soak record format lint

BUILD_PACKAGES := libsqlite3-dev zlib1g-dev libmicrohttpd-dev libgnutls28-dev libbrotli-dev libzstd-dev libsodium-dev libsimdjson-dev pkg-config
SWIFT_SOURCES := Package.swift Sources Tests bench fuzz clients/swift/Package.swift clients/swift/Sources clients/swift/Tests
PREFIX ?= /usr/local
SHARED := man/man1 bash-completion/completions fish/vendor_completions.d
ZSH ?= $(PREFIX)/share/zsh/site-functions
UNITS ?= $(PREFIX)/lib/systemd/system
SYSUSERS ?= $(PREFIX)/lib/sysusers.d
BINARY ?= .build/release/uptake
PACKAGE_PACKAGES := dpkg-dev debhelper fakeroot
TEST_PACKAGES := valgrind sqlite3 strace curl python3 python3-venv mandoc chromium chromium-driver poppler-utils openssl \
	prometheus ruby nginx-light caddy nodejs node-typescript kotlin openjdk-17-jre-headless \
	clickhouse-server libzookeeper-java $(shell command -v npm >/dev/null || echo npm)

# A program that needs no Swift, and has nothing that it does not use: docs/decisions/0020-size-of-the-program.md. Nor has it hashes of what
# the optimiser was given, which differ from compile to compile where the program does not.
RELEASE := swift build -c release --static-swift-stdlib -debug-info-format none \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
	-Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --version-script=packaging/exports.map

# What hangs is a failure, and says where.
PATIENTLY := timeout --verbose --kill-after=1m 45m
# What is tested is built apart from what `make check` builds, with optimised modules: tests end sooner.
TESTED := .build/tested
# Tests of the whole program mostly wait for it: they run beside those that compute.
TESTS := env UPTAKE_OPTIMISED=1 swift test --skip-build --ignore-lock --scratch-path $(TESTED)

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install the libraries that a build needs, where they are missing
	@scripts/setup $(BUILD_PACKAGES)

build: setup ## Build the release binary: .build/release/uptake
	$(RELEASE) --product uptake

install: build ## Install the program, its manual page, completions and systemd units below PREFIX (/usr/local)
	@$(MAKE) --no-print-directory install-files

install-files:
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/uptake
	strip --strip-all --remove-section=.comment $(DESTDIR)$(PREFIX)/bin/uptake
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,$(SHARED)) $(DESTDIR)$(ZSH) $(DESTDIR)$(UNITS) $(DESTDIR)$(SYSUSERS)
	$(BINARY) man > $(DESTDIR)$(PREFIX)/share/man/man1/uptake.1
	$(BINARY) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/uptake
	$(BINARY) completion zsh > $(DESTDIR)$(ZSH)/_uptake
	$(BINARY) completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/uptake.fish
	sed 's|/usr/local|$(PREFIX)|' packaging/uptake.service > $(DESTDIR)$(UNITS)/uptake.service
	install -m 644 packaging/uptake.socket $(DESTDIR)$(UNITS)/uptake.socket
	install -m 644 packaging/uptake.sysusers $(DESTDIR)$(SYSUSERS)/uptake.conf

deb: build ## Build a Debian package and a tarball with their checksums: .build/package/
	@scripts/setup $(PACKAGE_PACKAGES)
	scripts/package .build/release/uptake .build/package

package-check: build ## Compile and package twice and compare; lint, install, start, upgrade and remove, apart from this machine
	@scripts/setup $(PACKAGE_PACKAGES) lintian
	scripts/check-package .build/release/uptake
	scripts/check-reproducible .build/release/uptake

release: test package-check deb ## Everything that is published of a version, once it is tested

demo: build ## From nothing to answers: a service, a simulated fleet, questions, pages
	@scripts/demo

test: setup ## Install what tests need and run everything
	@scripts/setup $(TEST_PACKAGES)
	$(PATIENTLY) env UPTAKE_OPTIMISED=1 swift build --build-tests --scratch-path $(TESTED)
	$(PATIENTLY) scripts/side-by-side "$(TESTS) --skip EndToEndTests" \
		"$(TESTS) --filter EndToEndTests && scripts/check-costs $(TESTED)/debug/uptake && scripts/check-answers $(TESTED)/debug/uptake"
	$(PATIENTLY) scripts/side-by-side \
		"for suite in reliability dashboards; do scripts/check-\$$suite $(TESTED)/debug/uptake || exit 1; done; scripts/check-oracle $(TESTED)/debug/uptake --fleets 60" \
		"for suite in pages exports clients terminal warehouse; do scripts/check-\$$suite $(TESTED)/debug/uptake || exit 1; done"

check: ## Build and run one module's tests after an edit: make check MODULE=Store [FILTER=FoldTests]
	@test -d "Tests/$(MODULE)Tests" || { echo "make check MODULE=NAME, one of:" $(patsubst Tests/%Tests/,%,$(sort $(wildcard Tests/*Tests/))) >&2; exit 2; }
	UPTAKE_CHECK=$(MODULE) swift test --filter "$(MODULE)Tests$(FILTER:%=.*%)"

bench: build ## Run every comparison side by side and write the table into bench/README.md
	@scripts/setup $(TEST_PACKAGES)
	$(RELEASE) --product bench-decode
	$(RELEASE) --product bench-generate
	@mkdir -p .build/bench
	cc -O2 -o .build/bench/load bench/load/load.c
	cc -O2 -o .build/bench/insert bench/insert/insert.c -lsqlite3
	bench/run.py $(BENCH)

coverage: setup ## Hold the intervals of the answers against known truth, on hundreds of simulated fleets
	swift build -c release --product bench-coverage
	rm -rf .build/coverage && .build/release/bench-coverage --results .build/coverage
	.build/release/bench-coverage --diagnoses --fleets 5
	.build/release/bench-coverage --suspects

soak: coverage ## What takes too long for every change: coverage study, kills, losses of power, simulated disks, an hour of peak, fuzzing, sanitizers
	@scripts/setup $(TEST_PACKAGES)
	UPTAKE_SOAK=1 swift test --filter 'SimulationTests|SimulatedServiceTests|DamagedPageTests'
	swift build --product uptake
	UPTAKE_SOAK=1 scripts/check-answers .build/debug/uptake
	UPTAKE_SOAK=1 scripts/check-pages .build/debug/uptake
	scripts/check-oracle .build/debug/uptake --fleets 20000 --seed 1000
	UPTAKE_SOAK=1 scripts/check-clients .build/debug/uptake own
	UPTAKE_SOAK=1 UPTAKE_FIGURES=.build/soak scripts/check-reliability .build/debug/uptake
	$(RELEASE) --product uptake
	$(RELEASE) --product bench-generate
	bench/live.py --rates 0,2000,20000 --seconds 1800 > .build/soak/live.md
	UPTAKE_FIGURES=.build/soak scripts/check-fuzz 1200
	UPTAKE_FIGURES=.build/soak scripts/check-sanitizers
	scripts/record-soak .build/soak

record: setup ## Record pictures of help, pages and answers anew; look at the difference before you keep it
	@RECORD=1 swift test || true

format: ## Format the sources, then lint them strictly
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

lint: ## Lint the sources strictly
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
