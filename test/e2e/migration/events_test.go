// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// written is an Event by what users read, and the API that it came through.
type written struct{ Type, Reason, Note, API string }

// eventsOf returns the Events in a namespace about objects of a kind, once each. An operator's cache may be behind its
// own status write: then the API server refuses the next one, which the operator records, and tries again.
func eventsOf(t *testing.T, env *harness.Env, namespace, kind string) map[written]bool {
	t.Helper()
	all := map[written]bool{}
	for _, e := range env.Events(namespace) {
		if e.Regarding.Kind == kind && !strings.HasPrefix(e.Note, "Operation cannot be fulfilled on ") {
			all[written{e.Type, e.Reason, e.Note, apiOf(t, e.ManagedFields)}] = true
		}
	}
	return all
}

// apiOf returns the API through which an object was written.
func apiOf(t *testing.T, fields []metav1.ManagedFieldsEntry) string {
	t.Helper()
	var apis []string
	for _, f := range fields {
		apis = append(apis, f.APIVersion)
	}
	slices.Sort(apis)
	apis = slices.Compact(apis)
	if len(apis) != 1 {
		t.Fatalf("written through %v, want one API", apis)
	}
	return apis[0]
}
