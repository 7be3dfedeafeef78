# Every check of the project is a target here; .ci/run calls the same ones.
GO        ?= go
PACKAGES  ?= ./...
FUZZTIME  ?= 10s
SEEDS     ?= 300
NESTED    := test/controlplane test/e2e test/bench tools/eventsmigrate

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: check
check: fmt-check vet tidy-check ## What every commit must pass besides the tests

.PHONY: fmt-check
fmt-check: ## All Go files are formatted
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

.PHONY: vet
vet: ## go vet, also in the nested modules
	$(GO) vet ./...
	@for m in $(NESTED); do (cd $$m && echo "vet $$m" && $(GO) vet ./...) || exit 1; done

.PHONY: tidy-check
tidy-check: ## go.mod and go.sum are tidy
	$(GO) mod tidy -diff
	@for m in $(NESTED); do (cd $$m && echo "tidy $$m" && $(GO) mod tidy -diff) || exit 1; done

.PHONY: lint
lint: ## golangci-lint, built from source at a pinned version (minutes when cold)
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run

.PHONY: test
test: ## Unit tests with the race detector, in random order; floods, allocations and 300 simulated seeds without it
	$(GO) test -race -shuffle=on $(PACKAGES)
	$(GO) test -run '^TestI[25]' ./events ./legacy ./adapter ./internal/series
	$(GO) test -run '^TestSeeds$$' ./internal/sim
	cd test/bench && $(GO) test -race -shuffle=on ./...
	cd tools/eventsmigrate && $(GO) test -short -shuffle=on ./...

.PHONY: stress
stress: ## The ...ConcurrentSafe tests a hundred times under the race detector
	$(GO) test -race -run ConcurrentSafe -count=100 $(PACKAGES)

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
	$(GO) test -c -o bin/sim.test ./internal/sim
	bin/sim.test -test.run '^TestSeeds$$' -test.v -test.timeout 0 -seeds $(SEEDS) -progress

.PHONY: golden
golden: ## Rewrite the golden files, and show what changed
	$(GO) test ./internal/series -update
	git diff --stat -- '*testdata*'

.PHONY: demo
demo: ## A simulated hour of a node, before and after the migration; needs no cluster
	$(GO) run ./examples/kubelet-migration

.PHONY: demo-cluster
demo-cluster: controlplane ## The same node in real time on a real API server
	$(GO) run ./examples/kubelet-migration -control-plane

.PHONY: controlplane
controlplane: ## Build kube-apiserver, etcd and kubectl into bin/controlplane (once)
	@sh test/controlplane/build.sh

.PHONY: e2e
e2e: controlplane ## The SDK against a real kube-apiserver and etcd, and migrated projects
	cd test/controlplane && $(GO) test ./...
	cd test/e2e && $(GO) test -count=1 -p 1 -short -timeout 30m ./...
	cd tools/eventsmigrate && $(GO) test -count=1 -timeout 30m ./e2e

.PHONY: chaos
chaos: controlplane ## A storm of events while the real control plane breaks; prints the accounts (half an hour)
	cd test/e2e && $(GO) test -count=1 -v -timeout 60m ./chaos

.PHONY: bench
bench: controlplane ## The SDK, client-go and a floor measured in one run; writes docs/benchmarks.md (20 minutes, quiet machine)
	cd test/bench && $(GO) run .

.PHONY: scale
scale: ## 5,000 nodes simulated on a normal and a bad day; writes docs/scale.md (a quarter of an hour)
	cd test/bench && $(GO) run ./scale
