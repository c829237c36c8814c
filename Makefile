# make run    opens a team chat on http://127.0.0.1:3000
# make test   passes all tests; it is what CI runs
# make help   lists the rest

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

ASSETS  := internal/web/assets
VERSION := $(shell cat VERSION)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)$(shell test -z "$$(git status --porcelain 2>/dev/null)" || echo +changed)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
STORAGE ?= storage
ADDR    ?= 127.0.0.1:3000

.PHONY: help
help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: need-run need-test
need-run: # what building needs
	@script/need run
need-test: # what the tests need besides
	@script/need test

$(ASSETS)/node_modules/.installed: $(ASSETS)/package.json $(ASSETS)/package-lock.json | need-run
	cd $(ASSETS) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

ASSET_SOURCES := $(shell find $(ASSETS)/src $(ASSETS)/static $(ASSETS)/bundle -type f 2>/dev/null)

$(ASSETS)/dist/manifest.json: $(ASSETS)/node_modules/.installed $(ASSET_SOURCES)
	go run ./$(ASSETS)/bundle

.PHONY: assets
assets: $(ASSETS)/dist/manifest.json ## bundle scripts and styles into the binary's assets

.PHONY: build
build: assets ## build bin/hearth, one static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/hearth ./cmd/hearth

.PHONY: run
run: build ## open a chat: make run [STORAGE=dir] [ADDR=host:port]
	bin/hearth serve --storage '$(STORAGE)' --addr '$(ADDR)'

.PHONY: test
test: need-test assets ## every test, under the race detector
	script/test

.PHONY: check
check: ## gofmt, vet, staticcheck, then every test
	@test -z "$$(gofmt -l $$(git ls-files '*.go') | tee /dev/stderr)" || { echo 'gofmt would change these files: run gofmt -w on them' >&2; exit 1; }
	$(MAKE) assets
	go vet ./...
	go tool staticcheck ./...
	$(MAKE) test

.PHONY: torture
torture: need-test assets ## the full length of every crash test: an hour or more
	HEARTH_TORTURE=1 go test -race -count=1 -timeout 180m -v -run 'Kill|Power|TwoMillion' ./sqlite/ ./internal/chat/ ./cmd/hearth/

.PHONY: bench
bench: build ## whole-system figures, then every package's benchmarks
	bin/hearth bench chat
	go test -run '^$$' -bench . -benchmem ./sqlite/ ./internal/...

.PHONY: parity
parity: need-test assets ## how much of the reference's interface the pages keep: N of M, and what is missing
	go test -count=1 -v -run ParityWithTheReference ./internal/web/ | sed -nE 's/^ +(parity_test.go:[0-9]+: )?//; /^(missing|differs|parity|doesn|is marked|can.t|FAIL|panic|---|[a-z]+\.tsv)/p'

.PHONY: rename
rename: ## give the module another path: make rename MODULE=example.org/hearth
	@script/rename '$(MODULE)'

.PHONY: clean
clean: ## remove what was built, never what was stored
	rm -rf bin
	find $(ASSETS)/dist -mindepth 1 ! -name .gitkeep -delete
