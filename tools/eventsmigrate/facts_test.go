// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCoreWriters(t *testing.T) {
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{
			// Caught: only broadcasters count, and leader election loses its Events with the old rule.
			name: "leader election of a manager",
			source: `package main
func main() {
	ctrl.NewManager(config, ctrl.Options{LeaderElection: true})
	ctrl.NewManager(config, ctrl.Options{LeaderElection: false})
	options.LeaderElection = enabled
}`,
			want: []string{"leader election", "leader election"},
		},
		{
			// Caught: the package is known by its last element only.
			name: "a lock under another name, a broadcaster, and namesakes of other packages",
			source: `package main
import (
	locks "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)
func main() {
	locks.New("leases")
	record.NewBroadcaster()
	other.NewBroadcaster()
	record.NewFakeRecorder(1)
}`,
			want: []string{"leader election", "a broadcaster of tools/record"},
		},
		{
			// Caught: the rule stays for a lock that needs it no more.
			name: "a lock of the SDK",
			source: `package main
func main() {
	lock, err := adapter.LeaderElectionLock(config, recorder, lease)
	ctrl.NewManager(config, ctrl.Options{LeaderElection: true, LeaderElectionResourceLockInterface: lock})
}`,
		},
		{
			name: "a lock with a recorder of the SDK",
			source: `package main
import "k8s.io/client-go/tools/leaderelection/resourcelock"
var lock = resourcelock.LeaseLock{LockConfig: resourcelock.ResourceLockConfig{EventRecorder: legacy.AsLegacy(recorder)}}
`,
		},
		{
			name:   "the manager's old recorder",
			source: "package main\n\nvar _ = mgr.GetEventRecorderFor(\"a\")\n",
			want:   []string{"a recorder of GetEventRecorderFor"},
		},
		{name: "the new API", source: "package main\n\nvar _ = mgr.GetEventRecorder(\"a\")\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "a.go", test.source, 0)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, writer := range coreWriters(file) {
				got = append(got, writer.what)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("writers of core/v1 (-want +got):\n%s", diff)
			}
		})
	}
}

// A program whose recorders stay old needs no other RBAC, and only what imports the adapter is told of it.
func TestRBACIsForWhatIsRecorded(t *testing.T) {
	const role = `
-- config/role.yaml --
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: m
rules:
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
`
	const library = withSDK + role + `
-- main.go --
package main

`
	for _, test := range []struct {
		name, archive string
		want, not     string
	}{
		{
			// Caught: what a library of others records through core/v1 gets a rule for events.k8s.io.
			name: "an old recorder behind FromLegacy",
			archive: library + `import (
	"github.com/eventseries/eventseries/legacy"
	"k8s.io/client-go/tools/record"
)

func main() {
	var old record.EventRecorder
	legacy.FromLegacy(old).Eventf(nil, nil, "Normal", "Started", "Start", "started")
}
`,
			want: "the RBAC of example.com/m is left as it is", not: "added to apiGroups",
		},
		{
			// Caught: RBAC of a program that has moved to another library than this SDK cites its adapter.
			name: "client-go's new recorder",
			archive: library + `import "k8s.io/client-go/tools/events"

func main() {
	events.NewBroadcaster(nil).NewRecorder(nil, "m").Eventf(nil, nil, "Normal", "Started", "Start", "started")
}
`,
			want: "events.k8s.io added to apiGroups", not: "the SDK's adapter",
		},
		{
			name: "the adapter",
			archive: library + `import (
	"context"

	"github.com/eventseries/eventseries/adapter"
)

func main() {
	adapter.New(context.Background(), nil).NewRecorder("m").Eventf(nil, nil, "Normal", "Started", "Start", "started")
}
`,
			want: "for the SDK's adapter", not: "is left as it is",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, test.archive)
			got := runTool(t)
			if !strings.Contains(got.stdout, test.want) || strings.Contains(got.stdout, test.not) {
				t.Errorf("run = %d, want %q and not %q\n%s%s", got.code, test.want, test.not, got.stdout, got.stderr)
			}
		})
	}
}
