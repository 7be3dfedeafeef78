// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/request"
)

// item is what the tests write. Its name is namespace/name.
type item struct {
	name string
	gone bool
}

func (i *item) Gone() bool { return i.gone }

func (i *item) namespace() string {
	namespace, _, _ := strings.Cut(i.name, "/")
	return namespace
}

// script is what a server answers.
type script func(ctx context.Context, i *item) (request.Verdict, request.Class)

var (
	stored = request.Verdict{Action: request.Stored}
	failed = request.Verdict{Action: request.Retry, Gate: request.Namespace, Error: "500"}
	down   = request.Verdict{Action: request.Retry, Gate: request.Server, Error: "refused"}
)

// stores takes a while for each write.
func stores(took time.Duration) script {
	return func(context.Context, *item) (request.Verdict, request.Class) {
		time.Sleep(took)
		return stored, request.NoWrite
	}
}

// fails lets all writes of some namespaces fail, and others as rest says.
func fails(rest script, v request.Verdict, namespaces ...string) script {
	return func(ctx context.Context, i *item) (request.Verdict, request.Class) {
		if slices.Contains(namespaces, i.namespace()) {
			return v, request.FirstWarning
		}
		return rest(ctx, i)
	}
}

// hangs lets all writes of some namespaces hang until their context ends, and others as rest says.
func hangs(rest script, namespaces ...string) script {
	return func(ctx context.Context, i *item) (request.Verdict, request.Class) {
		if slices.Contains(namespaces, i.namespace()) {
			<-ctx.Done()
			return request.NoAnswer, request.FirstWarning
		}
		return rest(ctx, i)
	}
}

// rig runs a writer in a bubble against a script.
type rig struct {
	*Writer[*item]
	began time.Time
	group lifecycle.Group

	mu       sync.Mutex
	answer   script
	log      []string // "@1s web/a", a line for each write when it begins
	inFlight map[string]int
	most     int // at a time
}

func newRig(most int, answer script) *rig {
	r := &rig{began: time.Now(), answer: answer, inFlight: map[string]int{}}
	r.Writer = New(Config[*item]{
		Clock: clock.RealClock{}, Most: most, Timeout: 30 * time.Second, Attempt: r.attempt,
	})
	r.jitter = whole
	return r
}

// inBubble runs test with a writer that is joined in the end.
func inBubble(t *testing.T, most int, answer script, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(most, answer)
		ctx, cancel := context.WithCancel(t.Context())
		r.group.Go(func() { r.Run(ctx, r.group.Go) })
		test(t, r)
		cancel()
		if n := r.group.Wait(context.Background()); n != 0 {
			t.Errorf("%d goroutines outlive the writer", n)
		}
	})
}

func (r *rig) attempt(ctx context.Context, i *item, _ request.Limiter) (request.Verdict, request.Class) {
	r.mu.Lock()
	r.inFlight[i.namespace()]++
	total := 0
	for _, n := range r.inFlight {
		total += n
	}
	r.most = max(r.most, total)
	r.log = append(r.log, fmt.Sprintf("@%v %s", time.Since(r.began).Round(time.Millisecond), i.name))
	answer := r.answer
	r.mu.Unlock()
	defer func() { // also when the goroutine ends
		r.mu.Lock()
		defer r.mu.Unlock()
		r.inFlight[i.namespace()]--
	}()
	return answer(ctx, i)
}

func (r *rig) says(answer script) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// add enqueues items before any of them is taken.
func (r *rig) add(class request.Class, names ...string) {
	for _, name := range names {
		namespace, _, _ := strings.Cut(name, "/")
		r.mu.Lock()
		r.Enqueue(&item{name: name}, namespace, class)
		r.mu.Unlock()
	}
}

// lines returns what was written since the last call.
func (r *rig) lines() []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.log
	r.log = nil
	return log
}

func (r *rig) check(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, r.lines()); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

// heal makes a namespace healthy, and the rig as new otherwise.
func (r *rig) heal(namespace string) {
	r.add(request.FirstWarning, namespace+"/heal")
	time.Sleep(time.Second)
	synctest.Wait()
	r.lines()
	r.began = time.Now()
}

func many(namespace string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s/%d", namespace, i))
	}
	return names
}

// peak is how many writes were in flight at a time, at most.
func (r *rig) peak() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most
}

// holding is the gate that holds up writes in a namespace, nil if there is none.
func (r *rig) holding(namespace string) *Gate {
	s := r.Inspect()
	if g := s.Of(namespace); g.Closed || g.Probing {
		return &g
	}
	return nil
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
