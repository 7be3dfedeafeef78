// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Key identifies a series that the storm records.
type Key struct {
	Namespace, Name string // of the object; cluster-scoped objects have no namespace
	Type, Reason    string
}

// hot are the reasons of most occurrences: several a second of each series.
var hot = []string{"Pulled", "BackOff", "Synced", "Unhealthy"}

// IsHot reports whether the storm records the series all the time.
func (k Key) IsHot() bool { return slices.Contains(hot, k.Reason) }

// Counts has the number of occurrences of each series.
type Counts map[Key]int64

// Total returns the sum of all counts.
func (c Counts) Total() (sum int64) {
	for _, n := range c {
		sum += n
	}
	return sum
}

// Add adds the counts of other.
func (c Counts) Add(other Counts) {
	for key, n := range other {
		c[key] += n
	}
}

// Recorder is the recorder of a storm.
type Recorder interface {
	Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any)
}

// The pace: at most Rate occurrences a second, less on a machine that is busy.
const (
	emitters = 4
	burst    = 3
	tick     = 10 * time.Millisecond
	Rate     = int64(emitters * burst * (time.Second / tick))
)

// Storm records from several goroutines until it is stopped.
type Storm struct {
	recorder Recorder
	stop     chan struct{}
	running  sync.WaitGroup

	mu       sync.Mutex // guards the rest
	objects  []Object
	emitted  Counts
	first    map[Key]time.Time // of Walk and Warn
	total    int64
	progress *sync.Cond // total has grown
}

// Start begins to record about objects. If there are none, only Walk and Warn record.
func Start(recorder Recorder, objects []Object) *Storm {
	s := &Storm{
		recorder: recorder, objects: objects, stop: make(chan struct{}), emitted: Counts{}, first: map[Key]time.Time{},
	}
	s.progress = sync.NewCond(&s.mu)
	if len(objects) == 0 {
		return s
	}
	for i := range emitters {
		e := &emitter{storm: s, number: i, random: rand.New(rand.NewPCG(1, uint64(i)))}
		s.running.Go(e.run)
	}
	return s
}

// Join adds objects to the storm.
func (s *Storm) Join(objects []Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects = append(s.objects, objects...)
}

// Run runs the storm for d or, as nothing can be waited for but the storm
// itself, for as many occurrences as take it at least so long.
func (s *Storm) Run(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for until := s.total + Rate*d.Milliseconds()/1000; s.total < until; {
		s.progress.Wait()
	}
}

// Stop ends the storm and returns what was recorded. It can be called again.
func (s *Storm) Stop() Counts {
	s.mu.Lock()
	select {
	case <-s.stop:
	default:
		close(s.stop)
	}
	s.mu.Unlock()
	s.running.Wait()
	return s.Emitted()
}

func (s *Storm) any(random *rand.Rand) Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[random.IntN(len(s.objects))]
}

// count counts what an emitter has recorded.
func (s *Storm) count(keys []Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.emitted[key]++
	}
	s.total += int64(len(keys))
	s.progress.Broadcast()
}

// Emitted returns what was recorded so far.
func (s *Storm) Emitted() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.emitted)
}

// Walk records one Warning every interval until the storm is stopped: the nth is about the object next(n). The storm
// remembers when each was recorded first.
func (s *Storm) Walk(interval time.Duration, reason string, next func(n int) Object) {
	s.running.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for n := 0; ; n++ {
			select {
			case <-s.stop:
				return
			case <-ticker.C:
			}
			s.Warn(reason, next(n))
		}
	})
}

// Warn records a Warning about each of the objects before it returns.
func (s *Storm) Warn(reason string, objects ...Object) {
	for _, object := range objects {
		at := time.Now()
		s.recorder.Eventf(object, nil, corev1.EventTypeWarning, reason, "Do"+reason, "%s of %s", reason, object.GetName())
		key := Key{
			Namespace: object.GetNamespace(), Name: object.GetName(), Type: corev1.EventTypeWarning, Reason: reason,
		}
		s.count([]Key{key})
		s.mu.Lock()
		if s.first[key].IsZero() {
			s.first[key] = at
		}
		s.mu.Unlock()
	}
}

// First returns when each Warning of Walk and Warn was recorded for the first time.
func (s *Storm) First() map[Key]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.first)
}
