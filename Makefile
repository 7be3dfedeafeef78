# Copyright 2026 The eventseries Authors.
# SPDX-License-Identifier: Apache-2.0

# Every check of the project is a target here, and `make help` shows those that you need. Measurements are scripts
# beside what they measure: docs/evidence names them.
GO        ?= go
PACKAGES  ?= ./...
# Packages of concurrency that do not need a race build of client-go, which alone takes a minute.
CONCURRENT := ./internal/broadcast ./internal/lifecycle ./internal/series
# The flags of test and of docs-check, its part for pages. The go command reuses a result only if the flags are equal.
QUICK     := -vet=off -short -skip '^TestSameSeedSameRun$$'
FUZZTIME  ?= 10s
SEEDS     ?= 300
# The nested modules: those with code of their own, of which golangci-lint looks at the ones that users get and at the
# tools, and those that only pin programs. CONTRIBUTING.md says why each is apart.
MODULES    = $(patsubst %/go.mod,%,$(filter-out go.mod,$(shell git ls-files '*go.mod' ':!:*/testdata/*')))
CODE       = $(shell for m in $(MODULES); do git ls-files "$$m/*.go" | grep -vq /testdata/ && echo $$m; done)
LINTED     = $(filter contrib/% examples/% tools tools/%,$(CODE))
# Packages in which goroutines of users meet. The others are tested without the race detector.
RACED     := ./adapter ./clientgo/... ./clusters ./conditions ./debug ./discovery ./events/... ./internal/... ./legacy ./sinks
UNRACED   := . ./docs ./eventview/... ./examples/... ./test/...

# Where envtest finds etcd and kube-apiserver. Those that the caller names are not built.
ASSETS := $(KUBEBUILDER_ASSETS)
export KUBEBUILDER_ASSETS := $(or $(ASSETS),$(CURDIR)/bin/controlplane)
# A busy machine needs longer than the 20 seconds that envtest waits for a kube-apiserver.
export KUBEBUILDER_CONTROLPLANE_START_TIMEOUT ?= 2m

.DEFAULT_GOAL := help

.PHONY: help
help:
	@echo 'Times are minutes on two cores, cold/warm: with an empty and with a filled build cache. Targets without a time were'
	@echo 'not measured. An empty module cache adds a download: 30 MB for the SDK, 0.8 GB for static, which needs all nested'
	@echo 'modules.'
	@echo
	@awk 'BEGIN {FS = ":.*## "} /^##@ / {printf "%s%s\n", sep, substr($$0, 5); sep = "\n"} \
	  /^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##@ For newcomers

.PHONY: demo
demo: ## A simulated hour of a node, before and after the migration; needs no cluster (2/0.3)
	$(GO) run ./examples/kubelet-migration

##@ While you work

.PHONY: test
test: ## The SDK's unit tests while you work, without the longest (6/1)
	$(GO) test $(QUICK) $(PACKAGES)
	@if [ "$$($(GO) env CGO_ENABLED)" = 1 ]; then echo "and with the race detector:"; \
	  $(GO) test -vet=off -short -race -run ConcurrentSafe $(CONCURRENT); \
	else echo "no C compiler, so without the race detector"; fi

.PHONY: docs-check
docs-check: ## The part of test that reads pages: links, code on pages, layers, licences, workflows (warm 1)
	$(GO) test $(QUICK) ./test/repository ./docs

.PHONY: lint
lint: lint-tools ## golangci-lint with go vet and all of staticcheck; actionlint over the workflows (cold 6)
	@for m in . $(LINTED); do (cd $$m && echo "lint $$m" && $(CURDIR)/bin/lint/golangci-lint run) || exit 1; done
	@echo "lint .github/workflows" && bin/lint/actionlint

# Builds the linters into bin/lint, at the versions in tools/go.mod and tools/lint/actionlint.
.PHONY: lint-tools
lint-tools:
	@[ -x bin/lint/golangci-lint ] || echo "building the linters into bin/lint; some minutes when cold"
	@for m in tools tools/lint/actionlint; do \
	  (cd $$m && CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o $(CURDIR)/bin/lint/ tool) || exit 1; \
	done

.PHONY: golden
golden: ## Rewrite what follows from the code: tables of pages, drop reasons, golden files, api/ (warm 2)
	$(GO) test ./test/repository -run '^Test(Times|DropReasons|ExampleIndex)$$' -update
	$(GO) test ./internal/series ./debug -update
	$(GO) test ./docs -run Show -update
	cd contrib/prometheus && $(GO) test . -update
	cd tools/kubectl-eventseries && $(GO) test ./internal/command ./internal/doctor -update
	$(MAKE) --no-print-directory api
	git diff --stat

.PHONY: api
api: ## Write what users see, from exported names to log lines, into api/
	@cd tools && $(GO) run ./release -root .. api

##@ What every commit must pass

.PHONY: check
check: static test-sdk test-nested ## Everything but e2e: static, test-sdk and test-nested

.PHONY: static
static: fmt-check tidy-check vet lint api-check vuln ## fmt-check, tidy-check, vet, lint, api-check, vuln; no tests (8/1.5)

# All Go files are formatted.
.PHONY: fmt-check
fmt-check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

# Each go.mod and go.sum is tidy. It downloads all modules of the nested ones.
.PHONY: tidy-check
tidy-check:
	@for m in . $(MODULES); do (cd $$m && echo "tidy $$m" && $(GO) mod tidy -diff) || exit 1; done

# What golangci-lint does not look at.
.PHONY: vet
vet:
	@for m in $(filter-out $(LINTED),$(CODE)); do (cd $$m && echo "vet $$m" && $(GO) vet ./...) || exit 1; done

# The API is as api/ says, and changed since the last release as VERSIONING.md allows.
.PHONY: api-check
api-check:
	@cd tools && $(GO) run ./release -root .. api-check

# What users get has no known vulnerability, if the database can be reached.
.PHONY: vuln
vuln:
	@cd tools && $(GO) run ./lint/vuln .. ../contrib/prometheus eventsmigrate kubectl-eventseries

.PHONY: test-sdk
test-sdk: ## All unit tests in random order, many with the race detector; 300 simulated seeds (cold 12)
	$(GO) test -vet=off -race -short -shuffle=on $(RACED)
	$(GO) test -vet=off -short -shuffle=on -skip '^TestSeeds$$' $(UNRACED)
	$(GO) test -vet=off -run '^TestI[25]' ./events ./adapter ./clusters
	$(GO) test -vet=off -run '^TestSeeds$$' ./test/sim

.PHONY: test-nested
test-nested: rules ## Unit tests of the nested modules; and rules, those of the alerts
	cd contrib/multicluster && $(GO) test -vet=off -race -shuffle=on ./...
	cd contrib/otel && $(GO) test -vet=off -race -shuffle=on ./...
	cd contrib/prometheus && $(GO) test -vet=off -race -shuffle=on ./... && $(GO) test -vet=off -run Allocates .
	cd test/e2e && $(GO) test -vet=off -short -shuffle=on -bench . -benchtime 1x ./bench/...
	cd test/e2e && $(GO) test -vet=off -shuffle=on ./kubernetes/...
	cd tools/eventsmigrate && $(GO) test -vet=off -short -shuffle=on ./...
	cd tools/kubectl-eventseries && $(GO) test -vet=off -shuffle=on . ./internal/...
	cd test/compat && $(GO) test -vet=off -shuffle=on ./...
	cd test/kwok && $(GO) test -vet=off -shuffle=on .
	cd tools && $(GO) test -vet=off -short -shuffle=on ./...

# The alert rules are accepted by promtool, and their unit tests pass. It takes minutes to build.
.PHONY: rules
rules:
	cd test/prometheus && CGO_ENABLED=0 $(GO) build -trimpath -tags remove_all_sd,grpcnotrace -ldflags '-s -w' -o $(CURDIR)/bin/ tool
	bin/promtool check rules --lint=all --lint-fatal contrib/prometheus/mixin/alerts.yaml
	bin/promtool test rules contrib/prometheus/mixin/alerts_test.yaml

.PHONY: e2e
e2e: controlplane ## A real kube-apiserver, collector and kubelet, the plugin of kubectl, and migrated projects (17/8)
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

# Builds kube-apiserver, etcd and kubectl into bin/controlplane, unless they are there.
.PHONY: controlplane
controlplane:
	@KUBEBUILDER_ASSETS='$(ASSETS)' sh test/controlplane/build.sh

##@ Deeper, and for releases

.PHONY: sim
sim: ## SEEDS simulated runs of the whole SDK on all cores; SIM_SEED=n replays one and shortens it
	$(GO) test -c -o bin/sim.test ./test/sim
	bin/sim.test -test.run '^TestSeeds$$' -test.v -test.timeout 0 -seeds $(SEEDS) -progress

.PHONY: fuzz
fuzz: ## Every fuzz target for FUZZTIME each, also in the nested modules
	@set -e; grep -r --include='*_test.go' -o '^func Fuzz[A-Za-z0-9]*' . | sort | \
	while IFS=: read -r file func; do \
	  target=$${func#func }; echo "$$(dirname $$file) $$target"; \
	  (cd "$$(dirname $$file)" && \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x .); \
	done

.PHONY: upstream
upstream: controlplane ## The patches for Kubernetes: each fails without it, passes with it, and can be taken back
	@sh upstream/check.sh

.PHONY: release-check
release-check: ## Rehearse the release of VERSION=v0.1.0, without a tag: HEAD is packed, and used by other modules
	@tools/release/rehearse.sh $(VERSION)

.PHONY: stress
stress: ## Tests of concurrency a hundred times, with the race detector
	$(GO) test -race -run ConcurrentSafe -count=100 $(PACKAGES)

# The long form of what test-sdk and e2e run in a shorter one.
.PHONY: nightly
nightly: controlplane
	$(GO) test -vet=off -race -shuffle=on -timeout 60m ./...
	$(GO) test -vet=off -count=1 -v -timeout 0 -run '^TestOracle$$' ./test/oracle -seeds 50000
	cd test/e2e && $(GO) test -vet=off -race ./bench/...
	cd test/e2e && $(GO) test -vet=off -count=1 -timeout 60m -run 'TestServerKilled|TestWebhookHangs' ./chaos
