// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
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
	noTests := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
	pkgs, err := parser.ParseDir(token.NewFileSet(), dir, noTests, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names[id.Name] = true
		}
	}
	for _, pkg := range pkgs {
		for _, file := range pkg.Files {
			for _, decl := range file.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil {
						add(d.Name)
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						switch s := spec.(type) {
						case *ast.TypeSpec:
							add(s.Name)
						case *ast.ValueSpec:
							for _, id := range s.Names {
								add(id)
							}
						}
					}
				}
			}
		}
	}
	return names
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
