// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// hostile is what reaches a recorder when nobody looks.
var hostile = []string{
	"", " ", "web", "Web_1", "-web-", "a.b", "..", "/", "a/b/c", "%", "%%", "%d", "\x00", "\n", "é", "\xff", "\xe2\x82",
	"\u2028", "null", `"}`, "$patch", "eventseries.dev/latest-note",
	strings.Repeat("x", 64), strings.Repeat("é", 64), strings.Repeat("\xff", 129), strings.Repeat("x", 254),
	strings.Repeat("a.", 200), strings.Repeat("日本", 400), strings.Repeat("x", 1023) + "\xe2",
	strings.Repeat("\xff", 1100), strings.Repeat("v", 70<<10),
}

// anything is what a caller may pass.
type anything struct {
	controller, instance                  string
	namespace, name, kind, version, uid   string
	eventType, reason, action, note, path string
	arg, key, value, related              string
	policy                                int
}

// checkAccepted records occurrences of it, so that it is created and patched, and checks that the server takes all that
// the SDK has not refused.
func checkAccepted(t *testing.T, in anything) {
	t.Helper()
	sink := eventstest.NewSink()
	policy := []events.NotePolicy{events.NotesFirst, events.NotesLatest, events.NotesDistinct(2)}[in.policy]
	b := events.NewBroadcaster(sink, quiet, events.WithReportingInstance(in.instance), events.WithNotes(policy))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	rec := b.NewRecorder(nil, in.controller).(*events.Recorder)
	ref := &corev1.ObjectReference{
		Kind: in.kind, APIVersion: in.version, Namespace: in.namespace, Name: in.name, UID: types.UID(in.uid),
		FieldPath: in.path,
	}
	other := &corev1.ObjectReference{Kind: in.kind, Name: in.related, Namespace: in.related, APIVersion: in.version}
	emit := func(note string, keys ...string) {
		annotations := map[string]string{}
		for _, key := range keys {
			annotations[key] = in.value
		}
		var args []any
		if in.arg != "" {
			args = []any{in.arg}
		}
		rec.AnnotatedEventf(ref, other, annotations, in.eventType, in.reason, in.action, note, args...)
	}
	emit(in.note, in.key)
	flush(t, b)
	emit(in.value, in.value)
	emit(in.reason, "a", "b", in.key)
	flush(t, b)
	emit(in.note, in.action, in.reason)
	if lost := drain(t, b, time.Minute); lost != nil {
		t.Error(lost)
	}
	for _, call := range sink.Calls() {
		if call.Err != nil {
			t.Errorf("I7: refused by the server's rules: %v\ninput %#v", call.Err, in)
		}
	}
	s := b.Stats()
	checkConserved(t, s)
	if s.Recorded+s.Dropped[events.Invalid] != 4 {
		t.Errorf("recorded %d, invalid %d of 4: %+v", s.Recorded, s.Dropped[events.Invalid], s)
	}
}

// I7: nothing that passes the SDK is rejected by the server's own validation.
func TestI7WhatPassesIsAccepted(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	pick := func(usual string) string {
		if random.IntN(3) == 0 {
			return usual
		}
		return hostile[random.IntN(len(hostile))]
	}
	for range flood(1500) {
		in := anything{
			controller: pick("example.com/test"), instance: pick("replica-0"),
			namespace: []string{"default", "", "kube-system", pick("default")}[random.IntN(4)],
			name:      pick("web"), kind: pick("Pod"), version: pick("v1"), uid: pick("1"),
			eventType: []string{"Normal", "Warning", pick("Normal")}[random.IntN(3)],
			reason:    pick("Killing"), action: pick("Kill"), note: pick("note"), path: pick(""),
			arg: pick(""), key: pick("example.com/key"), value: pick("value"), related: pick("peer"), policy: random.IntN(3),
		}
		checkAccepted(t, in)
	}
}

// FuzzEventIsAccepted is I7 for any input.
func FuzzEventIsAccepted(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, s, s, s, s, s, s, s, "Warning", s, s, s, s, s, s, s, uint8(i))
		f.Add("example.com/test", "replica", "default", "web", "Pod", "v1", "1", "", "Normal", "Killing", s, s, s, s, s, s,
			uint8(i))
	}
	f.Add("example.com/test", "replica", "a.b", "web", "Pod", "v1", "u", "", "Normal", "R", "A", "n", "", "k", "v", "peer", uint8(0))
	f.Add("example.com/test", "replica", "default", "web", "Pod", "v1", "u", "", "Normal", "R", "A", strings.Repeat("\xff", 400), "x",
		"eventseries.dev/latest-note", "\xff", "peer", uint8(1))
	f.Fuzz(func(t *testing.T,
		controller, instance, namespace, name, kind, version, uid, path, eventType, reason, action, note, arg, key, value,
		related string, policy uint8,
	) {
		in := anything{
			controller: controller, instance: instance, namespace: namespace, name: name, kind: kind, version: version,
			uid: uid, eventType: eventType, reason: reason, action: action, note: note, path: path, arg: arg,
			key: key, value: value, related: related, policy: int(policy) % 3,
		}
		if policy >= 128 {
			in.namespace, in.eventType = "default", "Warning" // else few inputs get past them
		}
		checkAccepted(t, in)
	})
}
