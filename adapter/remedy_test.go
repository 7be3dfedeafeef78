// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
)

// The line of the log that says RBAC is missing is one line, as grep needs it, with what kubectl apply takes as it is
// to be pasted; and it tells of the ClusterRole, and what it means if that fails. It is no error: nothing is lost.
//
// Caught: YAML of several lines; a string, of which each quote is escaped.
func TestTheRemedyIsPastedFromTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, out := newCluster(), &strings.Builder{}
		c.knowAs("system:serviceaccount:apps:shop")
		c.deny("shop", v1)
		logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(out)))
		a, rec := start(t, c, events.WithLogger(logger))
		synctest.Wait()
		emit(rec, 1, "shop", "web")
		flush(t, a)
		synctest.Wait()
		found := regexp.MustCompile(`(?m)^I.*RBAC forbids.* remedy=(\{.*\}) or="(.*)"$`).FindStringSubmatch(out.String())
		if found == nil {
			t.Fatalf("no remedy to paste in\n%s", out.String())
		}
		if !json.Valid([]byte(found[1])) || len(decodeRoles(t, found[1])) != 1 {
			t.Errorf("remedy %s, want JSON", found[1])
		}
		for _, want := range []string{"ClusterRole bound to system:serviceaccount:apps:shop", "does not find the namespace"} {
			if !strings.Contains(found[2], want) {
				t.Errorf("the line says %q, want %q", found[2], want)
			}
		}
		if n := strings.Count(out.String(), "\n"); n != 1 {
			t.Errorf("%d lines, want 1:\n%s", n, out.String())
		}
	})
}
