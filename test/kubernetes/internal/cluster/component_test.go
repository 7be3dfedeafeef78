// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a component that runs a shell script.
func script(t *testing.T, text string) *component {
	t.Helper()
	c := &component{name: "web", args: []string{"/bin/sh", "-c", text}, log: filepath.Join(t.TempDir(), "web.log")}
	if err := c.run(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Caught: a component that ends and is not started again; one that is started for ever; the log begun anew.
func TestComponentIsStartedAgain(t *testing.T) {
	c := script(t, "echo begins; exit 3")
	<-c.done
	if err := c.failure(); err == nil || !strings.Contains(err.Error(), "web ended 6 times (exit status 3), see "+c.log) {
		t.Errorf("error %v, want the component, why and its log", err)
	}
	log, err := os.ReadFile(c.log)
	if got := strings.Count(string(log), "begins"); err != nil || got != maxStarts || c.usage.Starts != maxStarts {
		t.Errorf("it began %d times by its log (%v) and %d by its usage, want %d", got, err, c.usage.Starts, maxStarts)
	}
}
