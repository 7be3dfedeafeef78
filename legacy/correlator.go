// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"

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

// correlator answers as client-go's record.EventCorrelator does. That one makes the patch
// of a repeat before its spam filter is asked, which drops most repeats of a hot loop,
// and builds three keys and a dozen objects for a first occurrence.
type correlator struct {
	options record.CorrelatorOptions // without zeros, but for functions
	foreign bool                     // functions of the caller see the events

	// asking lets one goroutine at a time in. Key functions of the caller may rely on
	// that, since client-go has one goroutine per sink. It guards the next three.
	asking sync.Mutex
	groups *recent[group]                          // by what is aggregated
	limits *recent[flowcontrol.PassiveRateLimiter] // by what the spam filter limits
	unsent *corev1.Event                           // for the next one, as nobody has the last one

	mu     sync.Mutex // guards counts
	counts *recent[stored]
}

// group is what the correlator knows of events that differ by message alone.
type group struct {
	last    time.Time
	some    bool // one of the messages is in message, the others are in others
	message string
	others  map[string]struct{}
}

// stored is what the correlator knows of an Event on the server.
type stored struct {
	count                 int32
	firstTimestamp        metav1.Time
	name, resourceVersion string
}

func newCorrelator(o record.CorrelatorOptions) *correlator {
	o.LRUCacheSize = cmp.Or(o.LRUCacheSize, defaultCacheSize)
	o.BurstSize = cmp.Or(o.BurstSize, defaultBurst)
	o.QPS = cmp.Or(o.QPS, defaultQPS)
	o.MaxEvents = cmp.Or(o.MaxEvents, defaultMaxEvents)
	o.MaxIntervalInSeconds = cmp.Or(o.MaxIntervalInSeconds, defaultMaxSeconds)
	foreign := o.KeyFunc != nil || o.MessageFunc != nil || o.SpamKeyFunc != nil
	if o.MessageFunc == nil {
		o.MessageFunc = record.EventAggregatorByReasonMessageFunc
	}
	return &correlator{
		options: o,
		foreign: foreign,
		groups:  newRecent[group](o.LRUCacheSize),
		limits:  newRecent[flowcontrol.PassiveRateLimiter](o.LRUCacheSize),
		counts:  newRecent[stored](o.LRUCacheSize),
	}
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
	keys := keysOf(own)
	event := c.aggregate(own, &keys)
	repeated, skip := c.count(event, keys.event), c.skips(event, keys.spam)
	if (skip || event != own) && !c.foreign {
		c.unsent = own
	}
	if skip {
		return answer, nil
	}
	answer = correlated{event: event, key: keys.event}
	if event != own {
		answer.key = ""
		restore(event, own)
	}
	if repeated {
		answer.patch, err = countPatch(event)
	}
	return answer, err
}

// keys are parts of one text.
type keys struct{ spam, group, event string }

// keysOf returns what client-go goes by: the spam filter by source, object and type, the
// aggregator by the reason, too, and the counts also by field and message.
func keysOf(e *corev1.Event) (k keys) {
	o := &e.InvolvedObject
	const nul = "\x00"
	k.event = e.Source.Component + nul + e.Source.Host + nul + o.Kind + nul + o.Namespace + nul + o.Name + nul +
		string(o.UID) + nul + o.APIVersion + nul + e.Type + nul + e.Reason + nul + o.FieldPath + nul + e.Message
	k.group = k.event[:len(k.event)-len(e.Message)-len(o.FieldPath)-2]
	k.spam = k.group[:len(k.group)-len(e.Reason)-1]
	return k
}

// aggregate returns event, or an Event that stands for its whole group if there are many
// of different messages. keys.event is what to count it by.
func (c *correlator) aggregate(event *corev1.Event, keys *keys) *corev1.Event {
	o, now, message := &c.options, metav1.NewTime(c.options.Clock.Now()), event.Message
	if o.KeyFunc != nil {
		keys.group, message = o.KeyFunc(event)
	}
	g := c.groups.of(keys.group)
	if now.Sub(g.last) > time.Duration(o.MaxIntervalInSeconds)*time.Second {
		*g = group{}
	}
	g.last = now.Time
	g.add(message)
	if uint(g.len()) < uint(o.MaxEvents) {
		return event
	}
	g.removeAny()
	keys.event = keys.group
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name:      fmt.Sprintf("%v.%x", event.InvolvedObject.Name, now.UnixNano()),
			Namespace: event.Namespace,
		},
		InvolvedObject: event.InvolvedObject,
		Type:           event.Type, Reason: event.Reason, Message: o.MessageFunc(event),
		Source: event.Source, FirstTimestamp: now, LastTimestamp: now, Count: 1,
	}
}

func (g *group) len() int {
	if g.some {
		return 1 + len(g.others)
	}
	return len(g.others)
}

func (g *group) add(message string) {
	switch {
	case g.some && g.message == message:
		return
	case !g.some && len(g.others) == 0:
		g.some, g.message = true, message
		return
	case g.others == nil:
		g.others = map[string]struct{}{}
	}
	g.others[message] = struct{}{}
}

// removeAny forgets a message, as client-go does, so that there are never more than are
// needed to aggregate.
func (g *group) removeAny() {
	for message := range g.others {
		delete(g.others, message)
		return
	}
	g.some, g.message = false, ""
}

// skips reports whether the spam filter drops event.
func (c *correlator) skips(event *corev1.Event, key string) bool {
	o := &c.options
	if o.SpamKeyFunc != nil {
		key = o.SpamKeyFunc(event)
	}
	limit := c.limits.of(key)
	if *limit == nil {
		*limit = flowcontrol.NewTokenBucketPassiveRateLimiterWithClock(o.QPS, o.BurstSize, o.Clock)
	}
	return !(*limit).TryAccept()
}

// count counts event and reports whether it is a repeat of one that is stored.
func (c *correlator) count(event *corev1.Event, key string) (repeated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.counts.of(key)
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
	c.counts.of(sent.key).set(answer)
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
	message := e.Message
	if !utf8.ValidString(message) { // of each invalid byte client-go makes U+FFFD, and package json an escape for it
		message = string([]rune(message))
	}
	return json.Marshal(&struct {
		Count         int32       `json:"count,omitempty"`
		LastTimestamp metav1.Time `json:"lastTimestamp"`
		Message       string      `json:"message,omitempty"`
	}{e.Count, e.LastTimestamp, message})
}

// restore completes an aggregate event, in which client-go leaves these fields out. An
// event that was only counted has them.
func restore(event, own *corev1.Event) {
	event.Labels = own.Labels
	event.Annotations = own.Annotations
	event.Action = own.Action
	event.Related = own.Related
	event.ReportingController = own.ReportingController
	event.ReportingInstance = own.ReportingInstance
}
