// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package isolation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

const (
	create = "create"
	patch  = "patch"
)

// policy says how a server answers a write: it returns when it answers, or when ctx ends.
type policy func(ctx context.Context, namespace, verb string) error

// takes answers every write well after d.
func takes(d time.Duration) policy {
	return func(ctx context.Context, _, _ string) error { return after(d, nil)(ctx) }
}

// in answers writes in one namespace by a policy of its own.
func (p policy) in(namespace string, own policy) policy {
	return func(ctx context.Context, in, verb string) error {
		if in == namespace {
			return own(ctx, in, verb)
		}
		return p(ctx, in, verb)
	}
}

// hanging lets writes in the namespaces whose names begin with prefix hang.
func (p policy) hanging(prefix string) policy {
	return func(ctx context.Context, in, verb string) error {
		if strings.HasPrefix(in, prefix) {
			<-ctx.Done()
			return ctx.Err()
		}
		return p(ctx, in, verb)
	}
}

// on answers one verb by a policy of its own.
func (p policy) on(special string, own policy) policy {
	return func(ctx context.Context, namespace, verb string) error {
		if verb == special {
			return own(ctx, namespace, verb)
		}
		return p(ctx, namespace, verb)
	}
}

// refusing refuses a part of the writes at random, each after a millisecond. If refusals took no time, the number of writes
// that begin before the first one comes back would depend on how many cores the machine has.
func (p policy) refusing(part float64, answer error) policy {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(1, 1))
	return func(ctx context.Context, namespace, verb string) error {
		mu.Lock()
		refuse := random.Float64() < part
		mu.Unlock()
		if refuse {
			time.Sleep(time.Millisecond)
			return answer
		}
		return p(ctx, namespace, verb)
	}
}

// inTurns answers every second write with a 429 at once, as EventRateLimit does when a namespace writes twice as fast as it
// may, and the others by p.
func (p policy) inTurns() policy {
	var mu sync.Mutex
	n := 0
	return func(ctx context.Context, namespace, verb string) error {
		mu.Lock()
		n++
		refused := n%2 == 0
		mu.Unlock()
		if refused {
			return apierrors.NewTooManyRequestsError("limit reached on type Namespace for key odd")
		}
		return p(ctx, namespace, verb)
	}
}

var errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}

// component records Warnings about objects of their own, and knows when each was stored.
type component struct {
	*events.Broadcaster
	t   *testing.T
	rec clientevents.EventRecorder

	mu       sync.Mutex
	policy   policy
	recorded map[string]time.Time // by namespace/object
	stored   map[string]time.Time
}

func newComponent(t *testing.T, p policy, opts ...events.Option) *component {
	c := &component{t: t, policy: p, recorded: map[string]time.Time{}, stored: map[string]time.Time{}}
	opts = append([]events.Option{events.WithLogger(klog.Logger{})}, opts...)
	c.Broadcaster = events.NewBroadcaster(verbs{c.write}, opts...)
	if err := c.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	c.rec = c.Recorder(scheme.Scheme, "example.com/blame")
	return c
}

func (c *component) becomes(p policy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.policy = p
}

func (c *component) write(ctx context.Context, e *eventsv1.Event, verb string) (*eventsv1.Event, error) {
	c.mu.Lock()
	p := c.policy
	c.mu.Unlock()
	if err := p(ctx, e.Namespace, verb); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if key := e.Namespace + "/" + e.Regarding.Name; c.stored[key].IsZero() {
		c.stored[key] = time.Now()
	}
	return e, nil
}

// verbs is a Sink of which the two methods are one function.
type verbs struct {
	write func(ctx context.Context, e *eventsv1.Event, verb string) (*eventsv1.Event, error)
}

func (v verbs) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return v.write(ctx, e, create)
}

func (v verbs) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return v.write(ctx, e, patch)
}

// warn records a Warning about an object, and returns the object.
func (c *component) warn(namespace, object string) (key string) {
	return c.record(corev1.EventTypeWarning, namespace, object)
}

func (c *component) record(eventType, namespace, object string) (key string) {
	c.rec.Eventf(fixture.Pod(namespace, object), nil, eventType, "Failed", "Trying", "it failed")
	key = namespace + "/" + object
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recorded[key].IsZero() {
		c.recorded[key] = time.Now()
	}
	return key
}

// lag is how long a Warning waited, or has waited until now.
func (c *component) lag(key string) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lagLocked(key)
}

func (c *component) lagLocked(key string) time.Duration {
	stored := c.stored[key]
	if stored.IsZero() {
		stored = time.Now()
	}
	return stored.Sub(c.recorded[key])
}

// lags are those of all Warnings in healthy namespaces, in order.
func (c *component) lags() (lags []time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.recorded {
		if strings.HasPrefix(key, healthySpace) {
			lags = append(lags, c.lagLocked(key))
		}
	}
	slices.Sort(lags)
	return lags
}

func (c *component) missing() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.recorded {
		if strings.HasPrefix(key, healthySpace) && c.stored[key].IsZero() {
			n++
		}
	}
	return n
}

// healthyIn is the i-th of ten healthy namespaces.
func healthyIn(i int) string { return fmt.Sprint(healthySpace, "-", i%10) }

// odd are the namespaces that differ from the healthy ones, in some of the worlds only the first.
var odd = []string{"odd", "odd-2", "odd-3"}

// oddFor records an Event every two seconds in each odd namespace.
func (c *component) oddFor(d time.Duration, meanwhile func(i int)) {
	const step = 25 * time.Millisecond
	for i := range int(d / step) {
		if i%int(2*time.Second/step) == 0 {
			for _, namespace := range odd {
				c.warn(namespace, fmt.Sprint("odd-", i))
			}
		}
		meanwhile(i)
		time.Sleep(step)
	}
}

// webhook is how long a write takes where a webhook is asked.
const webhook = 100 * time.Millisecond

// oddNamespaces are worlds in which some namespaces are answered otherwise than all others.
var oddNamespaces = map[string]func() policy{
	"one is exempt from the webhook": func() policy {
		return takes(webhook).in("odd", takes(time.Millisecond))
	},
	"one has a slower webhook": func() policy {
		return takes(webhook).in("odd", takes(800*time.Millisecond))
	},
	"one has a rate limit": func() policy {
		return takes(webhook).in("odd", takes(webhook).inTurns())
	},
	"one has a rate limit and is exempt": func() policy {
		return takes(webhook).in("odd", takes(time.Millisecond).inTurns())
	},
	"one refuses everything": func() policy {
		return takes(webhook).in("odd", takes(0).refusing(1, apierrors.NewTooManyRequests("slow down", 1)))
	},
	"three have rate limits": func() policy {
		p := takes(webhook)
		for _, namespace := range odd {
			p = p.in(namespace, takes(webhook).inTurns())
		}
		return p
	},
}

// A namespace that is answered otherwise than the others is no measure for these.
//
// Caught: latency that is compared between namespaces; a 429 in one namespace that narrows the window of all.
func TestOddNamespaceSlowsNoOther(t *testing.T) {
	for name, policy := range oddNamespaces {
		fixture.InBubble(t, name, func(t *testing.T) {
			c := newComponent(t, policy())
			c.oddFor(10*time.Minute, func(i int) { c.warn(healthyIn(i), fmt.Sprint("web-", i)) })
			time.Sleep(time.Minute)
			lags := c.lags()
			c.Shutdown()
			median, worst := lags[len(lags)/2], lags[len(lags)-1]
			t.Logf("half of the Warnings within %v, all within %v", median, worst)
			if median > maxMedian || worst > maxLag {
				t.Errorf("half of the Warnings within %v, all within %v, want %v and %v", median, worst, maxMedian, maxLag)
			}
		})
	}
}

// drainBurst records 3,000 Warnings at once, with Events in the odd namespaces or without, and returns how long it takes to
// write them all. repeats are as many Events that are patched meanwhile.
func drainBurst(t *testing.T, p policy, withOdd bool, repeats int) (took time.Duration) {
	c := newComponent(t, p)
	defer c.Shutdown()
	pass := func(d time.Duration) {
		if withOdd {
			c.oddFor(d, func(int) {})
		} else {
			time.Sleep(d)
		}
	}
	repeat := func() {
		for i := range repeats {
			c.warn(healthyIn(i), fmt.Sprint("again-", i))
		}
	}
	repeat()
	pass(time.Minute)
	repeat()
	pass(time.Minute)
	for i := range 3000 {
		c.warn(healthyIn(i), fmt.Sprint("web-", i))
	}
	repeat()
	began := time.Now()
	for c.missing() > 0 && time.Since(began) < time.Hour {
		pass(50 * time.Millisecond)
	}
	return time.Since(began)
}

// Caught: as above, and latency that is compared between creates and patches.
func TestOddNamespaceSlowsNoBurst(t *testing.T) {
	for name, policy := range oddNamespaces {
		fixture.InBubble(t, name, func(t *testing.T) {
			with := drainBurst(t, policy(), true, 0)
			without := drainBurst(t, policy(), false, 0)
			t.Logf("a burst of 3,000 takes %v, and %v without that namespace", with, without)
			if with > without*3/2 {
				t.Errorf("a burst of 3,000 takes %v, want at most half more than the %v without that namespace", with, without)
			}
		})
	}
	fixture.InBubble(t, "patches are faster than creates", func(t *testing.T) {
		took := drainBurst(t, takes(webhook).on(patch, takes(time.Millisecond)), false, 500)
		t.Logf("a burst of 3,000 takes %v", took)
		if took > 20*time.Second {
			t.Errorf("a burst of 3,000 takes %v, want 20 s", took)
		}
	})
}

// The server was away for a moment, and when it is back, namespaces hang that were healthy. Many take longer to be found,
// as a window of four finds four a second.
//
// Caught: a namespace that hangs is the probe that finds out whether the server is back, and all others wait for it.
func TestSickProbes(t *testing.T) {
	for _, row := range []struct {
		namespaces int
		within     time.Duration
	}{
		{1, 2 * time.Second},
		{20, 30 * time.Second},
		{200, time.Minute},
	} {
		fixture.InBubble(t, fmt.Sprint(row.namespaces, " namespaces"), func(t *testing.T) {
			fast := takes(10 * time.Millisecond)
			c := newComponent(t, fast)
			for i := range row.namespaces {
				c.warn(fmt.Sprint("sick-", i), "before")
				c.warn(healthyIn(i), fmt.Sprint("before-", i))
			}
			time.Sleep(time.Minute)
			c.becomes(func(context.Context, string, string) error { return errRefused })
			for i := range row.namespaces {
				c.warn(fmt.Sprint("sick-", i), "web")
			}
			time.Sleep(200 * time.Millisecond)
			c.becomes(fast.hanging("sick"))
			key := c.warn(healthyIn(0), "web")
			time.Sleep(10 * time.Minute)
			c.Shutdown()
			lag := c.lag(key)
			t.Logf("a healthy Warning waits %v", lag)
			if lag > row.within {
				t.Errorf("a healthy Warning waits %v, want %v", lag, row.within)
			}
		})
	}
}

// Caught: a probe that hangs until the time for all is over.
func TestShutdownBesideSickNamespaces(t *testing.T) {
	for first := range 12 { // the first of two requests that are refused
		fixture.InBubble(t, fmt.Sprint("from request ", first), func(t *testing.T) {
			var mu sync.Mutex
			requests := 0
			c := newComponent(t, func(ctx context.Context, namespace, verb string) error {
				mu.Lock()
				refused := requests == first || requests == first+1
				requests++
				mu.Unlock()
				if refused {
					return errRefused
				}
				return takes(10*time.Millisecond).hanging("sick")(ctx, namespace, verb)
			})
			for i := range 60 {
				c.record(corev1.EventTypeNormal, healthySpace, fmt.Sprint("web-", i))
			}
			for i := range 8 { // which are more urgent
				c.warn(fmt.Sprint("sick-", i), "web")
			}
			c.Shutdown()
			if n := c.missing(); n > 0 {
				t.Errorf("%d of 60 healthy Events are abandoned", n)
			}
		})
	}
}

// Caught: a cliff at a second, from which on every write counts as one that hangs.
func TestLatencyInProportion(t *testing.T) {
	written := func(t *testing.T, latency time.Duration) (atEnd int, flush time.Duration) {
		c := newComponent(t, takes(latency))
		for i := range 100 {
			c.warn(healthySpace, fmt.Sprint("web-", i))
		}
		c.Shutdown()
		atEnd = int(c.Stats().Recorded)
		c = newComponent(t, takes(latency))
		for i := range 1000 {
			c.warn(healthySpace, fmt.Sprint("web-", i))
		}
		began := time.Now()
		if err := c.Flush(context.Background()); err != nil {
			t.Error(err)
		}
		flush = time.Since(began)
		c.Shutdown()
		return atEnd, flush
	}
	fixture.InBubble(t, "", func(t *testing.T) {
		fastEnd, fastFlush := written(t, 900*time.Millisecond)
		for _, latency := range []time.Duration{1100 * time.Millisecond, 2 * time.Second, 10 * time.Second} {
			atEnd, flush := written(t, latency)
			t.Logf("%v: a drain writes %d of 100 (%d at 0.9 s), and 1,000 take %v (%v)", latency, atEnd, fastEnd, flush, fastFlush)
			if want := time.Duration(float64(fastFlush) * latency.Seconds() / 0.9); flush > want*5/4 {
				t.Errorf("%v: 1,000 Warnings take %v, want about %v", latency, flush, want)
			}
			if want := float64(fastEnd) * 0.9 / latency.Seconds(); latency < 2*time.Second && float64(atEnd) < 0.7*want {
				t.Errorf("%v: a drain writes %d of 100, want about %.0f", latency, atEnd, want)
			}
		}
	})
}

// Caught: a window that is halved by each refusal, although these are as many whatever its size is. It abandons more than a
// thousand where a third is refused. Up to three of the ten namespaces may be abandoned there without a fault: after a
// refusal, a namespace writes one at a time until one is stored, and a 429 asks for a second before each.
func TestShutdownBesideRandomRefusals(t *testing.T) {
	for name, answer := range map[string]error{
		"503":     apierrors.NewServiceUnavailable("no endpoints"),
		"429":     apierrors.NewTooManyRequests("slow down", 1),
		"500":     apierrors.NewInternalError(errRefused),
		"refused": errRefused,
	} {
		for _, part := range []float64{0.1, 1. / 3} {
			fixture.InBubble(t, fmt.Sprintf("%s, %.0f %%", name, 100*part), func(t *testing.T) {
				c := newComponent(t, takes(20*time.Millisecond).refusing(part, answer))
				for i := range 2000 {
					c.warn(healthyIn(i), fmt.Sprint("web-", i))
				}
				c.Shutdown()
				n := c.missing()
				t.Logf("%d of 2,000 abandoned", n)
				if most := map[bool]int{true: 600}[part > 0.2]; n > most {
					t.Errorf("%d of 2,000 Warnings are abandoned, want %d", n, most)
				}
			})
		}
	}
}
