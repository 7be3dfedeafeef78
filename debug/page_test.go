// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/clientgo/recordevents"
	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/debug"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// changing matches the texts that differ between two runs: the program, its versions, and the ends
// of names.
var changing = regexp.MustCompile(`(\.)[0-9a-f]{24}"|("(?:name|version|go|sdk)": ")(?:debug\.test|go1[^"]*|devel|\(devel\)|v0[^"]*)"`)

// Caught: a field that was renamed, or is missing; a time that is not UTC; a reason to wait that is
// not the true one.
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

// Caught: a page without a language, a title or a heading; a table whose headers head nothing; two
// elements of one id; a link to no section; a script; anything that is loaded.
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

// A broadcaster of package recordevents has a page before it has a client, and after its end.
func TestBroadcasterWithoutSink(t *testing.T) {
	b := recordevents.NewBroadcaster(quiet)
	h := debug.Handler(b)
	for range 2 {
		if r := ask(h, "GET", "/", ""); r.StatusCode != 200 {
			t.Errorf("%d: %s", r.StatusCode, textOf(t, r))
		}
		b.Shutdown()
	}
}

// The page of many clusters shows the sums, and has a link to the page of each cluster.
//
// Caught: a cluster that is not linked; the numbers of another one; a page of the sums that names
// an API.
func TestClustersPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clusters.New(t.Context(), quiet)
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
