// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// changing is what differs between two runs: the program, its versions, and the end of names.
var changing = regexp.MustCompile(`(\.)[0-9a-f]{24}"|("(?:name|version|go|sdk)": ")(?:debug\.test|go1[^"]*|devel|\(devel\)|v0[^"]*)"`)

// Caught: a field that was renamed, or is missing; a time that is not UTC; a reason to wait that is not the true one.
func TestJSON(t *testing.T) {
	const golden = "testdata/incident.json"
	var got string
	synctest.Test(t, func(t *testing.T) {
		got = textOf(t, ask(debug.Handler(playIncident(t)), "GET", "/?format=json", ""))
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

// Both formats show what Stats and Status say at that moment.
//
// Caught: a count from another moment; one that leaves out a broadcaster or a reason.
func TestShowsStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := playIncident(t)
		h := debug.Handler(a)
		html, data := textOf(t, ask(h, "GET", "/", "")), textOf(t, ask(h, "GET", "/?format=json", ""))
		stats, status := a.Stats(), a.Snapshot(0)
		dropped := int64(0)
		for _, n := range stats.Dropped {
			dropped += n
		}
		for name, want := range map[string]int64{
			"observed": stats.Observed, "recorded": stats.Recorded, "pending": stats.Pending, "dropped": dropped,
			"muted": stats.Dropped[events.Muted],
		} {
			if !strings.Contains(html, fmt.Sprintf(`<data id="%s" value="%d">`, name, want)) {
				t.Errorf("the page does not show that %s is %d", name, want)
			}
		}
		var got struct {
			Stats struct {
				Observed, Recorded, Pending int64
				Dropped                     map[events.DropReason]int64
			}
			Namespaces map[string]any
		}
		if err := json.Unmarshal([]byte(data), &got); err != nil {
			t.Fatal(err)
		}
		if s := got.Stats; s.Observed != stats.Observed || s.Recorded != stats.Recorded || s.Pending != stats.Pending ||
			!maps.Equal(s.Dropped, stats.Dropped) {
			t.Errorf("JSON has %+v, want %+v", s, stats)
		}
		if len(got.Namespaces) != len(status.Namespaces) {
			t.Errorf("JSON has %+v, want %+v", got.Namespaces, status.Namespaces)
		}
	})
}

// Caught: a page without a language, a title or a heading; a table whose headers head nothing; two elements of one id; a
// link to no section; a script; anything that is loaded.
func TestPageIsAccessible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		html := textOf(t, ask(debug.Handler(playIncident(t)), "GET", "/", ""))
		for _, part := range []string{`<html lang="en">`, "<title>Events of ", "<h1>", "<main>", `name="viewport"`} {
			if !strings.Contains(html, part) {
				t.Errorf("the page has no %s", part)
			}
		}
		for _, part := range []string{"<script", "<img", "<link", "url(", "@import", "javascript:", "ZgotmplZ", " style="} {
			if strings.Contains(html, part) {
				t.Errorf("the page has %s", part)
			}
		}
		ids := map[string]int{}
		for _, match := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
			if ids[match[1]]++; ids[match[1]] > 1 {
				t.Errorf("two elements have the id %q", match[1])
			}
		}
		for _, match := range regexp.MustCompile(`(?:href="#|aria-labelledby=")([^"]*)"`).FindAllStringSubmatch(html, -1) {
			if ids[match[1]] == 0 {
				t.Errorf("nothing has the id %q", match[1])
			}
		}
		for _, table := range strings.Split(html, "<table")[1:] {
			table, _, _ = strings.Cut(table, "</table>")
			head, body, _ := strings.Cut(table, "</thead>")
			columns, rows := strings.Count(head, `scope="col"`), strings.Count(body, "<tr")
			if cells := strings.Count(body, `scope="row"`) + strings.Count(body, "<td"); cells != columns*rows || rows == 0 {
				t.Errorf("%d cells in %d columns and %d rows:\n%s", cells, columns, rows, head)
			}
		}
	})
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

// A page in mode Legacy, in a bad minute: objects instead of series.
//
// Caught: what waits there and is not shown.
func TestLegacyPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := eventstest.NewClientset()
		c.ServeEventsV1(false)
		c.Fail(func(_ context.Context, r eventstest.Request) error {
			switch r.Namespace {
			case "ending":
				return &apierrors.StatusError{ErrStatus: metav1.Status{
					Code: 403, Reason: metav1.StatusReasonForbidden, Message: "because it is being terminated",
					Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}},
				}}
			case "down":
				return apierrors.NewInternalError(errors.New("etcd"))
			}
			return nil
		})
		a := adapter.New(t.Context(), c, quiet)
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer a.Shutdown()
		synctest.Wait()
		for _, namespace := range []string{"well", "ending", "down"} {
			a.NewRecorder("example.com/test").Eventf(pod(namespace, "web"), nil, "Normal", "Pulled", "Pull", "ok")
			time.Sleep(time.Second)
		}
		html := textOf(t, ask(debug.Handler(a), "GET", "/", ""))
		for _, part := range []string{
			`core/v1, correlated as client-go does</strong>, because discovery does not list events.k8s.io/v1`,
			`<h2 id="waiting">Longest waits`,
			"down/<wbr>web", "writes in the namespace fail or hang", `<span class="chip warn">failing</span>`,
		} {
			if !strings.Contains(html, part) {
				t.Errorf("the page does not have %s", part)
			}
		}
		var page struct{ Waiting []events.SeriesState }
		if err := json.Unmarshal([]byte(textOf(t, ask(debug.Handler(a), "GET", "/?format=json", ""))), &page); err != nil {
			t.Fatal(err)
		}
		if o := page.Waiting; len(o) != 1 || o[0].Namespace != "down" || o[0].WaitsFor != events.WaitNamespace {
			t.Errorf("waiting: %+v", o)
		}
		c.Fail(nil)
	})
}
