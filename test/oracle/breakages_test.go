// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/events"
)

// breakage changes the calls between the oracle and the SDK, so that the SDK seems to have an
// error.
type breakage struct {
	component func(*component)
	sink      func(*process, *broken)
}

func (b breakage) of(c *component) *component {
	if b.component != nil {
		b.component(c)
	}
	return c
}

func (b breakage) sinkOf(p *process, s events.Sink) events.Sink {
	if b.sink == nil {
		return s
	}
	wrapped := &broken{create: s.Create, patch: s.Patch}
	b.sink(p, wrapped)
	return wrapped
}

type (
	creating = func(context.Context, *eventsv1.Event) (*eventsv1.Event, error)
	patching = func(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error)
)

// broken is a Sink whose methods are functions.
type broken struct {
	create creating
	patch  patching
}

func (b *broken) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return b.create(ctx, e)
}

func (b *broken) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return b.patch(ctx, e, patch)
}

// patchBody has the parts of a patch that a breakage may change.
type patchBody struct {
	Metadata struct {
		ResourceVersion string            `json:"resourceVersion,omitempty"`
		Annotations     map[string]string `json:"annotations,omitempty"`
	} `json:"metadata"`
	Series *eventsv1.EventSeries `json:"series,omitempty"`
}

// changed applies change to a patch with a series. It returns any other patch unchanged.
func changed(patch []byte, change func(*patchBody)) []byte {
	var body patchBody
	if err := json.Unmarshal(patch, &body); err != nil {
		panic(err)
	}
	if body.Series == nil {
		return patch
	}
	change(&body)
	patch, _ = json.Marshal(body)
	return patch
}

// eachPatch returns a breakage that changes each patch with a series.
func eachPatch(change func(context.Context, *patchBody)) func(*process, *broken) {
	return func(_ *process, b *broken) {
		patch := b.patch
		b.patch = func(ctx context.Context, e *eventsv1.Event, body []byte) (*eventsv1.Event, error) {
			return patch(ctx, e, changed(body, func(b *patchBody) { change(ctx, b) }))
		}
	}
}

// eachStats returns a breakage that changes the Stats.
func eachStats(change func(*events.Stats)) func(*component) {
	return func(c *component) {
		stats := c.stats
		c.stats = func() events.Stats {
			st := stats()
			change(&st)
			return st
		}
	}
}

// eachDrain returns a breakage that changes the calls of Drain or its results.
func eachDrain(change func(ctx context.Context, drain ending) error) func(*component) {
	return func(c *component) {
		drain := c.drain
		c.drain = func(ctx context.Context) error { return change(ctx, drain) }
	}
}

// rows has the breakages, each with the promises that the oracle must find broken.
var rows = []struct {
	name string
	breakage
	promises []string
}{
	{"a write counts its delta twice", breakage{sink: eachPatch(func(ctx context.Context, b *patchBody) {
		write, _ := events.WriteFromContext(ctx)
		b.Series.Count += int32(write.Delta)
	})}, []string{"a count is higher than the occurrences by then", "the server has more than was recorded",
		"the server has more than Recorded and Unconfirmed", "the server has what was dropped",
		"a count is not the sum of its shares"}},
	{"a count is lowered", breakage{sink: eachPatch(func(_ context.Context, b *patchBody) {
		b.Series.Count = max(b.Series.Count-1, 2)
	})}, []string{"Recorded, but not on the server", "recorded, but not on the server"}},
	{"a last time is in the future", breakage{sink: eachPatch(func(_ context.Context, b *patchBody) {
		b.Series.LastObservedTime.Time = b.Series.LastObservedTime.Add(time.Second)
	})}, []string{"a last time at which nothing occurred"}},
	{"a last time is that of long ago", breakage{sink: eachPatch(func(_ context.Context, b *patchBody) {
		b.Series.LastObservedTime.Time = b.Series.LastObservedTime.Add(-time.Hour)
	})}, []string{"the last time went back", "a last time at which nothing occurred"}},
	{"each patch is overtaken by the next one", breakage{sink: overtaken},
		[]string{"a count went back", "the last time went back"}},
	{"an older resourceVersion is asked for", breakage{sink: eachPatch(func(_ context.Context, b *patchBody) {
		if b.Series.Count%2 == 1 {
			b.Metadata.ResourceVersion = "1"
		}
	})}, []string{"a resourceVersion went back"}},
	{"the shares of others are left out", breakage{sink: eachShares(func(shares []share) []share {
		return shares[len(shares)-1:]
	})}, []string{"a share of another process is lost"}},
	{"the shares of others grow", breakage{sink: eachShares(func(shares []share) []share {
		shares[0].Count++
		return shares
	})}, []string{"a share of another process changed"}},
	{"the own share grows", breakage{sink: eachShares(func(shares []share) []share {
		shares[len(shares)-1].Count += 1000
		return shares
	})}, []string{"a share is higher than what its process recorded"}},
	{"a share shrinks", breakage{sink: eachShares(func(shares []share) []share {
		shares[0].Count = 0
		return shares
	})}, []string{"a share went back"}},
	{"an eventTime is that of the write", breakage{sink: eachCreate(func(e *eventsv1.Event) {
		e.EventTime = metav1.NewMicroTime(time.Now().Add(time.Millisecond))
	})}, []string{"an eventTime at which nothing occurred"}},
	{"an action is left out", breakage{sink: eachCreate(func(e *eventsv1.Event) { e.Action = "" })},
		[]string{"an Event that no API server would take"}},
	{"all Events have one name", breakage{sink: eachCreate(func(e *eventsv1.Event) { e.Name = "event" })},
		[]string{"Recorded, but not on the server", "a patch before its create"}},
	{"a patch changes the note", breakage{sink: eachWrite(func(send patching) patching {
		return func(ctx context.Context, e *eventsv1.Event, body []byte) (*eventsv1.Event, error) {
			return send(ctx, e, append([]byte(`{"note":"changed",`), body[1:]...))
		}
	})}, []string{"a patch that changes what is immutable"}},
	{"each tenth Create is swallowed", breakage{sink: swallowed(true)},
		[]string{"Recorded, but not on the server", "recorded, but not on the server"}},
	{"each tenth patch is swallowed", breakage{sink: swallowed(false)}, []string{"Recorded, but not on the server"}},
	{"a refusal is taken for an answer", breakage{sink: func(_ *process, b *broken) {
		create := b.create
		b.create = func(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
			_, _ = create(ctx, e)
			return e, nil
		}
	}}, []string{"Recorded, but not on the server", "Recorded is not the sum of the acknowledged deltas"}},
	{"an Event is created twice", breakage{sink: func(_ *process, b *broken) {
		create := b.create
		b.create = func(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
			stored, err := create(ctx, e)
			if err == nil {
				other := e.DeepCopy()
				other.Name += "x"
				_, _ = create(ctx, other)
			}
			return stored, err
		}
	}}, []string{"the server has more than was recorded"}},
	{"a stored Event vanishes", breakage{sink: func(p *process, b *broken) {
		create := b.create
		b.create = func(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
			stored, err := create(ctx, e)
			s := p.w.server
			s.mu.Lock()
			defer s.mu.Unlock()
			if err == nil && s.version%5 == 0 {
				delete(s.stored, e.Namespace+"/"+e.Name)
				delete(s.past, e.Namespace+"/"+e.Name)
			}
			return stored, err
		}
	}}, []string{"Recorded, but not on the server"}},
	{"a patch comes before its create", breakage{sink: func(_ *process, b *broken) {
		create := b.create
		b.create = func(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
			_, _ = b.patch(ctx, e, []byte(`{"series":{"count":2}}`))
			return create(ctx, e)
		}
	}}, []string{"a patch before its create"}},
	{"each patch asks first", breakage{sink: eachWrite(func(send patching) patching {
		return func(ctx context.Context, e *eventsv1.Event, body []byte) (*eventsv1.Event, error) {
			_, _ = send(ctx, e, []byte("{}"))
			return send(ctx, e, body)
		}
	})}, []string{"an empty patch without a conflict"}},
	{"each write is sent twice at a time", breakage{sink: func(p *process, b *broken) {
		patch := b.patch
		b.patch = func(ctx context.Context, e *eventsv1.Event, body []byte) (*eventsv1.Event, error) {
			p.w.spawn(func() {
				// A fault may panic, and this goroutine belongs to the breakage.
				defer func() { _ = recover() }()
				_, _ = patch(ctx, e, body)
			})
			return patch(ctx, e, body)
		}
	}}, []string{"two writes of one Event at a time"}},
	{"Creates and patches take turns", breakage{sink: eachWrite(func(send patching) patching {
		return func(ctx context.Context, e *eventsv1.Event, body []byte) (*eventsv1.Event, error) {
			stored, err := send(ctx, e, body)
			for range mostTurns {
				if !apierrors.IsNotFound(err) {
					break
				}
				_, err = send(ctx, e, []byte("{}"))
			}
			return stored, err
		}
	})}, []string{"Creates and patches take turns in a hot loop", "an Event is asked for in a hot loop"}},
	{"Creates in a namespace fail for ever", breakage{sink: func(_ *process, b *broken) {
		create := b.create
		b.create = func(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
			if e.Namespace == "a" {
				return nil, errors.New("no")
			}
			return create(ctx, e)
		}
	}}, []string{"an Event is not on the server in time"}},
	{"patches fail for ever", breakage{sink: eachWrite(func(patching) patching {
		return func(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) { return nil, errors.New("no") }
	})}, []string{"a count is not on the server in time"}},

	{"each tenth call is lost", breakage{component: eachCall(func(n int, call func()) {
		if n%10 != 0 {
			call()
		}
	})}, []string{"Observed is not what was recorded", "the occurrence handler misses some", "a watcher misses some"}},
	{"each tenth call counts twice", breakage{component: eachCall(func(n int, call func()) {
		call()
		if n%10 == 0 {
			call()
		}
	})}, []string{"Observed is not what was recorded"}},
	{"what is pending is said to be recorded", breakage{component: eachStats(func(st *events.Stats) {
		st.Recorded += st.Pending
		st.Pending = 0
	})}, []string{"Recorded, but not on the server", "Recorded is not the sum of the acknowledged deltas",
		"OldestPending does not agree with Pending", "the accounts by labels do not add up"}},
	{"what is recorded is said to be pending", breakage{component: eachStats(func(st *events.Stats) {
		st.Pending += st.Recorded
		st.Recorded = 0
	})}, []string{"something is pending after the end", "Recorded is not the sum of the acknowledged deltas"}},
	{"drops are not accounted for", breakage{component: eachStats(func(st *events.Stats) {
		for reason, n := range st.Dropped {
			st.Observed -= n
			st.Dropped[reason] = 0
		}
	})}, []string{"Dropped is not what the drop handler was told", "Invalid is not what was invalid",
		"a broadcaster that has ended takes an occurrence"}},
	{"Observed is one too many", breakage{component: eachStats(func(st *events.Stats) { st.Observed++ })},
		[]string{"the accounts do not balance"}},
	{"all is zero each third time", breakage{component: func(c *component) {
		stats := c.stats
		var n atomic.Int64
		c.stats = func() events.Stats {
			if n.Add(1)%3 == 0 {
				return events.Stats{}
			}
			return stats()
		}
	}}, []string{"an account goes back"}},
	{"Unconfirmed is forgotten", breakage{component: eachStats(func(st *events.Stats) { st.Unconfirmed = 0 })},
		[]string{"the server has more than Recorded and Unconfirmed", "the server has what was dropped"}},
	{"Unconfirmed is more than was dropped", breakage{component: eachStats(func(st *events.Stats) {
		st.Unconfirmed = st.Observed + 1
	})}, []string{"an account is impossible"}},
	{"a label is left out", breakage{component: func(c *component) {
		snapshot := c.snapshot
		c.snapshot = func(n int) events.Snapshot {
			s := snapshot(n)
			s.Counts = s.Counts[:len(s.Counts)/2]
			return s
		}
	}}, []string{"the accounts by labels do not add up"}},
	{"a label has too much", breakage{component: func(c *component) {
		snapshot := c.snapshot
		c.snapshot = func(n int) events.Snapshot {
			s := snapshot(n)
			if len(s.Counts) > 0 {
				s.Counts[0].Recorded++
			}
			return s
		}
	}}, []string{"the accounts of a label do not balance"}},

	{"Drain keeps its loss to itself", breakage{component: eachDrain(func(ctx context.Context, drain ending) error {
		_ = drain(ctx)
		return nil
	})}, []string{"Drain keeps a loss to itself", "Drain keeps the sink's error to itself"}},
	{"Start may be called twice", breakage{component: func(c *component) {
		start := c.start
		c.start = func(ctx context.Context) error {
			_ = start(ctx)
			return nil
		}
	}}, []string{"a second Start succeeds"}},
	{"Drain says something else", breakage{component: eachDrain(func(ctx context.Context, drain ending) error {
		_ = drain(ctx)
		return errors.New("something else")
	})}, []string{"Drain returns another error", "a second Drain returns another error"}},
	{"Drain says that it lost less", breakage{component: eachLoss(func(lost *events.AbandonedError) { lost.Occurrences-- })},
		[]string{"Drain's error is not what was lost"}},
	{"Drain does not say where", breakage{component: eachLoss(func(lost *events.AbandonedError) { lost.TopNamespaces = nil })},
		[]string{"Drain's error does not say where"}},
	{"Drain says that all is unconfirmed", breakage{component: eachLoss(func(lost *events.AbandonedError) {
		lost.Unconfirmed = lost.Occurrences
	})}, []string{"Drain's error has too much that is unconfirmed"}},
	{"Drain says that something is stuck", breakage{component: eachLoss(func(lost *events.AbandonedError) { lost.Stuck++ })},
		[]string{"Drain leaves goroutines"}},
	{"Drain says that nothing was lost", breakage{component: eachDrain(func(ctx context.Context, drain ending) error {
		_ = drain(ctx)
		return &events.AbandonedError{}
	})}, []string{"Drain's error is about nothing"}},
	{"Drain outlives its context", breakage{component: eachDrain(func(ctx context.Context, drain ending) error {
		defer time.Sleep(time.Minute)
		return drain(ctx)
	})}, []string{"the end outlives its bound"}},
	{"Drain gives up at once", breakage{component: eachDrain(func(ctx context.Context, drain ending) error {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return drain(ctx)
	})}, []string{"Drain loses what the server would take"}},
	{"Shutdown gives up at once", breakage{component: func(c *component) {
		drain := c.drain
		c.shutdown = func() {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_ = drain(ctx)
		}
	}}, []string{"Shutdown loses what the server would take"}},
	{"Shutdown waits for a Drain beside it", breakage{component: func(c *component) {
		drain, shutdown := c.drain, c.shutdown
		ended := make(chan struct{})
		var draining atomic.Bool
		c.drain = func(ctx context.Context) error {
			if !draining.Swap(true) {
				defer close(ended)
			}
			return drain(ctx)
		}
		c.shutdown = func() {
			if draining.Load() {
				<-ended
			}
			shutdown()
		}
	}}, []string{"Shutdown beside a Drain outlives its bound"}},
	{"Flush outlives its context", breakage{component: func(c *component) {
		c.flush = func(context.Context) error {
			time.Sleep(time.Hour)
			return nil
		}
	}}, []string{"Flush outlives its context"}},
	{"a goroutine is left", breakage{component: eachDrain(func(ctx context.Context, drain ending) error {
		go time.Sleep(time.Hour)
		return drain(ctx)
	})}, []string{"goroutines are left"}},
}

type ending = func(context.Context) error

// eachLoss returns a breakage that changes the error of Drain about a loss.
func eachLoss(change func(*events.AbandonedError)) func(*component) {
	return eachDrain(func(ctx context.Context, drain ending) error {
		err := drain(ctx)
		var lost *events.AbandonedError
		if !errors.As(err, &lost) {
			return err
		}
		other := *lost
		change(&other)
		return &other
	})
}

// eachCall returns a breakage that changes how often an occurrence is recorded.
func eachCall(change func(n int, call func())) func(*component) {
	return func(c *component) {
		eventf := c.eventf
		var n atomic.Int64
		c.eventf = func(object runtime.Object, typ, reason, action, note string, args ...any) {
			change(int(n.Add(1)), func() { eventf(object, typ, reason, action, note, args...) })
		}
	}
}

// eachCreate returns a breakage that changes the Event of each Create.
func eachCreate(change func(*eventsv1.Event)) func(*process, *broken) {
	return func(_ *process, b *broken) {
		create := b.create
		b.create = func(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
			e = e.DeepCopy()
			change(e)
			return create(ctx, e)
		}
	}
}

// eachWrite returns a breakage that replaces the method Patch.
func eachWrite(change func(patching) patching) func(*process, *broken) {
	return func(_ *process, b *broken) { b.patch = change(b.patch) }
}

// eachShares returns a breakage that changes the shares of each Event with several shares, and its
// count accordingly.
func eachShares(change func([]share) []share) func(*process, *broken) {
	return eachPatch(func(_ context.Context, b *patchBody) {
		var shares []share
		if json.Unmarshal([]byte(b.Metadata.Annotations[countsAnnotation]), &shares) != nil || len(shares) < 2 {
			return
		}
		shares = change(shares)
		text, _ := json.Marshal(shares)
		b.Metadata.Annotations[countsAnnotation] = string(text)
		b.Series.Count = 0
		for _, one := range shares {
			b.Series.Count += int32(one.Count)
		}
	})
}

// swallowed returns a breakage under which every tenth Create, or every tenth patch, has no effect.
func swallowed(creates bool) func(*process, *broken) {
	return func(_ *process, b *broken) {
		create, patch := b.create, b.patch
		var n atomic.Int64
		if creates {
			b.create = func(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
				if n.Add(1)%10 == 0 {
					return e, nil
				}
				return create(ctx, e)
			}
			return
		}
		b.patch = func(ctx context.Context, e *eventsv1.Event, body []byte) (*eventsv1.Event, error) {
			if n.Add(1)%10 == 0 {
				return e, nil
			}
			return patch(ctx, e, body)
		}
	}
}

// overtaken sends each patch once more after the next one, as if a proxy had delayed it.
func overtaken(_ *process, b *broken) {
	patch := b.patch
	var mu sync.Mutex
	held := map[string][]byte{}
	b.patch = func(ctx context.Context, e *eventsv1.Event, body []byte) (*eventsv1.Event, error) {
		unconditional := changed(body, func(b *patchBody) { b.Metadata.ResourceVersion = "" })
		mu.Lock()
		before := held[e.Name]
		held[e.Name] = unconditional
		mu.Unlock()
		stored, err := patch(ctx, e, body)
		if before != nil && err == nil {
			return patch(ctx, e, before)
		}
		return stored, err
	}
}

// The oracle can fail. For each breakage it finds all broken promises within a few schedules.
func TestBreakagesAreFound(t *testing.T) {
	oneCore(t)
	// within is the number of schedules in which each breakage must be found.
	const within = 400
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			missing := slices.Clone(row.promises)
			first := uint64(0)
			for seed := uint64(1); seed <= within && len(missing) > 0; seed++ {
				w := run(t, newSchedule(seed), row.breakage, false)
				if len(w.violations) > 0 && first == 0 {
					first = seed
				}
				for _, v := range w.violations {
					i := slices.Index(missing, v.promise)
					if i >= 0 {
						t.Logf("%s: found by seed %d, the breakage by seed %d", v.promise, seed, first)
						missing = slices.Delete(missing, i, i+1)
					}
				}
			}
			if len(missing) > 0 {
				t.Errorf("not found in %d schedules: %q", within, missing)
			}
		})
	}
}
