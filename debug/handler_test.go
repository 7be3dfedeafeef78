// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clientgo/recordevents"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// quiet logs nothing.
var quiet = events.WithLogger(klog.Logger{})

// idle returns an adapter that is not started, so that its series do not change.
func idle(t *testing.T, opts ...adapter.Option) *adapter.Adapter {
	t.Helper()
	a := adapter.New(t.Context(), eventstest.NewClientset(), append([]adapter.Option{quiet}, opts...)...)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		// Pending Events are lost.
		_ = a.Drain(ctx)
	})
	return a
}

func ask(h http.Handler, method, target, accept string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func textOf(t *testing.T, r *http.Response) string {
	t.Helper()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(b.String(), "\r\n\r\n")
	return body
}

// Caught: a page for POST; JSON for a browser; HTML for kubectl get --raw; an answer that a proxy
// keeps; one that a browser takes for a script; a policy that allows anything inline; text after
// the end.
func TestMethodsAndFormats(t *testing.T) {
	const html, json, text = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"
	h := debug.Handler(idle(t))
	for _, row := range []struct {
		method, target, accept string
		code                   int
		contentType            string
	}{
		{"GET", "/", "", 200, html},
		{"GET", "/", "*/*", 200, html},
		{"GET", "/", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", 200, html},
		{"GET", "/", "application/json", 200, json},
		{"GET", "/", "application/json, */*", 200, json}, // kubectl get --raw
		{"GET", "/", "text/*, application/json", 200, json},
		{"GET", "/", "text/html, application/json", 200, html},
		{"GET", "/", "image/png", 200, html},
		{"GET", "/any/path?format=json", "text/html", 200, json},
		{"GET", "/?format=html", "application/json", 200, html},
		{"GET", "/?format=yaml", "", 200, html},
		{"HEAD", "/", "", 200, html},
		{"HEAD", "/", "application/json", 200, json},
		{"POST", "/", "", 405, text},
		{"PUT", "/", "application/json", 405, text},
		{"DELETE", "/", "", 405, text},
		{"OPTIONS", "/", "", 405, text},
		{"TRACE", "/?format=json", "", 405, text},
	} {
		t.Run(fmt.Sprint(row.method, " ", row.target, " ", row.accept), func(t *testing.T) {
			r := ask(h, row.method, row.target, row.accept)
			if r.StatusCode != row.code || r.Header.Get("Content-Type") != row.contentType {
				t.Errorf("%d %q, want %d %q", r.StatusCode, r.Header.Get("Content-Type"), row.code, row.contentType)
			}
			want := map[string]string{
				"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			}
			if row.code == 405 {
				want = map[string]string{"Allow": "GET, HEAD"}
			} else {
				want["Vary"] = "Accept"
				want["Content-Length"] = strconv.Itoa(len(textOf(t, r)))
				policy := r.Header.Get("Content-Security-Policy")
				if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") {
					t.Errorf("Content-Security-Policy: %s", policy)
				}
			}
			for name, value := range want {
				if got := r.Header.Get(name); got != value {
					t.Errorf("%s: %q, want %q", name, got, value)
				}
			}
		})
	}
}

// Caught: a panic that leaves the handler, which would end a component without net/http's recovery;
// a handler that stays locked after a panic.
func TestNilSource(t *testing.T) {
	for name, source := range map[string]debug.Source{
		"nil": nil, "nil adapter": (*adapter.Adapter)(nil), "nil broadcaster": (*recordevents.Broadcaster)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			h := debug.Handler(source)
			for range 2 {
				if r := ask(h, "GET", "/", ""); r.StatusCode != 500 || !strings.Contains(textOf(t, r), "pass Handler the adapter") {
					t.Errorf("%d", r.StatusCode)
				}
			}
		})
	}
}

// hanging is a source that does not answer until the test allows it.
type hanging struct{ answer chan struct{} }

func (h hanging) Snapshot(int) adapter.Snapshot {
	<-h.answer
	return adapter.Snapshot{}
}

// While a source hangs, other requests end when their clients give up.
//
// Caught: a mutex around the source, for which requests wait for ever.
func TestSourceThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := hanging{make(chan struct{})}
		handler := debug.Handler(source)
		var first sync.WaitGroup
		first.Go(func() { ask(handler, http.MethodGet, "/", "") })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
		if answer.Code != http.StatusInternalServerError || !strings.Contains(answer.Body.String(), "deadline exceeded") {
			t.Errorf("%d: %s", answer.Code, answer.Body)
		}
		close(source.answer)
		first.Wait()
	})
}

func TestMain(m *testing.M) {
	os.Unsetenv(adapter.Environment)
	os.Unsetenv(adapter.EnvironmentSelector)
	goleak.VerifyTestMain(m)
}

func pod(namespace, name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID("uid-" + name)}}
}

var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</style><script>alert(1)</script>`, `' onclick='x`,
	`{{.Secret}}`, "line\nbreak\r\ttab", "\x1b[31mred\x00", "\u202egnp.exe\u2066", "\xff\xfe", "javascript:alert(1)",
	"`${alert(1)}`", "<!-- ", "]]>", strings.Repeat("ä", 3000),
}

// tags returns the elements of a page with the names of their attributes.
func tags(html string) map[string]bool {
	set := map[string]bool{}
	for _, tag := range regexp.MustCompile(`<[a-zA-Z/!][^>]*>`).FindAllString(html, -1) {
		set[regexp.MustCompile(`="[^"]*"`).ReplaceAllString(tag, "")] = true
	}
	return set
}

// Caught: a name, a kind, a reason, a note or a selector that becomes markup; a character that
// reverses the text after it.
func TestHostileTexts(t *testing.T) {
	const selector = `reason!=<script>alert(1)</script>`
	plain, attacked := idle(t, adapter.WithSelector("reason!=None")), idle(t, adapter.WithSelector(selector))
	record := func(a *adapter.Adapter, i int, text string) {
		about := &corev1.ObjectReference{
			APIVersion: "example.com/v1", Kind: "Kind" + text, Namespace: "default", Name: fmt.Sprint(i, text), FieldPath: text,
		}
		a.Recorder("example.com/"+text).
			Eventf(about, nil, corev1.EventTypeWarning, "Reason"+text, "Act"+text, "%s", "note"+text)
	}
	record(plain, 0, "plain")
	record(plain, 1, strings.Repeat("long ", 1000)) // refused
	for i, text := range hostile {
		record(attacked, i, text)
	}
	want, got := tags(textOf(t, ask(debug.Handler(plain), "GET", "/", ""))), textOf(t, ask(debug.Handler(attacked), "GET", "/", ""))
	if strings.Count(got, "note&lt;script&gt;") != 2 || !strings.Contains(got, "reason!=&lt;script&gt;") || strings.Count(got, "Kind&lt;script&gt;") != 2 {
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
