// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write what is measured to testdata")

const golden = "testdata/leaks.txt"

// untilShutdown is how many goroutines of the SDK may be left: those of a broadcaster of package legacy whose sink is
// stopped, and which nobody has shut down.
const untilShutdown = 2

// What each situation leaves behind, as goleak without any option sees it after its own retries. docs/testing.md links to
// the table. A busy machine may need more patience than goleak has: then everything is measured once more. The table is
// of the client-go that go.mod names; with another one (make compat) only the SDK's part is held.
//
// Caught: a Shutdown of the SDK that does nothing unless something was recorded; a logging that its stop does not end.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("goleak waits for each goroutine that is left")
	}
	var got string
	var ours int
	for range 3 {
		got, ours = measured(t)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if ours == untilShutdown && (got == read(t, golden) || usesAnotherClientGo(t)) {
			return
		}
	}
	t.Errorf("the SDK leaves %d goroutines, want %d; %s (-want +got; rewrite it with -update):\n%s",
		ours, untilShutdown, golden, cmp.Diff(read(t, golden), got))
}

// measured is the table, and how many goroutines of it are the SDK's.
func measured(t *testing.T) (table string, ours int) {
	var text strings.Builder
	fmt.Fprintf(&text, "%-57s%20s%13s\n", "goroutines left behind", clientGoVersion(t), "eventseries")
	of := ""
	for _, s := range situations {
		if s.of != of {
			of = s.of
			fmt.Fprintln(&text, of)
		}
		theirs, sdks := leaks(t, s, clientGo), leaks(t, s, sdk)
		fmt.Fprintf(&text, "  %-55s%20d%13d\n", s.name, len(theirs), len(sdks))
		byCreator := map[string]int{}
		for _, g := range append(theirs, sdks...) {
			byCreator[g.String()]++
		}
		for _, who := range slices.Sorted(maps.Keys(byCreator)) {
			fmt.Fprintf(&text, "      %d by %s\n", byCreator[who], who)
		}
		ours += len(sdks)
	}
	return text.String(), ours
}

// leaks measures one situation. The cleanups of the subtest end what it leaves behind; client-go does not wait for
// that, so the next one begins with a wait.
func leaks(t *testing.T, s situation, k kit) (found []goroutine) {
	t.Run(s.of+" "+s.name, func(t *testing.T) {
		goleak.VerifyNone(t)
		s.leave(t, k)
		found = goroutines(goleak.Find())
	})
	return found
}

func usesAnotherClientGo(t *testing.T) bool {
	used, err := exec.Command("go", "list", "-m", "-f", "client-go {{.Version}}", "k8s.io/client-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(used)) != clientGoVersion(t)
}

func clientGoVersion(t *testing.T) string {
	for line := range strings.Lines(read(t, "../../../go.mod")) {
		if version, ok := strings.CutPrefix(strings.TrimSpace(line), "k8s.io/client-go "); ok {
			return "client-go " + version
		}
	}
	t.Fatal("go.mod requires no client-go")
	return ""
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
