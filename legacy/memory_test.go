// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A text that was cut from a large one would keep all of that in memory, for as long as the correlator remembers it.
//
// Caught: keeping any one of the caller's texts, the keys of annotations and the source of the recorder among them.
func TestNoTextOfTheCallerIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := strings.Repeat("Normal", 10_000) + "-normal"
		cut := func() string { return large[6:12] }
		label := large[len(large)-6:]
		object := &corev1.ObjectReference{
			Kind: cut(), APIVersion: cut(), Namespace: label, Name: cut(), UID: types.UID(cut()),
			ResourceVersion: cut(), FieldPath: cut(),
		}
		b := NewBroadcaster()
		var seen []*corev1.Event
		b.StartEventWatcher(func(e *corev1.Event) { seen = append(seen, e) })
		source := corev1.EventSource{Component: cut(), Host: cut()}
		annotations := map[string]string{cut(): cut()}
		b.NewEventsRecorder(nil, source).AnnotatedEventf(object, object, annotations, cut(), cut(), cut(), "%s", cut())
		b.NewEventsRecorder(nil, source).Event(object, object, cut(), cut(), cut(), cut())
		b.NewRecorder(nil, source).Event(object, cut(), cut(), cut())
		b.Shutdown()
		if len(seen) != 3 {
			t.Fatalf("saw %d events, want 3", len(seen))
		}
		for _, event := range seen {
			eachText(reflect.ValueOf(event).Elem(), "Event", func(path, text string) {
				at, from := uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(unsafe.Pointer(unsafe.StringData(large)))
				if from <= at && at < from+uintptr(len(large)) {
					t.Errorf("%s is a part of the caller's text", path)
				}
			})
		}
	})
}

// eachText calls f with every text in v.
func eachText(v reflect.Value, path string, f func(path, text string)) {
	switch v.Kind() {
	case reflect.String:
		f(path, v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			eachText(v.Elem(), path, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				eachText(v.Field(i), path+"."+field.Name, f)
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			eachText(key, path+" key", f)
			eachText(v.MapIndex(key), path+" value", f)
		}
	}
}
