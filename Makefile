# Every target works on a fresh clone with Go alone; bench and fuzz-diff also install kustomize into a temporary folder.

GO ?= go
KUSTOMIZE_VERSION := v5.8.2
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GO_FILES = $(shell git ls-files --cached --others --exclude-standard '*.go')

.DEFAULT_GOAL := build

.PHONY: build
build: ## build bin/kls, linked as a release is
	CGO_ENABLED=0 $(GO) build -o bin/kls ./cmd/kls

.PHONY: test
test: ## run the tests
	$(GO) test ./...
	$(GO) test -tags faults ./internal/panics

.PHONY: lint
lint: ## gofmt, go vet, staticcheck
	@unformatted=$$(gofmt -l $(GO_FILES)); if [ -n "$$unformatted" ]; then echo "gofmt -w these:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

.PHONY: check
check: lint test docs-current ## what a change has to pass: lint, tests, and generated documentation up to date

.PHONY: docs
docs: ## write the generated parts of README.md and docs/ anew
	$(GO) run ./internal/gendocs
	$(GO) run ./internal/recording

.PHONY: docs-current
docs-current: docs
	git diff --exit-code -- README.md docs
	@new=$$(git ls-files --others --exclude-standard docs); if [ -n "$$new" ]; then echo "not in git:"; echo "$$new"; exit 1; fi

.PHONY: conformance
conformance: ## run kustomize's own tests against the engine
	$(GO) run ./internal/conformance

.PHONY: demo
demo: build ## check a tree full of mistakes, then build one without
	@echo '$$ kls check examples/mistakes'
	@bin/kls check examples/mistakes; status=$$?; echo "(exit $$status)"; [ $$status -eq 1 ]
	@echo
	@echo '$$ kls build examples/shop/overlays/prod'
	@bin/kls build examples/shop/overlays/prod

.PHONY: typing
typing: ## what is said while entries of kustomizations are typed; TYPING_TREES=folder for other trees than the examples
	$(GO) run ./internal/typing -told $(or $(TYPING_TREES),examples)

.PHONY: bench
bench: ## time kls against kustomize and against reading and printing the same files
	$(GO) run ./internal/bench -kustomize $(KUSTOMIZE_VERSION) $(BENCH_FLAGS)

.PHONY: bench-parts
bench-parts: ## Go benchmarks of the parts, in the form that benchstat reads
	$(GO) test ./engine/... ./analysis/... ./schema/... ./lsp/... -run '^$$' -bench . -benchmem -count $(or $(COUNT),6)

.PHONY: snapshot
snapshot: ## build what a release has, into dist/; goreleaser and syft have to be installed (v2.16.0 and v1.44.0 build with Go 1.26)
	goreleaser release --snapshot --clean

.PHONY: fuzz-set
fuzz-set: ## values that kls set and unset change at random, held against kustomize; SET_FLAGS='-count 3000', SET_TREES=folder
	$(GO) run ./internal/setting $(SET_FLAGS) $(or $(SET_TREES),examples)
	$(GO) run ./internal/setting -unset $(SET_FLAGS) $(or $(SET_TREES),examples)

.PHONY: fuzz-diff
fuzz-diff: ## 10,000 random trees, and as many random documents, held against kustomize; prints where they differ
	$(GO) run ./internal/differential/fuzz -count 10000 $(FUZZ_FLAGS)
	$(GO) test ./engine/fieldpath -run TestRandom -count 1 -args -cases 10000

.PHONY: fuzz
fuzz: ## run every fuzz target in turn, FOR (10m) in all; what fails is kept in testdata/fuzz
	@targets=$$(git grep -hoE '^func Fuzz\w+' -- '*_test.go' | wc -l); \
	case "$(or $(FOR),10m)" in *m) seconds=$$(( $(patsubst %m,%,$(or $(FOR),10m)) * 60 / targets ));; *) seconds=$$(( $(patsubst %s,%,$(or $(FOR),10m)) / targets ));; esac; \
	git grep -oE '^func Fuzz\w+' -- '*_test.go' | while IFS=: read -r file declared; do \
		$(GO) test "./$$(dirname "$$file")" -run '^$$' -fuzz "^$${declared#func }$$" -fuzztime "$$(( seconds > 0 ? seconds : 1 ))s" || exit 1; \
	done

.PHONY: test-editors
test-editors: build ## try kls in the real editors; installs what that needs. EDITORS=vscode tries one
	editors/test.sh $(EDITORS)

.PHONY: test-image
test-image: ## build the container image and run it; installs buildah where Debian has it
	packaging/test.sh

.PHONY: web
web: ## build the playground into web/dist; needs npm
	cd web && npm ci --no-audit --no-fund --silent && npm run --silent check && GO="$(GO)" npm run --silent build

.PHONY: test-web
test-web: web ## try the playground in headless Chromium, and the engine as WebAssembly in Node; installs Chromium where Debian has it
	web/test/run.sh

.PHONY: vsix
vsix: ## package the extension for VS Code, for every platform, into editors/vscode/out
	cd editors/vscode && npm ci --no-audit --no-fund && npm run --silent package

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1: /' | column -t -s:
