// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom

import (
	"reflect"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// Source provides the numbers that a [Collector] exports. It is implemented by [adapter.Adapter],
// by [events.Broadcaster], and by the broadcasters of packages legacy and recordevents and the set
// of package clusters. The compiler infers S. The methods of a Source must be safe for concurrent
// use.
type Source[S events.Snapshot | adapter.Snapshot] interface {
	// Snapshot returns the current numbers. Its counters must never decrease. The Collector calls
	// it with n = 0, and needs no lists of series.
	Snapshot(n int) S
	// OnRequest makes the source call handle after each request, until stop is called. A Collector
	// never calls stop.
	OnRequest(handle func(events.Request)) (stop func())
}

// Collector exports the numbers of one [Source]. Make it with [NewCollector]. It is safe for
// concurrent use.
type Collector struct {
	// snapshot reads the source. The API of the result is empty if the source writes through one
	// API only.
	snapshot func() adapter.Snapshot

	occurrences, recorded, dropped, repaired *prometheus.Desc
	pending, oldestPending, series           *prometheus.Desc
	apiInfo, withoutAccess                   *prometheus.Desc
	requests                                 *requests
}

var _ prometheus.Collector = (*Collector)(nil)

// NewCollector returns a collector for source. The collector takes a snapshot of source at each
// scrape, and counts the requests of source from now on. Register it once.
//
// NewCollector panics if source is nil. A second collector in one registry is an error of the
// registration, unless prometheus.WrapRegistererWith adds labels that tell them apart.
func NewCollector[S events.Snapshot | adapter.Snapshot](source Source[S]) *Collector {
	if isNil(source) {
		panic("eventsprom: NewCollector needs an adapter or a broadcaster, got nil")
	}
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prefix+name, help, labels, nil)
	}
	c := &Collector{
		snapshot: func() adapter.Snapshot {
			switch s := any(source.Snapshot(0)).(type) {
			case adapter.Snapshot:
				return s
			case events.Snapshot:
				return adapter.Snapshot{Snapshot: s}
			}
			return adapter.Snapshot{}
		},
		occurrences: desc("occurrences_total", "Occurrences that were recorded by calls such as Eventf.",
			"controller", "kind", "type", "reason"),
		recorded: desc("recorded_total", "Occurrences that the API server has acknowledged."),
		dropped:  desc("dropped_total", "Occurrences that were given up.", "cause"),
		repaired: desc("repaired_total", "Repairs of Events that the API server would refuse.", "repair"),
		pending:  desc("pending", "Occurrences that the API server has not yet acknowledged."),
		oldestPending: desc("oldest_pending_seconds",
			"Age of the pending occurrence that waits longest, 0 if none does."),
		series: desc("series", "Series in memory."),
		apiInfo: desc("api_info", "The API that new occurrences go to, and whether discovery lists events.k8s.io/v1.",
			"api", "support"),
		withoutAccess: desc("namespaces_without_access", "Namespaces in which RBAC refuses the writes of Events."),
		requests:      newRequests(),
	}
	source.OnRequest(c.requests.observe)
	return c
}

// prefix is the beginning of the name of every metric.
const prefix = "eventseries_"

// isNil reports whether source is nil or a nil pointer. A nil pointer would otherwise panic at the
// first scrape.
func isNil(source any) bool {
	v := reflect.ValueOf(source)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// Describe implements [prometheus.Collector].
func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		c.occurrences, c.recorded, c.dropped, c.repaired, c.pending, c.oldestPending, c.series,
		c.apiInfo, c.withoutAccess,
	} {
		ch <- desc
	}
	c.requests.Describe(ch)
}

// Collect implements [prometheus.Collector]. Its cost grows with the number of series in memory.
func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	counter := func(desc *prometheus.Desc, n int64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(n), labels...)
	}
	gauge := func(desc *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, labels...)
	}
	snapshot := c.snapshot()
	stats, sums := &snapshot.Stats, sum(snapshot.Counts)
	for labels, n := range sums.occurrences {
		counter(c.occurrences, n, labels[:]...)
	}
	counter(c.recorded, sums.recorded)
	gauge(c.pending, float64(sums.pending))
	for cause := range stats.Dropped {
		counter(c.dropped, sums.dropped[cause], string(cause))
	}
	for repair, n := range stats.Repaired {
		counter(c.repaired, n, string(repair))
	}
	gauge(c.oldestPending, age(stats.OldestPending))
	gauge(c.series, float64(stats.Series))
	if snapshot.API != "" {
		gauge(c.apiInfo, 1, apiName(snapshot.API), snapshot.Support.String())
		gauge(c.withoutAccess, float64(snapshot.ForbiddenNamespaces()))
	}
	c.requests.Collect(ch)
}

// sums has numbers from one snapshot, so that the occurrences are equal to the sum of recorded,
// pending and dropped.
type sums struct {
	// occurrences is the number of occurrences for each combination of label values.
	occurrences       map[[4]string]int64
	recorded, pending int64
	dropped           map[events.DropReason]int64
}

// sum adds up counts. Counts whose labels become equal are added, for example two reasons that
// differ only in characters that a label cannot have. Otherwise, one set of labels would occur
// twice, and Prometheus would reject the whole scrape.
func sum(counts []events.LabeledCounts) sums {
	all := sums{occurrences: map[[4]string]int64{}, dropped: map[events.DropReason]int64{}}
	for _, one := range counts {
		l := one.MetricLabels
		all.occurrences[[4]string{text(l.ReportingController), text(l.RegardingKind), text(l.Type), text(l.Reason)}] +=
			one.Observed
		all.recorded += one.Recorded
		all.pending += one.Pending
		for cause, n := range one.Dropped {
			all.dropped[cause] += n
		}
	}
	return all
}

// age returns the seconds since t. It returns 0 if t is zero or in the future.
func age(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, time.Since(t).Seconds())
}

// apiName returns the name of an API, with the same values as the label api of the requests.
func apiName(api adapter.Mode) string {
	switch api {
	case adapter.ModeEventsV1:
		return eventsV1
	case adapter.ModeCoreV1:
		return coreV1
	default:
		return string(api)
	}
}
