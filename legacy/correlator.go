// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/lru"

	"github.com/eventseries/eventseries/internal/usercode"
)

// client-go's defaults, where [record.CorrelatorOptions] has a zero.
const (
	defaultCacheSize          = 4096
	defaultBurst              = 25
	defaultQPS        float32 = 1. / 300
	defaultMaxEvents          = 10
	defaultMaxSeconds         = 600
)

// correlator answers as client-go's record.EventCorrelator does, with client-go's own
// aggregator and spam filter. The counter between them is this package's, because
// client-go's makes the patch of a repeat before the spam filter is asked, which refuses
// most repeats of a hot loop. That patch was nine tenths of what a repeat cost.
type correlator struct {
	aggregator *record.EventAggregator
	spam       *record.EventSourceObjectSpamFilter

	// asking lets one goroutine at a time in. Key functions of the caller may rely on
	// that, since client-go has one goroutine per sink. It guards unsent.
	asking  sync.Mutex
	foreign bool          // functions of the caller see the events
	unsent  *corev1.Event // for the next one, as nobody has the last one

	mu     sync.Mutex // guards counts and what is in it
	counts *lru.Cache // of *stored, by what the aggregator says is one Event
}

// stored is what the correlator knows of an Event on the server.
type stored struct {
	count                 int32
	firstTimestamp        metav1.Time
	name, resourceVersion string
}

func newCorrelator(o record.CorrelatorOptions) *correlator {
	size := cmp.Or(o.LRUCacheSize, defaultCacheSize)
	foreign := o.KeyFunc != nil || o.MessageFunc != nil || o.SpamKeyFunc != nil
	if o.KeyFunc == nil {
		o.KeyFunc = record.EventAggregatorByReasonFunc
	}
	if o.MessageFunc == nil {
		o.MessageFunc = record.EventAggregatorByReasonMessageFunc
	}
	if o.SpamKeyFunc == nil {
		o.SpamKeyFunc = spamKey
	}
	return &correlator{
		aggregator: record.NewEventAggregator(size, o.KeyFunc, o.MessageFunc,
			cmp.Or(o.MaxEvents, defaultMaxEvents), cmp.Or(o.MaxIntervalInSeconds, defaultMaxSeconds), o.Clock),
		spam: record.NewEventSourceObjectSpamFilter(size,
			cmp.Or(o.BurstSize, defaultBurst), cmp.Or(o.QPS, defaultQPS), o.Clock, o.SpamKeyFunc),
		foreign: foreign,
		counts:  lru.New(size),
	}
}

// spamKey is client-go's default: a source, an object and a type.
func spamKey(e *corev1.Event) string {
	o := &e.InvolvedObject
	return e.Source.Component + e.Source.Host + o.Kind + o.Namespace + o.Name + string(o.UID) + o.APIVersion + e.Type
}

// correlated says what to send for an occurrence.
type correlated struct {
	event *corev1.Event
	patch []byte // nil if the event is new
	key   string // in counts; empty for an aggregate event, of which client-go remembers no answer
}

// ask returns no event if the spam filter drops r.
func (c *correlator) ask(r *recorded) (answer correlated, err error) {
	c.asking.Lock()
	defer c.asking.Unlock()
	panicked := usercode.Call(func() { answer, err = c.correlate(r) })
	if panicked != nil {
		return correlated{}, fmt.Errorf("legacy: a function of the correlator's options %w", panicked)
	}
	return answer, err
}

func (c *correlator) correlate(r *recorded) (answer correlated, err error) {
	own := c.unsent
	if own == nil {
		own = &corev1.Event{}
	}
	c.unsent = nil
	r.writeTo(own)
	event, key := c.aggregator.EventAggregate(own)
	repeated, skip := c.count(event, key), c.spam.Filter(event)
	if (skip || event != own) && !c.foreign {
		c.unsent = own
	}
	if skip {
		return answer, nil
	}
	answer = correlated{event: event, key: key}
	if event != own {
		answer.key = ""
		restore(event, own)
	}
	if repeated {
		answer.patch, err = countPatch(event)
	}
	return answer, err
}

// count counts event and reports whether it is a repeat of one that is stored.
func (c *correlator) count(event *corev1.Event, key string) (repeated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.storedAs(key)
	if s.count == 0 {
		s.set(event)
		return false
	}
	s.count++
	event.Name, event.ResourceVersion = s.name, s.resourceVersion
	event.FirstTimestamp, event.Count = s.firstTimestamp, s.count
	return true
}

// learn remembers the server's answer.
func (c *correlator) learn(sent *correlated, answer *corev1.Event) {
	if sent.key == "" || !sameEvent(sent.event, answer) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.storedAs(sent.key).set(answer)
}

// storedAs returns what is known under key, which may be nothing yet.
func (c *correlator) storedAs(key string) *stored {
	if known, ok := c.counts.Get(key); ok {
		return known.(*stored)
	}
	s := &stored{}
	c.counts.Add(key, s)
	return s
}

func (s *stored) set(e *corev1.Event) {
	s.count, s.firstTimestamp, s.name, s.resourceVersion = e.Count, e.FirstTimestamp, e.Name, e.ResourceVersion
}

// sameEvent reports whether occurrences of a and b are counted together, unless they
// are aggregated.
func sameEvent(a, b *corev1.Event) bool {
	x, y := a.InvolvedObject, b.InvolvedObject
	x.ResourceVersion = y.ResourceVersion
	return x == y && a.Source == b.Source && a.Type == b.Type && a.Reason == b.Reason && a.Message == b.Message
}

// countPatch returns what client-go sends for a repeat: what differs from the same event
// without count, last timestamp and message.
func countPatch(e *corev1.Event) ([]byte, error) {
	return json.Marshal(&struct {
		Count         int32       `json:"count,omitempty"`
		LastTimestamp metav1.Time `json:"lastTimestamp"`
		Message       string      `json:"message,omitempty"`
	}{e.Count, e.LastTimestamp, e.Message})
}

// restore completes an aggregate event, in which client-go leaves these fields out. An
// event that was only counted has them.
func restore(event, recorded *corev1.Event) {
	event.Labels = recorded.Labels
	event.Annotations = recorded.Annotations
	event.Action = recorded.Action
	event.Related = recorded.Related
	event.ReportingController = recorded.ReportingController
	event.ReportingInstance = recorded.ReportingInstance
}
