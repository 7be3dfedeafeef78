// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// start begins a component: it records, and returns how to end.
type start func(context.Context, *rest.Config) (shutdown func(), err error)

// over starts a component that takes a client.
func over(start func(context.Context, kubernetes.Interface) (shutdown func(), err error)) start {
	return func(ctx context.Context, config *rest.Config) (shutdown func(), err error) {
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		return start(ctx, client)
	}
}

// components are in the order in which they run. The manager is last, because controller-runtime leaves goroutines.
var components = []struct {
	name        string
	start       start
	occurrences int64
}{
	{"a controller", over(startController), 5},
	{"kube-proxy", over(startProxy), 4},
	{"kube-proxy, with a context", over(startProxyWithContext), 4},
	{"kube-scheduler", over(startScheduler), 9},
	{"leader election", over(startElection), 2},
	{"a manager", startManager, 4},
}

// migrated names a file in the process whose recorders are the SDK's. It gets the Events.
const migrated = "EVENTSERIES_DROPIN_EVENTS"

// A component has the same Events after its import has changed, and then has them all on the server when its
// broadcaster was shut down, and leaves no goroutine. client-go's gets the time that it needs, and leaves some.
//
// Caught: annotations that do not get through; a Shutdown that does not drain; a watcher that it leaves behind.
func TestComponentsMigrateByTheirImport(t *testing.T) {
	if file := os.Getenv(migrated); file != "" {
		write(t, file, encode(t, runAll(t, true)))
		return
	}
	sources, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]string{}
	for _, source := range sources {
		changed[source] = imports.Replace(read(t, source))
	}
	file := filepath.Join(t.TempDir(), "events.json")
	child := exec.CommandContext(t.Context(), buildTests(t, ".", changed), "-test.run=^TestComponents")
	child.Env = append(os.Environ(), migrated+"="+file)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("with the SDK: %v\n%s", err, out)
	}
	var after map[string][]seen
	if err := json.Unmarshal([]byte(read(t, file)), &after); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(runAll(t, false), after); diff != "" {
		t.Errorf("Events (-client-go +eventseries):\n%s", diff)
	}
}

// runAll runs the components and returns the Events of each.
func runAll(t *testing.T, migrated bool) map[string][]seen {
	events := map[string][]seen{}
	for _, c := range components {
		server := apiserver.New()
		shutdown, err := c.start(context.WithoutCancel(t.Context()), server.Config())
		if err != nil {
			t.Fatal(err)
		}
		if migrated {
			shutdown()
			if left := goleak.Find(); left != nil && ofSDK(left.Error()) {
				t.Errorf("%s: %v", c.name, left)
			}
		} else {
			defer shutdown()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_ = server.Await(ctx, func() bool { return occurrences(server.Events()) >= c.occurrences })
		}
		if got := occurrences(server.Events()); got != c.occurrences {
			t.Errorf("%s: stored %d occurrences of %d", c.name, got, c.occurrences)
		}
		events[c.name] = seenOf(server.Events())
	}
	return events
}

// ofSDK reports whether stacks of goroutines name a package of the SDK that is no test.
func ofSDK(stacks string) bool {
	const module = "github.com/eventseries/eventseries/"
	return strings.Contains(strings.ReplaceAll(stacks, module+"test/", ""), module)
}

// imports are those of client-go's recorders and what takes their place.
var imports = strings.NewReplacer(
	"\n\t"+`"k8s.io/client-go/tools/events"`, "\n\t"+`"github.com/eventseries/eventseries/clientgo/events"`,
	"\n\t"+`"k8s.io/client-go/tools/record"`, "\n\t"+`"github.com/eventseries/eventseries/clientgo/record"`,
)

// buildTests builds the tests of a package with other texts of some of its files, and returns the program.
func buildTests(t *testing.T, pkg string, changed map[string]string) (program string) {
	t.Helper()
	dir, overlay := t.TempDir(), map[string]string{}
	for file, text := range changed {
		name, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		overlay[name] = filepath.Join(dir, filepath.Base(file))
		write(t, overlay[name], []byte(text))
	}
	write(t, filepath.Join(dir, "overlay.json"), encode(t, map[string]any{"Replace": overlay}))
	program = filepath.Join(dir, "tests")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay="+filepath.Join(dir, "overlay.json"),
		"-o", program, "./"+pkg)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("it does not compile: %v\n%s", err, out)
	}
	return program
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
