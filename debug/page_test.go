// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/test/incident"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// changing is what differs between two runs: the program, its versions, and the end of names.
var changing = regexp.MustCompile(`(\.)[0-9a-f]{24}"|("(?:name|version|go|sdk)": ")(?:debug\.test|go1[^"]*|devel|\(devel\)|v0[^"]*)"`)

// Caught: a field that was renamed, or is missing; a time that is not UTC; a reason to wait that is not the true one.
func TestJSON(t *testing.T) {
	const golden = "testdata/incident.json"
	var got string
	synctest.Test(t, func(t *testing.T) {
		got = textOf(t, ask(debug.Handler(incident.Play(t)), "GET", "/?format=json", ""))
	})
	got = changing.ReplaceAllString(got, `$1$2…"`)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Caught: a namespace counted as refused that a webhook refuses, or that goes through the other API; a gate that does not
// say why it is closed.
func TestPageOfRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := eventstest.NewClientset()
		c.Authorize(func(r eventstest.Request) bool {
			return r.Namespace != "denied" && (r.Namespace != "fallback" || r.Group == "")
		})
		hooked := func(_ context.Context, r eventstest.Request) error {
			if r.Namespace != "hooked" || r.Resource != "events" {
				return nil
			}
			return apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "", errors.New("by a webhook"))
		}
		c.Fail(hooked)
		a := adapter.New(t.Context(), c, quiet)
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer a.Shutdown()
		defer c.Fail(nil)
		recorder := a.NewRecorder("example.com/test")
		record := func(namespace string) string {
			recorder.Eventf(pod(namespace, "web"), nil, "Normal", "Pulled", "Pull", "ok")
			time.Sleep(time.Second)
			return textOf(t, ask(debug.Handler(a), "GET", "/", ""))
		}
		for _, step := range []struct{ namespace, summary, gate string }{
			{"well", "nothing is refused", ""},
			{"fallback", "RBAC refuses nothing; see 1 namespace", ""},
			{"hooked", "RBAC refuses nothing; see 2 namespaces", "by a webhook"},
			{"denied", "refused in 1 namespace", "forbidden"},
		} {
			html := record(step.namespace)
			_, gates, _ := strings.Cut(html, `<h2 id="gates">`)
			gates, _, _ = strings.Cut(gates, "</section>")
			if !strings.Contains(html, "<bdi>"+step.summary+"</bdi>") || !strings.Contains(gates, step.gate) {
				t.Errorf("%s: the page does not have %q, and %q among the gates", step.namespace, step.summary, step.gate)
			}
		}
		c.Fail(func(context.Context, eventstest.Request) error {
			return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		})
		if html := record("well"); !strings.Contains(html, "dial tcp: connection refused") {
			t.Error("the gate of the server does not say that connections are refused")
		}
	})
}

// A page of the two-phase broadcaster, before it has a client and after its end.
func TestBroadcasterWithoutSink(t *testing.T) {
	b := adapter.NewRecordBroadcaster(quiet)
	h := debug.Handler(b)
	for range 2 {
		if r := ask(h, "GET", "/", ""); r.StatusCode != 200 {
			t.Errorf("%d: %s", r.StatusCode, textOf(t, r))
		}
		b.Shutdown()
	}
}

// The page of many clusters has the sums, and links to that of each.
//
// Caught: a cluster that is not linked; the numbers of another one; a page of the sums that names an API.
func TestClustersPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := adapter.NewClusters(quiet)
		defer c.Shutdown()
		for i, name := range []string{"east", "w<st"} {
			if err := c.Engage(t.Context(), name, &rest.Config{Host: "http://127.0.0.1:1"}); err != nil {
				t.Fatal(err)
			}
			for range i + 1 {
				c.Recorder("example.com/test").For(name).Eventf(pod("default", "web"), nil, "Normal", "Pulled", "Pull", "ok")
			}
		}
		synctest.Wait()
		h := debug.Handler(c)
		for target, observed := range map[string]int{"/": 3, "/?cluster=east": 1, "/?cluster=w%3Cst": 2, "/?cluster=none": 3} {
			html := textOf(t, ask(h, "GET", target, ""))
			if !strings.Contains(html, fmt.Sprintf(`<data id="observed" value="%d">`, observed)) {
				t.Errorf("%s does not show %d occurrences", target, observed)
			}
			if !strings.Contains(html, `<a href="?cluster=east"`) || !strings.Contains(html, `<a href="?cluster=w%3cst"`) {
				t.Errorf("%s does not link both clusters", target)
			}
			if api := strings.Contains(html, `id="api"`); api != (observed < 3) {
				t.Errorf("%s names an API: %v", target, api)
			}
		}
	})
}
