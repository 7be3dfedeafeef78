// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"testing"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// How the marker behind one is written.
// Caught: a name kept that narrows the new rule; braces or quotes that are lost; the space around a comma that is lost.
func TestSuccessors(t *testing.T) {
	for text, want := range map[string]string{
		`groups=core,resources=events,verbs=create;patch`:                                            `groups=events.k8s.io,resources=events,verbs=create;patch`,
		`groups="";apps,resources={events, "pods/log"} , verbs={create},namespace="shop",roleName=r`: `groups="events.k8s.io",resources={"events"} , verbs={create,patch},namespace="shop",roleName=r`,
		"urls=/metrics,resourceNames=a;b,verbs=\"*\" , groups=`apps`,resources=events,":              `verbs="create";"patch" , groups=events.k8s.io,resources=events`,
		` groups = "" , resources = "events" , verbs = create `:                                      `groups = "events.k8s.io" , resources = "events" , verbs = create;patch`,
	} {
		all, err := rbacfile.Markers("package p\n\n//" + rbacfile.MarkerPrefix + text)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v, %v", text, all, err)
		}
		if got := (marker{Marker: all[0]}).successor(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}
