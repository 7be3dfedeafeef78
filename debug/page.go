// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/adapter"
)

// page is what is shown, and the JSON as it is. Its methods, in another file, are for the HTML
// only.
type page struct {
	Program program `json:"program"`
	// Cluster is the one that is shown, of Clusters; empty for the sum of all.
	Cluster  string   `json:"cluster,omitempty"`
	Clusters []string `json:"clusters,omitempty"`
	adapter.Snapshot
	// MoreNamespaces is how many are not shown, and RefusedIn in how many of all RBAC refuses
	// Events, as in the metrics.
	MoreNamespaces int `json:"moreNamespaces"`
	RefusedIn      int `json:"refusedIn"`
	// MissingRBAC is YAML with what is missing in those that are shown.
	MissingRBAC string `json:"missingRBAC,omitempty"`
}

// program is what runs.
type program struct {
	Name string `json:"name"`
	Go   string `json:"go"`
}

// newPage takes a snapshot, which is its own, or that of one cluster in it, with the namespaces
// that have been in trouble longest.
func newPage(s adapter.Snapshot, cluster string) *page {
	p := &page{
		Program:  program{Name: filepath.Base(os.Args[0]), Go: runtime.Version()},
		Clusters: slices.Sorted(maps.Keys(s.Clusters)),
	}
	if one, ok := s.Clusters[cluster]; ok {
		p.Cluster = cluster
		s = one
	}
	s.Clusters = nil
	p.Snapshot = s
	p.RefusedIn = s.ForbiddenNamespaces()
	names := slices.SortedFunc(maps.Keys(s.Namespaces), func(a, b string) int {
		return cmp.Or(s.Namespaces[a].Since.Compare(s.Namespaces[b].Since), cmp.Compare(a, b))
	})
	for _, name := range names[min(rows, len(names)):] {
		delete(s.Namespaces, name)
		p.MoreNamespaces++
	}
	if text, err := yaml.JSONToYAML([]byte(s.Remedy())); err == nil && s.Remedy() != "" {
		p.MissingRBAC = string(text)
	}
	return p
}
