// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The lines that the tool gives for leader election compile where it says, and with them it keeps the rule for core/v1 only
// for the SDK's adapter.
func TestElectionLines(t *testing.T) {
	m := newModule(t, "operator")
	m.migrate("-fix")
	m.run("go", "mod", "tidy")
	text, _ := m.exec(tool)
	_, note, found := strings.Cut(text, ": the Events of this leader election need core/v1")
	if !found || !strings.Contains(text, ": leader election; the SDK's adapter") {
		t.Fatalf("no word of leader election:\n%s", text)
	}
	_, note, _ = strings.Cut(note, "\n\n")
	setup, rest, _ := strings.Cut(note, "        // in the manager's options:\n")
	option, rest, _ := strings.Cut(rest, "        // after mgr.Start, before the process exits:\n")
	end, _, _ := strings.Cut(rest, "\n")

	name := filepath.Join(m.dir, "cmd", "main.go")
	before, err := os.ReadFile(name)
	m.must(err)
	after := strings.NewReplacer(
		"import (\n", "import (\n\t\"context\"\n\n\t\"k8s.io/apimachinery/pkg/types\"\n",
		"\tmgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{\n",
		setup+"mgr, err := ctrl.NewManager(config, ctrl.Options{\n"+option,
		"\tif err := mgr.Start(", "\tdefer "+end+"\n\tif err := mgr.Start(",
	).Replace(string(before))
	m.must(os.WriteFile(name, []byte(after), 0o600))
	m.run("go", "vet", "./cmd")
	if text, _ := m.exec(tool); strings.Contains(text, "leader election") || !strings.Contains(text, "for the SDK's adapter (") {
		t.Errorf("the report with the lines:\n%s", text)
	}
}
