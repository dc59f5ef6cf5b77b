# What this repository can do. `make` alone lists it.
.DEFAULT_GOAL := help
.PHONY: help setup build demo test record format lint

BUILD_PACKAGES := libsqlite3-dev zlib1g-dev libmicrohttpd-dev libsodium-dev libsimdjson-dev pkg-config
TEST_PACKAGES := sqlite3 curl python3 python3-venv mandoc

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install the libraries that a build needs, where they are missing
	@scripts/setup $(BUILD_PACKAGES)

build: setup ## Build the release binary: .build/release/uptake
	swift build -c release --product uptake --static-swift-stdlib

demo: build ## From nothing to answers: a service, a simulated fleet, questions, pages
	@scripts/demo

test: setup ## Install what tests need and run everything
	@scripts/setup $(TEST_PACKAGES)
	swift test

record: setup ## Record pictures of help, pages and answers anew; look at the difference before you keep it
	@RECORD=1 swift test || true

format: ## Format the sources, then lint them strictly
	swift format --in-place --recursive --parallel Package.swift Sources Tests
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

lint: ## Lint the sources strictly
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
