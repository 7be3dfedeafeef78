// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom

import (
	"iter"
	"reflect"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// Source is what a [Collector] reads: an [adapter.Adapter], [adapter.RecordBroadcaster] or [adapter.Clusters], an
// [events.Broadcaster] or a [github.com/eventseries/eventseries/legacy.Broadcaster]. If it has the
// method Status of an adapter, that is exported as well. Its methods must be safe for concurrent use.
type Source interface {
	// Stats returns the counters.
	Stats() events.Stats
	// Counts returns the occurrences by label set. No count ever decreases.
	Counts() iter.Seq[events.Counts]
	// OnRequest calls handle after each request, until stop is called.
	OnRequest(handle func(events.Request)) (stop func())
}

// statusSource is a Source that chooses the API.
type statusSource interface {
	Status() adapter.Status
}

// Collector exports one [Source]. Make it with [NewCollector].
type Collector struct {
	source Source
	status func() adapter.Status // nil if the source chooses no API

	occurrences, recorded, dropped, repaired *prometheus.Desc
	pending, oldestPending, series           *prometheus.Desc
	apiInfo, withoutAccess                   *prometheus.Desc
	requests                                 *requests
}

var _ prometheus.Collector = (*Collector)(nil)

// NewCollector returns a collector that reads source when it is scraped, and counts its requests from
// now on. It is to be registered once. It panics if source is nil. Constant labels that are invalid, and
// a second collector with the same labels in one registry, are errors of the registration.
func NewCollector(source Source, opts ...Option) *Collector {
	if isNil(source) {
		panic("eventsprom: NewCollector needs an adapter or a broadcaster, got nil")
	}
	var config config
	for _, opt := range opts {
		opt(&config)
	}
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prefix+name, help, labels, config.constLabels)
	}
	c := &Collector{
		source: source,
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
		requests:      newRequests(config.constLabels),
	}
	if s, ok := source.(statusSource); ok {
		c.status = s.Status
	}
	source.OnRequest(c.requests.observe)
	return c
}

// prefix begins every name.
const prefix = "eventseries_"

// isNil reports whether source is nil or a nil pointer, which would panic at the first scrape.
func isNil(source Source) bool {
	v := reflect.ValueOf(source)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// Describe implements [prometheus.Collector].
func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		c.occurrences, c.recorded, c.dropped, c.repaired, c.pending, c.oldestPending, c.series,
	} {
		ch <- desc
	}
	if c.status != nil {
		ch <- c.apiInfo
		ch <- c.withoutAccess
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
	stats, sums := c.source.Stats(), c.sum()
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
	if c.status != nil {
		status := c.status()
		gauge(c.apiInfo, 1, apiName(status.API), status.Support.String())
		gauge(c.withoutAccess, float64(status.Refused()))
	}
	c.requests.Collect(ch)
}

// sums are one snapshot of the accounts, in which occurrences = recorded + pending + dropped.
type sums struct {
	occurrences       map[[4]string]int64 // by the values of the labels
	recorded, pending int64
	dropped           map[events.DropReason]int64
}

// sum adds up Counts. Two reasons that differ only in what a label cannot have are one label set: a
// set that occurs twice would fail the whole scrape.
func (c *Collector) sum() sums {
	all := sums{occurrences: map[[4]string]int64{}, dropped: map[events.DropReason]int64{}}
	for counts := range c.source.Counts() {
		l := counts.Labels
		all.occurrences[[4]string{text(l.ReportingController), text(l.RegardingKind), text(l.Type), text(l.Reason)}] +=
			counts.Observed
		all.recorded += counts.Recorded
		all.pending += counts.Pending
		for cause, n := range counts.Dropped {
			all.dropped[cause] += n
		}
	}
	return all
}

// age returns the seconds since t, and 0 for the zero time and for one in the future.
func age(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, time.Since(t).Seconds())
}

// apiName returns the name of an API, the same as in the label of requests.
func apiName(api adapter.API) string {
	switch api {
	case adapter.EventsV1:
		return eventsV1
	case adapter.CoreV1:
		return coreV1
	default:
		return string(api)
	}
}
