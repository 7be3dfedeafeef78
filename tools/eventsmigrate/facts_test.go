// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/parser"
	"go/token"
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
