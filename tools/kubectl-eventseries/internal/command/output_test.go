// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"bytes"
	stdcmp "cmp"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/catalog"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/cluster"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/table"
)

var update = flag.Bool("update", false, "rewrite the golden files and docs/kubectl.svg")

var now = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

// shop are Events as a reader has them: by kubelet, by a component of the SDK whose notes change, and about a cluster-scoped
// object.
func shop() []eventview.Event {
	event := func(name, kind, namespace, object string, first, last time.Duration, count int64) eventview.Event {
		return eventview.Event{
			Namespace: stdcmp.Or(namespace, "default"), Name: name, Type: "Normal", Count: count,
			Regarding: corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: object},
			First:     now.Add(-first), Last: now.Add(-last),
		}
	}
	pulled := event("web-7d4b9-x2x1q.186f", "Pod", "shop", "web-7d4b9-x2x1q", 52*time.Minute, 52*time.Minute, 1)
	pulled.Reason, pulled.Controller, pulled.Instance = "Pulled", "kubelet", "node-1"
	pulled.Note, pulled.NewestNote = `Container image "web:1.4" already present on machine`, `Container image "web:1.4" already present on machine`
	backOff := event("web-7d4b9-x2x1q.1870", "Pod", "shop", "web-7d4b9-x2x1q", 50*time.Minute, 12*time.Second, 214)
	backOff.Type, backOff.Reason, backOff.Controller, backOff.Instance = "Warning", "BackOff", "kubelet", "node-1"
	backOff.Note, backOff.NewestNote = "Back-off restarting failed container web", "Back-off restarting failed container web"
	reconcile := event("web.1871", "Deployment", "shop", "web", 40*time.Minute, 3*time.Minute, 37)
	reconcile.Type, reconcile.Reason, reconcile.Action = "Warning", "Unavailable", "Reconcile"
	reconcile.Controller, reconcile.Instance = "example.com/shop", "example.com/shop-6f5c"
	reconcile.Note, reconcile.NewestNote = "1 of 3 is unavailable", "3 of 3 are unavailable"
	reconcile.Related = corev1.ObjectReference{Kind: "ReplicaSet", Namespace: "shop", Name: "web-7d4b9"}
	ready := event("node-1.1872", "Node", "", "node-1", 3*time.Hour, 90*time.Minute, 2)
	ready.Reason, ready.Controller, ready.Note = "NodeReady", "kubelet", "two\nlines\x1b[31m"
	ready.NewestNote = ready.Note
	return []eventview.Event{ready, pulled, reconcile, backOff}
}

// golden compares with a file in testdata.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; with -update it is rewritten (-want +got):\n%s", file, diff)
	}
}

// timeline prints Events at once, or as a watch does.
func timeline(t *testing.T, o *table.Options, namespaces, watch bool, events []eventview.Event) string {
	t.Helper()
	return timelineWith(t, &reading{print: *o, all: namespaces}, watch, events)
}

func timelineWith(t *testing.T, r *reading, watch bool, events []eventview.Event) string {
	t.Helper()
	var b bytes.Buffer
	printed, rows := table.New(&r.print, &b, r.columns()...), []table.Row{}
	for i := range events {
		if rows = append(rows, r.row(&events[i], now)); watch || i == len(events)-1 {
			if err := printed.Print(rows...); err != nil {
				t.Fatal(err)
			}
			rows = nil
		}
	}
	return b.String()
}

// Caught: a note with a line break that moved all colours by a line; an escape sequence of a writer.
func TestTimeline(t *testing.T) {
	for name, test := range map[string]struct {
		table.Options
		namespaces, watch bool
	}{
		"timeline":            {},
		"timeline-namespaces": {namespaces: true},
		"timeline-wide":       {Options: table.Options{Format: "wide"}, namespaces: true},
		"timeline-no-headers": {Options: table.Options{NoHeaders: true}},
		"timeline-colour":     {Options: table.Options{Colour: true}},
		"timeline-watch":      {Options: table.Options{Colour: true}, watch: true},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, "testdata/"+name+".txt", timeline(t, &test.Options, test.namespaces, test.watch, append(shop(), eventview.Event{Namespace: "shop", Name: "bare", Count: 1})))
		})
	}
}

func read() (events []cluster.Event) {
	for _, e := range shop() {
		events = append(events, cluster.Event{Event: e, Bytes: 700})
	}
	return events
}

func top(t *testing.T, by string, events []cluster.Event) string {
	t.Helper()
	var b bytes.Buffer
	if err := printNoise(&table.Options{}, &b, by, noiseOf(events, by, 0), now); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTop(t *testing.T) {
	for by := range keys {
		t.Run(by, func(t *testing.T) { golden(t, "testdata/top-"+by+".txt", top(t, by, read())) })
	}
	if noisy := noiseOf(read(), "reason", 2); len(noisy) != 3 || noisy[0].Events != 4 {
		t.Errorf("the noisiest 2 are %v, want all 4 Events and 2 of them", noisy)
	}
}

// An Event may have no time, one that no clock has, or one of a clock that is ahead.
func TestAgo(t *testing.T) {
	for name, test := range map[string]struct {
		at   time.Time
		want string
	}{
		"a minute":       {now.Add(-time.Minute), "60s"},
		"no time":        {time.Time{}, "<unknown>"},
		"the year 9999":  {time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "<unknown>"},
		"a little ahead": {now.Add(5 * time.Second), "0s"},
		"an hour ahead":  {now.Add(time.Hour), "60m ahead"},
	} {
		if got := ago(test.at, now); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestRate(t *testing.T) {
	for _, test := range []struct {
		count int64
		over  time.Duration
		want  string
	}{
		{1, time.Hour, ""}, {2, time.Second, "2.0/min"}, {900, 27 * time.Minute, "33.3/min"}, {30, 24 * time.Hour, "1.2/h"},
	} {
		if got := rateText(rate(test.count, now.Add(-test.over), now)); got != test.want {
			t.Errorf("%d in %v: %q, want %q", test.count, test.over, got, test.want)
		}
	}
}

// Caught: a bound of the lines, but not of the JSON around them, nor of its escapes.
func TestDigestIsBounded(t *testing.T) {
	events := shop()
	for i := range 50 {
		e := events[3]
		e.Reason, e.NewestNote = fmt.Sprintf("Reason%d", i), strings.Repeat(`"`, 100)
		events = append(events, e)
	}
	for _, format := range []string{"json", "yaml", "text"} {
		for size := 300; size < 12000; size += 97 {
			text, err := (&reading{print: table.Options{Format: format}}).digestOf(events, size, now)
			if err != nil || len(text) > size {
				t.Fatalf("%s in %d bytes: %d, %v", format, size, len(text), err)
			}
			var d struct {
				Digest []string `json:"digest"`
				Events int      `json:"events"`
			}
			if format == "text" {
				continue
			}
			if err := yaml.Unmarshal(text, &d); err != nil || d.Events != 54 || len(d.Digest) == 0 {
				t.Fatalf("%s in %d bytes: %v\n%s", format, size, err, text)
			}
		}
	}
	if _, err := (&reading{print: table.Options{Format: "json"}}).digestOf(events, 50, now); err == nil {
		t.Error("50 bytes were enough")
	}
}

// cataloged are the flags of a command with a catalogue that says what two of the Events mean.
func cataloged(t *testing.T, format string) *reading {
	t.Helper()
	name := filepath.Join(t.TempDir(), "events.yaml")
	const text = `version: 1
events:
- {controller: kubelet, type: Warning, reason: BackOff, doc: "The kubelet waits\nbefore it starts the container again."}
- {controller: example.com/shop, type: Warning, reason: Unavailable, action: Reconcile, meaning: "Look at the quota."}
- {controller: other, type: Normal, reason: Pulled, doc: "Another controller's."}
`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := catalog.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return &reading{print: table.Options{Format: format}, catalog: known}
}

func TestTimelineWithMeanings(t *testing.T) {
	golden(t, "testdata/timeline-meanings.txt", timelineWith(t, cataloged(t, ""), false, shop()))
	e := shop()[3]
	if got := cataloged(t, "json").newSeries(&e, now).Meaning; got != "The kubelet waits before it starts the container again." {
		t.Errorf("for programs the meaning is %q", got)
	}
}

// Caught: meanings beyond the bound; one of a line that is left out; one of another controller.
func TestDigestWithMeanings(t *testing.T) {
	text, err := cataloged(t, "text").digestOf(shop()[1:4], 4096, now)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/digest-meanings.txt", string(text))
	for _, format := range []string{"json", "yaml", "text"} {
		for size := 350; size < 1500; size += 13 {
			text, err := cataloged(t, format).digestOf(shop(), size, now)
			if err != nil || len(text) > size {
				t.Fatalf("%s in %d bytes: %d, %v\n%s", format, size, len(text), err, text)
			}
			for reason, means := range map[string]string{"BackOff": "the container again", "Unavailable": "the quota"} {
				if strings.Contains(string(text), "Warning "+reason+" x") != strings.Contains(string(text), means) {
					t.Fatalf("%s in %d bytes: a line without its meaning, or the other way round\n%s", format, size, text)
				}
			}
		}
	}
}

func TestSeriesForPrograms(t *testing.T) {
	e := shop()[2]
	text, err := (&table.Options{Format: "json"}).Marshal((&reading{}).newSeries(&e, now))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/series.json", string(text))
}

// The picture in docs/kubectl.md is what the program prints.
func TestPicture(t *testing.T) {
	golden(t, "../../../../docs/kubectl.svg", svg(
		"$ kubectl eventseries deployment/web --children -n shop\n"+timeline(t, &table.Options{Colour: true}, false, false, shop()[1:4])+
			"\n$ kubectl eventseries top --by reporter -n shop\n"+top(t, "reporter", read()[1:4])))
}

// svg draws the text of a terminal. Only the colours of a Table are known.
func svg(text string) string {
	const width, height, margin = 7.8, 18, 12
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	longest := 0
	for _, line := range lines {
		longest = max(longest, len(line))
	}
	w, h := float64(longest)*width+2*margin, len(lines)*height+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="monospace" font-size="13">`, w, h)
	fmt.Fprintf(&b, "\n<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#1c2128\"/>\n")
	for i, line := range lines {
		fill := "#d1d7e0"
		if plain, ok := strings.CutPrefix(line, "\x1b[33m"); ok {
			line, fill = strings.TrimSuffix(plain, "\x1b[0m"), "#e3b341"
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" xml:space="preserve">%s</text>`+"\n",
			margin, margin+height*i+13, fill, html.EscapeString(line))
	}
	return b.String() + "</svg>\n"
}
