// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
)

// Every exported name of client-go's tools/record is a name of this package.
func TestEveryNameOfClientGoIsHere(t *testing.T) {
	pkg, err := build.Import("k8s.io/client-go/tools/record", ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	ours := exported(t, ".")
	theirs := exported(t, pkg.Dir)
	if len(theirs) < 29 {
		t.Fatalf("found only %d names in %s", len(theirs), pkg.Dir)
	}
	for name := range theirs {
		if !ours[name] {
			t.Errorf("record.%s is missing", name)
		}
	}
}

// exported returns the exported names on package level in dir.
func exported(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			for _, id := range declared(decl) {
				if id.IsExported() {
					names[id.Name] = true
				}
			}
		}
	}
	return names
}

// declared returns what decl names, methods left out.
func declared(decl ast.Decl) []*ast.Ident {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var ids []*ast.Ident
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				ids = append(ids, s.Name)
			case *ast.ValueSpec:
				ids = append(ids, s.Names...)
			}
		}
		return ids
	}
	return nil
}

// What a component writes against client-go's tools/record compiles against this
// package, and the types are the same where values may meet.
var (
	_ record.EventBroadcaster = NewBroadcasterForTests(time.Second)
	_ EventBroadcaster        = NewBroadcasterWithCorrelatorOptions(CorrelatorOptions{
		LRUCacheSize: 1, BurstSize: 1, QPS: 1, MaxEvents: 1, MaxIntervalInSeconds: 1, Clock: clock.RealClock{},
		KeyFunc: EventAggregatorByReasonFunc, MessageFunc: EventAggregatorByReasonMessageFunc,
		SpamKeyFunc: func(*corev1.Event) string { return "" },
	})
	_ []BroadcasterOption          = []Option{WithSleepDuration(time.Second)}
	_ record.EventRecorder         = EventRecorder(nil)
	_ record.EventRecorderLogger   = EventRecorderLogger(nil)
	_ record.EventSink             = EventSink(nil)
	_ *record.FakeRecorder         = NewFakeRecorder(1)
	_ *record.EventCorrelator      = NewEventCorrelator(clock.RealClock{})
	_ *record.EventCorrelator      = NewEventCorrelatorWithOptions(CorrelatorOptions{})
	_ *record.EventCorrelateResult = (*EventCorrelateResult)(nil)
	_ *EventRecorderAdapter        = NewEventRecorderAdapter(NewFakeRecorder(1))
	_ *record.EventAggregator      = NewEventAggregator(
		1, EventAggregatorKeyFunc(EventAggregatorByReasonFunc),
		EventAggregatorMessageFunc(EventAggregatorByReasonMessageFunc), 1, 1, clock.RealClock{})
	_ *record.EventSourceObjectSpamFilter = NewEventSourceObjectSpamFilter(
		1, 1, 1, clock.RealClock{}, EventSpamKeyFunc(func(*corev1.Event) string { return "" }))
	_ record.EventFilterFunc = EventFilterFunc(nil)
)
