// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// promtool accepts the rules, and its unit tests of them pass.
//
// Caught: a rule that does not parse; a threshold that was changed; an alert that fires when nothing is wrong.
func TestRules(t *testing.T) {
	for _, args := range [][]string{
		{"check", "rules", "--lint=all", "--lint-fatal", "alerts.yaml"},
		{"test", "rules", "alerts_test.yaml"},
	} {
		tool := exec.CommandContext(t.Context(), program(t, "promtool"), args...)
		tool.Dir = mixin
		if out, err := tool.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// hurry is how much faster time goes in the rules of the test: six hours are a minute.
const hurry = 360

var (
	duration = regexp.MustCompile(`(for: |\[)(\d+[mh])`)
	seconds  = regexp.MustCompile(`(_seconds > )(\d+)`)
)

// hurried returns rules with every time in them divided by hurry: how long an alert must last, the range of a rate,
// and a limit in seconds. Nothing else is changed.
func hurried(rules string) string {
	rules = duration.ReplaceAllStringFunc(rules, func(found string) string {
		parts := duration.FindStringSubmatch(found)
		d, err := time.ParseDuration(parts[2])
		if err != nil {
			panic(err) // the expression matches nothing else
		}
		return fmt.Sprintf("%s%dms", parts[1], (d / hurry).Milliseconds())
	})
	return seconds.ReplaceAllStringFunc(rules, func(found string) string {
		parts := seconds.FindStringSubmatch(found)
		d, err := time.ParseDuration(parts[2] + "s")
		if err != nil {
			panic(err)
		}
		return fmt.Sprintf("%s%.3f", parts[1], (d / hurry).Seconds())
	})
}

func TestHurried(t *testing.T) {
	const rules = "expr: increase(x[15m]) > 0 and y_seconds > 2400\nfor: 6h"
	const want = "expr: increase(x[2500ms]) > 0 and y_seconds > 6.667\nfor: 60000ms"
	if diff := cmp.Diff(want, hurried(rules)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// writeRules writes the rules in a hurry, and returns the file and the names of the alerts.
func writeRules(t *testing.T, dir string) (file string, alerts []string) {
	t.Helper()
	text, err := os.ReadFile(mixin + "alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`- alert: (\w+)`).FindAllSubmatch(text, -1) {
		alerts = append(alerts, string(match[1]))
	}
	file = filepath.Join(dir, "alerts.yaml")
	if err := os.WriteFile(file, []byte(hurried(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, alerts
}
