// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/test/incident"
)

var update = flag.Bool("update", false, "rewrite the pictures in docs/")

// pictures is where docs/operations.md finds them, and maxPicture is how large they may be.
const (
	pictures   = "../../../docs"
	maxPicture = 150 << 10
)

// drawn says which part of a page is drawn: from an element on, so many pixels.
var drawn = map[view]struct {
	from   string
	height int
}{
	{1400, "light"}: {"body", 1610},
	{1400, "dark"}:  {"section:has(#waiting)", 1050},
	{400, "light"}:  {"body", 1400},
	{400, "dark"}:   {"section:has(#waiting)", 1400},
}

// newBrowser returns a browser that ends with the test.
func newBrowser(t *testing.T) *chromium {
	t.Helper()
	binary, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium in the path; on Debian: apt-get install chromium fonts-inter")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	c, err := start(ctx, binary, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer cancel()
		if err := c.close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// recorded is a page of the incident, with the Stats of that moment.
type recorded struct {
	*httptest.ResponseRecorder
	stats events.Stats
}

// ServeHTTP serves the page as it was.
func (r *recorded) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	maps.Copy(w.Header(), r.Header())
	_, _ = w.Write(r.Body.Bytes())
}

// released is an adapter of a version that the pictures can show.
type released struct{ *adapter.Adapter }

func (r released) Snapshot(n int) adapter.Snapshot {
	i := r.Adapter.Snapshot(n)
	i.Stats.Version = "v0.2.0"
	return i
}

func play(t *testing.T) *recorded {
	name := os.Args[0]
	defer func() { os.Args[0] = name }()
	os.Args[0] = "shop-operator"
	r := &recorded{ResponseRecorder: httptest.NewRecorder()}
	synctest.Test(t, func(t *testing.T) {
		a := incident.Play(t)
		debug.Handler(released{a}).ServeHTTP(r.ResponseRecorder, httptest.NewRequest("GET", "/", nil))
		r.stats = a.Stats()
	})
	return r
}

// A browser shows the page in both widths and both schemes: it has nothing to complain of, nothing sticks out, every text
// is readable, tables stay tables, and the numbers are those of Stats.
//
// Caught: a style that the policy refuses; a column that is too wide for a phone; gray on gray; headers that a screen
// reader loses on a phone; a number that is another one.
func TestPage(t *testing.T) {
	c, page := newBrowser(t), play(t)
	server := httptest.NewServer(page)
	defer server.Close()
	var tables map[string]int // of the first view
	for _, v := range []view{{1400, "light"}, {1400, "dark"}, {400, "light"}, {400, "dark"}} {
		t.Run(v.String(), func(t *testing.T) {
			tab := look(t, c, v, server.URL)
			checkShown(t, tab, page.stats)
			roles, err := tab.roles()
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			for _, role := range []string{"table", "row", "columnheader", "rowheader", "cell", "heading", "image", "link"} {
				got[role] = roles[role]
			}
			if tables == nil {
				tables = got
			}
			if diff := cmp.Diff(tables, got); diff != "" || got["cell"] < 100 {
				t.Errorf("for assistive technology (-first view +%v):\n%s", v, diff)
			}
			draw(t, tab, v)
		})
	}
}

// look opens a page and checks what can be checked of any page.
func look(t *testing.T, c *chromium, v view, address string) *tab {
	t.Helper()
	tab, err := c.open(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.load(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	if complaints := tab.complaints(); len(complaints) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(complaints, "\n"))
	}
	for what, expression := range map[string]string{
		"sticks out": sticksOut, "cannot be read": unreadable, "runs or is loaded": loaded,
	} {
		found, err := evaluate[[]string](tab, expression)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) > 0 {
			t.Errorf("%d elements: what %s:\n%s", len(found), what, strings.Join(found[:min(10, len(found))], "\n"))
		}
	}
	return tab
}

const (
	// sticksOut lists elements beyond the edges of the window, but for those in a box that scrolls.
	sticksOut = `[...document.querySelectorAll('body *')].filter(e => {
		const box = e.getBoundingClientRect();
		return box.width > 1 && !e.closest('pre, svg') && (box.right > innerWidth + 0.5 || box.left < -0.5);
	}).map(e => e.outerHTML.slice(0, 200)).concat(
		document.documentElement.scrollWidth > innerWidth ? ['the page is ' + document.documentElement.scrollWidth] : [])`

	// unreadable lists texts whose contrast is below that of WCAG 2.1, level AA: 4.5 to 1.
	unreadable = `(() => {
		const parse = c => c.match(/[\d.]+/g).map(Number);
		const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
			.map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
			.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
		const behind = e => {
			for (; e; e = e.parentElement) {
				const c = parse(getComputedStyle(e).backgroundColor);
				if (c.length < 4 || c[3] > 0) return c;
			}
			return [255, 255, 255];
		};
		const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const e = walker.currentNode.parentElement;
			if (!walker.currentNode.data.trim() || e.getBoundingClientRect().width <= 1) continue;
			const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
			const contrast = (a + 0.05) / (b + 0.05);
			if (contrast < 4.5) found.add(contrast.toFixed(2) + ' ' + e.className + ': ' + walker.currentNode.data.trim());
		}
		return [...found];
	})()`

	// loaded lists elements that run or load something, and what was loaded.
	loaded = `[...document.querySelectorAll('script, img, link, iframe, object, embed, form, [onclick], [onerror]')]
		.map(e => e.outerHTML.slice(0, 200)).concat(performance.getEntriesByType('resource').map(r => r.name))`
)

// checkShown compares the numbers on the page, as a reader sees them, with what the adapter says.
func checkShown(t *testing.T, tab *tab, stats events.Stats) {
	t.Helper()
	got, err := evaluate[map[string]string](tab,
		`Object.fromEntries([...document.querySelectorAll('data[id]')].map(e => [e.id, e.innerText]))`)
	if err != nil {
		t.Fatal(err)
	}
	var dropped int64
	for _, n := range stats.Dropped {
		dropped += n
	}
	want := map[string]string{}
	for id, n := range map[string]int64{
		"observed": stats.Observed, "recorded": stats.Recorded, "pending": stats.Pending, "dropped": dropped,
		"muted": stats.Dropped[events.Muted],
	} {
		want[id] = separated(n)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("numbers (-Stats +page):\n%s", diff)
	}
}

func separated(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", separated(n/1000), n%1000)
}

// draw rewrites the picture of a view under -update, and else looks whether there is one.
func draw(t *testing.T, tab *tab, v view) {
	t.Helper()
	file := filepath.Join(pictures, "debug-"+v.String()+".png")
	if *update {
		top, err := evaluate[int](tab, fmt.Sprintf(
			`Math.max(Math.round(document.querySelector(%q).getBoundingClientRect().top + scrollY) - 16, 0)`, drawn[v].from))
		if err != nil {
			t.Fatal(err)
		}
		data, err := tab.picture(v.width, top, drawn[v].height)
		if err != nil {
			t.Fatal(err)
		}
		if data, err = shrink(data); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxPicture {
		t.Errorf("%s has %d bytes, want at most %d", file, info.Size(), maxPicture)
	}
}

// The same over a real adapter, with names that attack the page.
//
// Caught: a name that is markup, that makes the page wider, or that runs.
func TestHostilePage(t *testing.T) {
	c := newBrowser(t)
	a := adapter.New(t.Context(), eventstest.NewClientset(), events.WithLogger(logr.Logger{}))
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer a.Shutdown()
	for i, text := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</style><script>alert(1)</script>`,
		"\u202egnp.exe", "\x1b[31m\x00", strings.Repeat("W", 900), strings.Repeat("ä", 400), "</bdi></td></table><h1>",
	} {
		about := &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Kind" + text, Namespace: "default", Name: fmt.Sprint(i, text),
		}
		a.NewRecorder("example.com/hello").Eventf(about, nil, corev1.EventTypeWarning, "R"+text, "A", "%s", text)
	}
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(debug.Handler(a))
	defer server.Close()
	for _, v := range []view{{1400, "light"}, {400, "dark"}} {
		t.Run(v.String(), func(t *testing.T) {
			checkShown(t, look(t, c, v, server.URL), a.Stats())
		})
	}
}
