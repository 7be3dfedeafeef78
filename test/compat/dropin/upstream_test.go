// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Kubernetes' integration test of both recorders, which is not part of this repository.
const (
	kubernetes136 = "k8s.io/kubernetes@v1.36.3"
	upstreamFile  = "test/integration/events/events_test.go"
)

// upstreamImports are the lines that change: the two packages of client-go, and what starts a real API server.
var upstreamImports = strings.NewReplacer(
	`"k8s.io/client-go/tools/events"`, `events "github.com/eventseries/eventseries/adapter"`,
	`"k8s.io/client-go/tools/record"`, `record "github.com/eventseries/eventseries/legacy"`,
	`"k8s.io/kubernetes/cmd/kube-apiserver/app/testing"`, `"github.com/eventseries/eventseries/test/compat/dropin/upstream"`,
	`"k8s.io/kubernetes/test/integration/framework"`, `framework "github.com/eventseries/eventseries/test/compat/dropin/upstream"`,
)

// Kubernetes' own test of both recorders passes with its imports changed, one for each package of client-go.
//
// Caught: adapter.NewBroadcaster with another shape than that of tools/events.
func TestKubernetesTestMigratesByItsImports(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(download(t, kubernetes136), filepath.FromSlash(upstreamFile)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	changed, overlay, program := filepath.Join(dir, "events_test.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program")
	here, err := filepath.Abs(filepath.Join("upstream", "events", "events_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{here: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{changed: []byte(upstreamImports.Replace(string(source))), overlay: replace} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay="+overlay, "-o", program, "./upstream/events")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("it does not compile: %v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program, "-test.v").CombinedOutput()
	for _, test := range []string{"TestEventCompatibility", "TestEventSeries"} {
		if !strings.Contains(string(out), "--- PASS: "+test) {
			t.Errorf("%s does not pass: %v\n%s", test, err, out)
		}
	}
}

// download returns the directory of a module in the module cache.
func download(t *testing.T, module string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	command.Dir = t.TempDir() // outside of all modules
	command.Env = append(os.Environ(), "GOFLAGS=")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go mod download %s: %v\n%s", module, err, out)
	}
	var result struct{ Dir string }
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	return result.Dir
}
