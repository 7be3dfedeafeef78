// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/eventview"
)

func read(t *testing.T, text string) (*Catalog, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "events.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(name)
}

// Caught: another controller's entry; a comment that wins over what somebody has written.
func TestMeaning(t *testing.T) {
	c, err := read(t, `version: 1
events:
- {controller: shop, type: Warning, reason: Failed, doc: comment of shop}
- {controller: shop, type: Normal, reason: Failed, action: Sync, doc: comment, meaning: by hand}
- {reason: Failed, doc: any controller}
- {controller: shop, reason: Bare}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		event eventview.Event
		want  string
	}{
		{eventview.Event{Controller: "shop", Type: "Warning", Reason: "Failed", Action: "Sync"}, "comment of shop"},
		{eventview.Event{Controller: "shop", Type: "Normal", Reason: "Failed", Action: "Sync"}, "by hand"},
		{eventview.Event{Controller: "other", Type: "Normal", Reason: "Failed"}, "any controller"},
		{eventview.Event{Controller: "shop", Reason: "Bare"}, ""},
		{eventview.Event{Controller: "shop", Reason: "Unknown"}, ""},
	} {
		if got := c.Meaning(&test.event); got != test.want {
			t.Errorf("%s %s %s: %q, want %q", test.event.Controller, test.event.Type, test.event.Reason, got, test.want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	for text, want := range map[string]string{"version: 2\n": "version is 2, want 1", "[": "events.yaml: "} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q) = %v, want %q", text, err, want)
		}
	}
}
