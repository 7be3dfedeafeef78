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

// startsServer are the imports of what starts a real API server there.
var startsServer = strings.NewReplacer(
	`"k8s.io/kubernetes/cmd/kube-apiserver/app/testing"`, `"github.com/eventseries/eventseries/test/compat/dropin/upstream"`,
	`"k8s.io/kubernetes/test/integration/framework"`, `framework "github.com/eventseries/eventseries/test/compat/dropin/upstream"`,
)

// Kubernetes' own test of both recorders passes with its imports changed, one for each package of client-go.
//
// Caught: a NewBroadcaster with another shape than that of tools/events.
func TestKubernetesTestMigratesByItsImports(t *testing.T) {
	source := read(t, filepath.Join(download(t, kubernetes136), filepath.FromSlash(upstreamFile)))
	program := buildTests(t, "upstream/events", map[string]string{
		"upstream/events/events_test.go": startsServer.Replace(imports.Replace(source)),
	})
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
