// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// Every name that operators meet is in the table for it. Names that do not exist are not.
//
// Caught: a field, a reason, a repair, a renamed constant and a log line without a row; a row for a line that is no
// longer logged.
func TestOperationsExplainsEverything(t *testing.T) {
	stats := events.NewBroadcaster(eventstest.NewSink()).Stats()
	sections := map[string][]string{
		"Stats":        fieldsOf[events.Stats](),
		"Drop reasons": append(texts(maps.Keys(stats.Dropped)), constants(t, "DropReason")...),
		"Repairs":      append(texts(maps.Keys(stats.Repaired)), constants(t, "Repair")...),
		"Status":       append(fieldsOf[adapter.Status](), fieldsOf[adapter.NamespaceStatus]()...),
		"Roll back":    texts(slices.Values(modes)),
	}
	for pkg, messages := range logged(t) {
		sections[pkg] = messages
	}
	sections["Advice"] = advices(t)
	for heading, names := range sections {
		explains(t, "operations.md", heading, names)
	}
}

var advice = regexp.MustCompile(` advice=(\S+)`)

// advices returns the values of the key advice in api/logs.txt. Whatever is logged as an error has one.
//
// Caught: a line without the key.
func advices(t *testing.T) (values []string) {
	for line := range strings.Lines(read(t, "../api/logs.txt")) {
		switch match := advice.FindStringSubmatch(line); {
		case match != nil:
			values = append(values, match[1])
		case strings.Contains(line, ", log Error "):
			t.Errorf("an error without advice: %s", line)
		}
	}
	return values
}

var modes = []adapter.API{adapter.Auto, adapter.EventsV1, adapter.CoreV1, adapter.Legacy}

func fieldsOf[T any]() (names []string) {
	for i := range reflect.TypeFor[T]().NumField() {
		names = append(names, reflect.TypeFor[T]().Field(i).Name)
	}
	return names
}

var typed = regexp.MustCompile(`(?m)^\t\w+ (\w+) += "(\w+)"$`)

// constants returns the values of the constants of a type of package events.
func constants(t *testing.T, typeName string) (values []string) {
	for _, file := range []string{"../events/stats.go", "../events/repair.go"} {
		for _, match := range typed.FindAllStringSubmatch(read(t, file), -1) {
			if match[1] == typeName {
				values = append(values, match[2])
			}
		}
	}
	if len(values) == 0 {
		t.Errorf("package events has no constants of type %s any more", typeName)
	}
	return values
}

func texts[T ~string](all func(yield func(T) bool)) (names []string) {
	for one := range all {
		names = append(names, string(one))
	}
	return names
}

var logLine = regexp.MustCompile(`^pkg ([\w/]+), log \S+ (".*)$`)

// logged returns the messages that each package logs, from api/logs.txt.
func logged(t *testing.T) map[string][]string {
	golden, err := os.ReadFile("../api/logs.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(golden)) {
		match := logLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		quoted, err := strconv.QuotedPrefix(match[2])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		message, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all[match[1]] = append(all[match[1]], message)
	}
	if len(all) == 0 {
		t.Fatal("../api/logs.txt has no messages")
	}
	return all
}

// expose writes Stats in the text format of Prometheus.
func expose(w io.Writer, s events.Stats) {
	write := func(name string, value int64) { fmt.Fprintf(w, "eventseries_%s %d\n", name, value) }
	write("observed_total", s.Observed)
	write("recorded_total", s.Recorded)
	write("pending", s.Pending)
	write("series", int64(s.Series))
	write("creates_total", s.Creates)
	write("patches_total", s.Patches)
	write("retries_total", s.Retries)
	for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
		write(fmt.Sprintf("dropped_total{reason=%q}", reason), s.Dropped[reason])
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Repaired)) {
		write(fmt.Sprintf("repaired_total{kind=%q}", kind), s.Repaired[kind])
	}
}

// aHundred returns the Stats of a hundred occurrences. One of them has no object.
func aHundred() *events.Broadcaster {
	broadcaster := events.NewBroadcaster(eventstest.NewSink(), events.WithLogger(klog.Logger{}))
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/hello")
	recorder.Eventf(nil, nil, corev1.EventTypeNormal, "Greeted", "Greet", "nobody")
	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello")
	if err := broadcaster.Flush(context.Background()); err != nil {
		fmt.Println(err)
	}
	for range 98 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello")
	}
	if err := broadcaster.Flush(context.Background()); err != nil {
		fmt.Println(err)
	}
	return broadcaster
}

func Example_metrics() {
	broadcaster, mux := aHundred(), http.NewServeMux()
	mux.HandleFunc("/metrics/events", func(w http.ResponseWriter, _ *http.Request) { expose(w, broadcaster.Stats()) })

	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics/events", nil))
	lines := strings.SplitAfter(answer.Body.String(), "\n")
	fmt.Print(strings.Join(lines[:11], ""))
	// Output:
	// eventseries_observed_total 100
	// eventseries_recorded_total 99
	// eventseries_pending 0
	// eventseries_series 1
	// eventseries_creates_total 1
	// eventseries_patches_total 1
	// eventseries_retries_total 0
	// eventseries_dropped_total{reason="Abandoned"} 0
	// eventseries_dropped_total{reason="CacheFull"} 0
	// eventseries_dropped_total{reason="Filtered"} 0
	// eventseries_dropped_total{reason="Invalid"} 1
}

var (
	metric  = regexp.MustCompile(`eventseries_[a-z_]+`)
	matched = regexp.MustCompile(`reason=~"([^"]+)"`)
)

// Alerts name metrics that are exposed, and reasons that exist.
//
// Caught: eventseries_written_total; the reason "Expired".
func TestOperationsAlertsOnWhatIsExposed(t *testing.T) {
	var b strings.Builder
	stats := aHundred().Stats()
	expose(&b, stats)
	exposed, page := metric.FindAllString(b.String(), -1), read(t, "operations.md")
	for _, name := range metric.FindAllString(page, -1) {
		if !slices.Contains(exposed, name) {
			t.Errorf("operations.md: no metric is named %s", name)
		}
	}
	for _, match := range matched.FindAllStringSubmatch(page, -1) {
		for _, reason := range strings.Split(match[1], "|") {
			if _, there := stats.Dropped[events.DropReason(reason)]; !there {
				t.Errorf("operations.md: there is no reason %s", reason)
			}
		}
	}
}
