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

// page holds the data of a page. Its fields are encoded as the JSON. Its methods, in words.go, are
// for the HTML template.
type page struct {
	Program program `json:"program"`
	// Cluster is the cluster whose data is shown, one of Clusters. It is empty if the page shows
	// the sums of all clusters, or if the adapter has only one.
	Cluster  string   `json:"cluster,omitempty"`
	Clusters []string `json:"clusters,omitempty"`
	adapter.Snapshot
	// MoreNamespaces is the number of namespaces that were removed from the field Namespaces of the
	// snapshot, because they do not fit on the page.
	MoreNamespaces int `json:"moreNamespaces"`
	// RefusedIn is the number of namespaces in which RBAC refuses Events, the same number as in the
	// metrics. It includes namespaces that do not fit on the page.
	RefusedIn int `json:"refusedIn"`
	// MissingRBAC is the RBAC that is missing in the namespaces on the page, as YAML.
	MissingRBAC string `json:"missingRBAC,omitempty"`
}

// program describes the process.
type program struct {
	Name string `json:"name"`
	Go   string `json:"go"`
}

// newPage returns a page for the snapshot s. If cluster is the name of a cluster in s, the page
// shows only this cluster. If s has more namespaces than fit on the page, newPage keeps those with
// the earliest Since, and removes the others from s. The caller must not use s afterwards.
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
