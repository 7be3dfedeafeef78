// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/internal/usercode"
)

// page is what is shown, and the JSON as it is. Texts in it are clean: they come from the
// component, from names of objects and from the API server. Its methods, in another file,
// are for the HTML only.
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

// program is what runs. /statusz of Kubernetes' components says the same of them.
type program struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Go      string `json:"go"`
}

// thisProgram reads the versions from the build information of the running program.
func thisProgram() program {
	p := program{Name: filepath.Base(os.Args[0]), Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		p.Version = info.Main.Version
	}
	return p
}

// newPage takes a snapshot, which is its own, or that of one cluster in it, with the namespaces
// that have been in trouble longest.
func newPage(s adapter.Snapshot, cluster string, of program) *page {
	p := &page{Program: of, Clusters: slices.Sorted(maps.Keys(s.Clusters))}
	if one, ok := s.Clusters[cluster]; ok {
		p.Cluster, s = cluster, one
	}
	s.Clusters = nil
	p.Snapshot, p.RefusedIn = s, s.Refused()
	names := slices.SortedFunc(maps.Keys(s.Namespaces), func(a, b string) int {
		return cmp.Or(s.Namespaces[a].Since.Compare(s.Namespaces[b].Since), cmp.Compare(a, b))
	})
	for _, name := range names[min(rows, len(names)):] {
		delete(s.Namespaces, name)
		p.MoreNamespaces++
	}
	clean(reflect.ValueOf(p).Elem())
	if text, err := yaml.JSONToYAML([]byte(s.Remedy())); err == nil && s.Remedy() != "" {
		p.MissingRBAC = string(text)
	}
	return p
}

// clean makes each text in v as it is shown: in one line, of bounded length, and without
// characters that are not seen, such as those that turn the direction of what follows.
func clean(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(usercode.Escape(v.String(), maxText, unicode.IsPrint))
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() {
				clean(field)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			clean(v.Index(i))
		}
	case reflect.Map: // whose keys are constants, or names of namespaces
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			clean(value)
			v.SetMapIndex(key, value)
		}
	}
}

// maxText bounds a text in bytes. Names of Kubernetes' objects are shorter.
const maxText = 512
