// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom

import (
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eventseries/eventseries/events"
)

// requests counts and times the requests of one source that were answered or failed.
type requests struct {
	total    *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// buckets are the limits of the classic histogram, in seconds. They reach from a fast answer to the
// timeout of a write.
var buckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newRequests() *requests {
	return &requests{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: prefix + "requests_total",
			Help: "Requests that write Events, by the HTTP status of the answer.",
		}, []string{"operation", "api", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    prefix + "request_duration_seconds",
			Help:    "Time that requests took which write Events.",
			Buckets: buckets,
			// Without a minimal duration between resets the histogram is never reset, and has no timer.
			NativeHistogramBucketFactor:    1.1,
			NativeHistogramMaxBucketNumber: 100,
		}, []string{"operation", "api"}),
	}
}

func (r *requests) observe(request events.Request) {
	operation := oneOf(request.Operation, "create", "patch")
	api := api(request.API)
	r.total.WithLabelValues(operation, api, code(request.Code)).Inc()
	r.duration.WithLabelValues(operation, api).Observe(request.Duration.Seconds())
}

// Describe implements [prometheus.Collector].
func (r *requests) Describe(ch chan<- *prometheus.Desc) {
	r.total.Describe(ch)
	r.duration.Describe(ch)
}

// Collect implements [prometheus.Collector].
func (r *requests) Collect(ch chan<- prometheus.Metric) {
	r.total.Collect(ch)
	r.duration.Collect(ch)
}

// The constants are values of the label api. Some of them are values of other labels, too.
const (
	eventsV1 = "events.k8s.io/v1"
	coreV1   = "core/v1"
	none     = "none"
	other    = "other"
)

// api returns the value of the label api. A missing version becomes "none", because Prometheus
// takes an empty label for no label.
func api(version string) string {
	switch version {
	case "":
		return none
	case "v1":
		return coreV1
	default:
		return oneOf(version, eventsV1)
	}
}

// code returns the value of the label code. The number of values is limited, because a webhook may
// deny with any status.
func code(status int) string {
	switch {
	case status == 0:
		return none
	case status < 100 || status > 599:
		return other
	default:
		return strconv.Itoa(status)
	}
}

func oneOf(value string, known ...string) string {
	for _, k := range known {
		if value == k {
			return value
		}
	}
	return other
}

// maxText is the maximum length of a label value, in bytes: the longest reason that the API server
// accepts. The reason may be longer, because package legacy does not shorten it.
const maxText = 128

// text returns s as the value of a label: cut to maxText bytes, and with invalid UTF-8 replaced.
func text(s string) string {
	if len(s) > maxText {
		// A character that is cut in two is replaced below.
		s = s[:maxText]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
