# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0

# Every check of the project is a target here; .ci/run and the workflows call the same ones.
GO        ?= go
PACKAGES  ?= ./...
# Packages of concurrency that do not need a race build of client-go, which alone takes a minute.
CONCURRENT := ./internal/broadcast ./internal/lifecycle ./internal/series
FUZZTIME  ?= 10s
SEEDS     ?= 300
# The nested modules: those with code of their own, of which golangci-lint looks at the ones that users get and at the
# tools, and those that only pin programs. CONTRIBUTING.md says why each is apart.
MODULES    = $(patsubst %/go.mod,%,$(filter-out go.mod,$(shell git ls-files '*go.mod' ':!:*/testdata/*')))
CODE       = $(shell for m in $(MODULES); do git ls-files "$$m/*.go" | grep -vq /testdata/ && echo $$m; done)
LINTED     = $(filter contrib/% examples/% tools tools/%,$(CODE))
# Packages in which goroutines of users meet. The others are tested without the race detector.
RACED     := ./adapter ./clientgo/... ./clusters ./conditions ./debug ./discovery ./events/... ./internal/... ./legacy ./sinks
UNRACED   := . ./docs ./eventview ./examples/... ./test/...

# Where envtest finds etcd and kube-apiserver. Those that the caller names are not built.
ASSETS := $(KUBEBUILDER_ASSETS)
export KUBEBUILDER_ASSETS := $(or $(ASSETS),$(CURDIR)/bin/controlplane)

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show the targets
	@echo 'Times are minutes on two cores, cold/warm: with an empty and with a filled build cache. An empty module cache adds'
	@echo 'a download: 30 MB for the SDK, 0.8 GB for tidy-check, vet and lint, which need all nested modules.'
	@echo
	@awk 'BEGIN {FS = ":.*## "} /^##@ / {printf "%s%s\n", sep, substr($$0, 5); sep = "\n"} \
	  /^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##@ What every commit must pass

.PHONY: check
check: static test-sdk test-nested ## Everything but e2e: static, test-sdk and test-nested

.PHONY: static
static: fmt-check tidy-check vet lint api-check vuln ## What runs no test (warm 1.5; cold, it builds the linters and all nested modules)

.PHONY: fmt-check
fmt-check: ## All Go files are formatted
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

.PHONY: tidy-check
tidy-check: ## go.mod and go.sum are tidy, also in the nested modules (downloads all their modules)
	@for m in . $(MODULES); do (cd $$m && echo "tidy $$m" && $(GO) mod tidy -diff) || exit 1; done

.PHONY: vet
vet: ## go vet in the nested modules that lint does not look at (downloads all their modules)
	@for m in $(filter-out $(LINTED),$(CODE)); do (cd $$m && echo "vet $$m" && $(GO) vet ./...) || exit 1; done

.PHONY: lint
lint: lint-tools ## golangci-lint with go vet and all of staticcheck, over the SDK and the tools; actionlint over the workflows
	@for m in . $(LINTED); do (cd $$m && echo "lint $$m" && $(CURDIR)/bin/lint/golangci-lint run) || exit 1; done
	@echo "lint .github/workflows" && bin/lint/actionlint

.PHONY: lint-tools
lint-tools: ## Build the linters into bin/lint, at the versions in tools/go.mod and tools/lint/actionlint (once)
	@[ -x bin/lint/golangci-lint ] || echo "building the linters into bin/lint; some minutes when cold"
	@for m in tools tools/lint/actionlint; do \
	  (cd $$m && CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o $(CURDIR)/bin/lint/ tool) || exit 1; \
	done

.PHONY: docs-check
docs-check: ## The quick part of test: layers, licences, documentation, this file, the workflows
	$(GO) test ./test/repository ./docs

.PHONY: vuln
vuln: ## govulncheck over what users get, if its database can be reached
	@cd tools && $(GO) run ./lint/vuln .. ../contrib/prometheus eventsmigrate kubectl-eventseries

.PHONY: cross
cross: ## go vet of the SDK as on Windows and macOS (nine minutes when cold)
	GOOS=windows $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...

##@ Tests

.PHONY: test
test: ## The SDK's unit tests while you work: short floods, few simulated seeds, little race detector (4/1)
	$(GO) test -vet=off -short -skip '^TestSameSeedSameRun$$' $(PACKAGES)
	@if [ "$$($(GO) env CGO_ENABLED)" = 1 ]; then echo "and with the race detector:"; \
	  $(GO) test -vet=off -short -race -run ConcurrentSafe $(CONCURRENT); \
	else echo "no C compiler, so without the race detector"; fi

.PHONY: test-sdk
test-sdk: ## All unit tests, in random order, with the race detector where it can find something; allocations and 300 simulated seeds without it
	$(GO) test -vet=off -race -short -shuffle=on $(RACED)
	$(GO) test -vet=off -short -shuffle=on -skip '^TestSeeds$$' $(UNRACED)
	$(GO) test -vet=off -run '^TestI[25]' ./events ./adapter ./clusters
	$(GO) test -vet=off -run '^TestSeeds$$' ./test/sim

.PHONY: test-nested
test-nested: rules ## The unit tests of the nested modules that e2e does not run
	cd contrib/multicluster && $(GO) test -vet=off -race -shuffle=on ./...
	cd contrib/otel && $(GO) test -vet=off -race -shuffle=on ./...
	cd contrib/prometheus && $(GO) test -vet=off -race -shuffle=on ./... && $(GO) test -vet=off -run Allocates .
	cd test/e2e && $(GO) test -vet=off -short -shuffle=on -bench . -benchtime 1x ./bench/...
	cd test/e2e && $(GO) test -vet=off -shuffle=on ./kubernetes/...
	cd tools/eventsmigrate && $(GO) test -vet=off -short -shuffle=on ./...
	cd tools/kubectl-eventseries && $(GO) test -vet=off -shuffle=on . ./internal/...
	cd test/compat && $(GO) test -vet=off -shuffle=on ./...
	cd tools && $(GO) test -vet=off -short -shuffle=on ./...

.PHONY: rules
rules: ## promtool accepts the alert rules, and its unit tests of them pass (the build takes minutes when cold)
	cd test/prometheus && CGO_ENABLED=0 $(GO) build -trimpath -tags remove_all_sd,grpcnotrace -ldflags '-s -w' -o $(CURDIR)/bin/ tool
	bin/promtool check rules --lint=all --lint-fatal contrib/prometheus/mixin/alerts.yaml
	bin/promtool test rules contrib/prometheus/mixin/alerts_test.yaml

.PHONY: nightly
nightly: controlplane ## What test-sdk and e2e have a shorter form of: all with the race detector, and a storm beside faults
	$(GO) test -vet=off -race -shuffle=on -timeout 60m ./...
	$(MAKE) --no-print-directory oracle SEEDS=50000
	cd test/e2e && $(GO) test -vet=off -race ./bench/...
	cd test/e2e && $(GO) test -vet=off -count=1 -timeout 60m -run 'TestServerKilled|TestWebhookHangs' ./chaos

.PHONY: stress
stress: ## The ...ConcurrentSafe tests a hundred times under the race detector
	$(GO) test -race -run ConcurrentSafe -count=100 $(PACKAGES)

.PHONY: flakes
flakes: ## Thirty runs of PACKAGES with the race detector, each in another order (hours)
	$(GO) test -race -shuffle=on -count=30 -timeout 5h $(PACKAGES)

.PHONY: fuzz
fuzz: ## Every fuzz target for FUZZTIME each, also in the nested modules
	@set -e; grep -r --include='*_test.go' -o '^func Fuzz[A-Za-z0-9]*' . | sort | \
	while IFS=: read -r file func; do \
	  target=$${func#func }; echo "$$(dirname $$file) $$target"; \
	  (cd "$$(dirname $$file)" && \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x .); \
	done

.PHONY: sim
sim: ## SEEDS simulated runs of the whole SDK on all cores; SIM_SEED=n replays one and shortens it
	$(GO) test -c -o bin/sim.test ./test/sim
	bin/sim.test -test.run '^TestSeeds$$' -test.v -test.timeout 0 -seeds $(SEEDS) -progress

.PHONY: oracle
oracle: ## SEEDS random schedules of the public API against a tiny API server and arithmetic, on one core (50,000: 6); ORACLE_SEED=n replays one
	$(GO) test -vet=off -count=1 -v -timeout 0 -run '^TestOracle$$' ./test/oracle -seeds $(SEEDS)

.PHONY: golden
golden: ## Rewrite what follows from the code: tables of pages, drop reasons, golden files, api/; and show what changed
	$(GO) test ./test/repository -run '^Test(Times|DropReasons)$$' -update
	$(GO) test ./internal/series ./debug -update
	cd contrib/prometheus && $(GO) test . -update
	$(MAKE) --no-print-directory api
	git diff --stat

.PHONY: docs
docs: ## Rewrite what docs/ shows of kubectl-eventseries, and show what changed
	cd tools/kubectl-eventseries && $(GO) test ./internal/command -update
	git diff --stat -- docs

##@ Releases

.PHONY: api
api: ## Write what users see, from exported names to log lines, into api/
	@cd tools && $(GO) run ./release -root .. api

.PHONY: api-check
api-check: ## The API is as api/ says, and changed since the last release as VERSIONING.md allows
	@cd tools && $(GO) run ./release -root .. api-check

.PHONY: release-check
release-check: ## Rehearse the release of VERSION=v0.1.0, without a tag: HEAD is packed, and used by other modules
	@tools/release/rehearse.sh $(VERSION)

RELEASE := bin/release
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: binaries
binaries: ## eventsmigrate and kubectl-eventseries for each system, SBOMs of their modules, and checksums, in bin/release
	@rm -rf $(RELEASE) bin/plugin && mkdir -p $(RELEASE)
	@for p in $(PLATFORMS); do \
	  echo "build $$p"; export CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/}; \
	  system=$$GOOS-$$GOARCH; exe=$$([ $$GOOS != windows ] || echo .exe); plugin=bin/plugin/$$system; \
	  mkdir -p $$plugin && cp LICENSE tools/kubectl-eventseries/kubectl_complete-eventseries $$plugin && \
	  $(GO) -C tools/eventsmigrate build -trimpath -o $(CURDIR)/$(RELEASE)/eventsmigrate-$$system$$exe . && \
	  $(GO) -C tools/kubectl-eventseries build -trimpath -ldflags '-s -w' -o $(CURDIR)/$$plugin/kubectl-eventseries$$exe . && \
	  tar -czf $(RELEASE)/kubectl-eventseries-$$system.tar.gz -C $$plugin $$(ls $$plugin) || exit 1; \
	done
	@for b in $(RELEASE)/eventsmigrate-linux-amd64 bin/plugin/linux-amd64/kubectl-eventseries; do \
	  name=$$(basename $$b); $(GO) run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 bin -json \
	    -output $(RELEASE)/$${name%-linux-amd64}.cdx.json $$b || exit 1; \
	done
	cd $(RELEASE) && sha256sum * >SHA256SUMS

##@ To see it work

.PHONY: demo
demo: ## A simulated hour of a node, before and after the migration; needs no cluster (2/0.1)
	$(GO) run ./examples/kubelet-migration

##@ Against a real API server

.PHONY: controlplane
controlplane: ## Build kube-apiserver, etcd and kubectl into bin/controlplane (once)
	@KUBEBUILDER_ASSETS='$(ASSETS)' sh test/controlplane/build.sh

.PHONY: e2e
e2e: controlplane ## The SDK against a real kube-apiserver and its code, an OpenTelemetry Collector, migrated projects, the plugin of kubectl, and a migrated kubelet
	$(MAKE) --no-print-directory -j 2 e2e-sdk e2e-migrations

# Most of both is waiting, and each package has control planes of its own.
.PHONY: e2e-sdk e2e-migrations
e2e-sdk:
	cd test/controlplane && $(GO) test -vet=off ./...
	cd test/e2e && $(GO) test -vet=off -count=1 -p 1 -short -timeout 30m . ./chaos ./internal/... ./migration
	cd test/otel && $(GO) test -vet=off -count=1 -timeout 10m ./...
	cd examples/operator && $(GO) test -vet=off -count=1 ./...
	cd tools/kubectl-eventseries && $(GO) test -vet=off -count=1 -parallel 8 ./e2e

e2e-migrations:
	cd test/e2e/kubernetes && $(GO) run . -kubelet
	cd tools/eventsmigrate && $(GO) test -vet=off -count=1 -timeout 30m ./e2e

.PHONY: corpus
corpus: controlplane ## Record eventview/corpus again, from client-go, the SDK and a kubelet on a real API server
	cd test/e2e && $(GO) test -vet=off -count=1 -run '^TestCorpus$$' . -update
	cd test/e2e && $(GO) test -vet=off -count=1 -run '^TestCorpus$$' ./kubernetes -update
	$(GO) test -vet=off -run Corpus ./eventview

.PHONY: compat
compat: ## The SDK with every client-go and kube-apiserver of test/compat/matrix.txt; ROWS=client-go-0.36 runs one
	@sh test/compat/run.sh $(ROWS)

.PHONY: chaos
chaos: controlplane ## A storm of events while the real control plane breaks; prints the accounts (half an hour)
	cd test/e2e && $(GO) test -count=1 -v -timeout 60m ./chaos

.PHONY: kubernetes
kubernetes: controlplane ## Real Kubernetes components on a real cluster, before and after the migration; writes docs/evidence/kubernetes.md (hours)
	cd test/e2e/kubernetes && $(GO) run . $(ARGS)

PROJECTS ?= $(HOME)/projects

.PHONY: projects
projects: ## Migrate the projects that are checked out in PROJECTS, with their own tests before and after; writes docs/evidence/projects.md (minutes each, half an hour when cold); ARGS=-types-only does without builds and tests
	cd tools/eventsmigrate && $(GO) test -count=1 -v -timeout 10h -run 'TestProjects' ./e2e -projects '$(abspath $(PROJECTS))' $(ARGS)

##@ Measurements

.PHONY: bench
bench: controlplane ## The SDK, client-go and a floor in turn; writes docs/evidence/benchmarks.md (an hour, quiet machine); ARGS=-bench=Memory or ARGS=-page does a part
	cd test/e2e/bench && $(GO) run . $(ARGS)

.PHONY: scale
scale: ## 5,000 nodes simulated on a normal and a bad day; writes docs/evidence/scale.md (half an hour); ARGS=-page writes the page alone
	cd test/e2e/bench && $(GO) run . -scale $(ARGS)
