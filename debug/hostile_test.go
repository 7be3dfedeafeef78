// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
)

func pod(namespace, name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID("uid-" + name)}}
}

var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</style><script>alert(1)</script>`, `' onclick='x`,
	`{{.Secret}}`, "line\nbreak\r\ttab", "\x1b[31mred\x00", "\u202egnp.exe\u2066", "\xff\xfe", "javascript:alert(1)",
	"`${alert(1)}`", "<!-- ", "]]>", strings.Repeat("ä", 3000),
}

// tags are the elements of a page with the names of their attributes.
func tags(html string) map[string]bool {
	set := map[string]bool{}
	for _, tag := range regexp.MustCompile(`<[a-zA-Z/!][^>]*>`).FindAllString(html, -1) {
		set[regexp.MustCompile(`="[^"]*"`).ReplaceAllString(tag, "")] = true
	}
	return set
}

// Caught: a name, a kind, a reason or a note that is markup; a character that turns what follows.
func TestHostileTexts(t *testing.T) {
	plain, attacked := idle(t), idle(t)
	record := func(a *adapter.Adapter, i int, text string) {
		about := &corev1.ObjectReference{
			APIVersion: "example.com/v1", Kind: "Kind" + text, Namespace: "default", Name: fmt.Sprint(i, text), FieldPath: text,
		}
		a.NewRecorder("example.com/"+text).
			Eventf(about, nil, corev1.EventTypeWarning, "Reason"+text, "Act"+text, "%s", "note"+text)
	}
	record(plain, 0, "plain")
	record(plain, 1, strings.Repeat("long ", 1000)) // refused
	for i, text := range hostile {
		record(attacked, i, text)
	}
	want, got := tags(textOf(t, ask(debug.Handler(plain), "GET", "/", ""))), textOf(t, ask(debug.Handler(attacked), "GET", "/", ""))
	if strings.Count(got, "note&lt;script&gt;") != 2 || strings.Count(got, "Kind&lt;script&gt;") != 2 {
		t.Fatal("the page does not show what was recorded")
	}
	for tag := range tags(got) {
		if !want[tag] && tag != `<div>` {
			t.Errorf("there is an element %s", tag)
		}
	}
	for _, r := range "\u202e\u2066\x00\x1b\r\t" {
		if strings.ContainsRune(got, r) {
			t.Errorf("the page has %q", r)
		}
	}
	data := textOf(t, ask(debug.Handler(attacked), "GET", "/?format=json", ""))
	if !json.Valid([]byte(data)) || strings.ContainsAny(data, "<>") {
		t.Error("the JSON is not valid, or is markup")
	}
}

// Lists end, whatever the adapter holds, and so does the page.
//
// Caught: a list without an end; texts without one.
func TestBounds(t *testing.T) {
	a := idle(t)
	recorder := a.NewRecorder("example.com/test")
	const series = 65536
	long := strings.Repeat("<", 900)
	for i := range series {
		about := &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod" + long, Namespace: fmt.Sprint("ns-", i%5000), Name: fmt.Sprint(long, i),
		}
		recorder.Eventf(about, nil, corev1.EventTypeNormal, "Reason", "Act", long)
	}
	if n := a.Stats().Series; n != series {
		t.Fatalf("%d series, want %d", n, series)
	}
	for target, limit := range map[string]int{"/?format=html": 2 << 20, "/?format=json": 2 << 20} {
		body := textOf(t, ask(debug.Handler(a), "GET", target, ""))
		if len(body) > limit {
			t.Errorf("%s: %d bytes, want at most %d", target, len(body), limit)
		}
		if n := strings.Count(body, "ns-"); n == 0 || n > 500 {
			t.Errorf("%s: %d namespaces", target, n)
		}
	}
}
