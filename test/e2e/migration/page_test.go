// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

var shell = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// runPage runs the kubectl commands of MIGRATING.md after a migrated operator, in the namespace of the test.
func runPage(t *testing.T, env *harness.Env) {
	t.Helper()
	page, err := os.ReadFile("../../../MIGRATING.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range shell.FindAllStringSubmatch(string(page), -1) {
		for line := range strings.Lines(block[1]) {
			arguments, found := strings.CutPrefix(strings.TrimSpace(line), "kubectl ")
			if !found {
				continue
			}
			n++
			out := env.Kubectl(strings.Fields(strings.ReplaceAll(arguments, "-n default", "-n "+env.Namespace))...)
			shows := strings.HasPrefix(arguments, "get events") || strings.HasPrefix(arguments, "describe")
			if shows && !strings.Contains(out, "Created Deployment books with 2 replicas") {
				t.Errorf("kubectl %s does not show the Events:\n%s", arguments, out)
			}
		}
	}
	if n == 0 {
		t.Error("MIGRATING.md has no command for kubectl")
	}
}
