// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// Each test in this file checks sentences of the package's documentation about the end of a
// broadcaster, and quotes them.

// TestQuotes fails if a test in this file quotes a sentence that the documentation does not have,
// or quotes none.
func TestQuotes(t *testing.T) {
	documented := documentation(t)
	file, err := parser.ParseFile(token.NewFileSet(), "drain_test.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`"([^"]+)"`)
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == t.Name() {
			continue
		}
		quotes := quoted.FindAllStringSubmatch(oneLine(f.Doc.Text()), -1)
		if len(quotes) == 0 {
			t.Errorf("%s quotes no sentence", f.Name.Name)
		}
		for _, quote := range quotes {
			if !strings.Contains(documented, quote[1]) {
				t.Errorf("%s quotes %q, which is not in the documentation of the package", f.Name.Name, quote[1])
			}
		}
	}
}

// documentation returns the doc comments of everything that the package exports, in one line.
func documentation(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	var all strings.Builder
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		ast.Inspect(file, func(n ast.Node) bool {
			if comment, ok := n.(*ast.CommentGroup); ok {
				all.WriteString(comment.Text())
			}
			return true
		})
	}
	return oneLine(all.String())
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// "It writes the final count of every series". "Later occurrences are counted in
// Dropped[DropStopped]. The first of them is logged, and another line is logged each time their
// number doubles."
func TestDrainWritesFinalCounts(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.record(2, "web")
		r.flush()
		r.record(5, "web")
		r.record(1, "other")
		if lost := r.drain(time.Second); lost != nil {
			r.Error(lost)
		}
		r.diff("counts", map[string]int64{"web": 7, "other": 1}, r.stored(byObject))
		if s := r.b.Stats(); s.Series != 0 || s.Pending != 0 || s.Recorded != 8 {
			r.Errorf("%+v", s)
		}
		r.record(1, "web")
		r.rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "invalid, but that does not matter any more")
		r.checkLines(
			[]string{"info: ", "the broadcaster is shut down", "call Drain or Shutdown after", `reason="Killing"`, `dropped="1"`},
			[]string{`dropped="2"`})
		r.record(1000, "web")
		if lines := r.log.Take(); len(lines) != 8 || !strings.Contains(lines[7], `dropped="512"`) {
			r.Errorf("%d lines for a thousand: %q", len(lines), lines)
		}
		r.checkDropped(map[events.DropReason]int64{events.DropStopped: 1002})
	})
}

// "Drain cuts short every back-off that is in progress, so that it tries to write each pending
// series." The end of Start's context does the same, because a component may be killed before it
// calls Shutdown: "It makes every pending series due immediately, and cuts short every back-off that
// is in progress."
func TestDrainClearsGates(t *testing.T) {
	for name, err := range map[string]error{
		"of the server":    apierrors.NewTooManyRequests("APF", 600),
		"of the namespace": errForbidden,
	} {
		for _, drains := range []bool{true, false} {
			subtestUnstarted(t, fmt.Sprint(name, " by Drain: ", drains), nil, func(r *rig) {
				ctx, cancel := context.WithCancel(context.Background())
				r.start(ctx)
				other := fixture.Pod("other", "web")
				for i := range 7 { // the last five wait for their interval
					r.rec.Eventf(other, nil, "Normal", "Killing", "Kill", "")
					if i < 2 {
						synctest.Wait()
					}
				}
				r.sink.FailNext(1, err)
				r.record(1, "first")
				synctest.Wait()
				for i := range 20 {
					r.record(1, fmt.Sprint("web-", i))
				}
				synctest.Wait()
				if n := r.sink.Counts().Creates; n != 2 {
					r.Errorf("%d creates, want the gate closed by the second", n)
				}
				began := time.Now()
				if cancel(); drains {
					r.drain(5 * time.Second)
				}
				synctest.Wait()
				if s := r.b.Stats(); s.Recorded != 28 || time.Since(began) != 0 {
					r.Errorf("%d recorded after %v, want all at once", s.Recorded, time.Since(began))
				}
			})
		}
	}
}

// "Occurrences that are still not recorded after this wait are counted in Dropped[DropAbandoned],
// and Drain returns an [*AbandonedError] that wraps the error of ctx. Drain does not log this
// error."
// "Unconfirmed is the number of dropped occurrences that were sent to the server but never
// acknowledged or refused."
func TestDrainReportsWhatIsAbandoned(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.record(1, "web-0")
		r.flush()
		r.sink.Hold()
		for i := range 50 {
			r.record(2, fmt.Sprint("web-", i))
		}
		synctest.Wait()
		r.record(10, "web-0") // a patch to 3 or less is in flight
		ctx, cancel := context.WithCancel(r.Context())
		cancel()
		err := r.b.Drain(ctx)
		var lost *events.AbandonedError
		if !errors.As(err, &lost) || !errors.Is(err, context.Canceled) {
			r.Fatalf("Drain: %v", err)
		}
		if lost.Occurrences != 110 || lost.Series != 50 || lost.Stuck != 0 {
			r.Errorf("%+v, want 110 occurrences of 50 series", lost)
		}
		// Before Drain one namespace may have two of the four writes of the first window. During
		// Drain the window has room for sixteen, and the scheduler decides how many of them are
		// sent before Drain notices that its context has ended. Each write has two unconfirmed
		// occurrences, and the write of web-0 has twelve.
		const fewest, most = 2, 16
		if s := r.b.Stats(); lost.Unconfirmed < fewest || lost.Unconfirmed > (most-1)*2+12 || s.Unconfirmed != lost.Unconfirmed {
			r.Errorf("%d unconfirmed, in Stats %d, want those of %d to %d writes in flight", lost.Unconfirmed, s.Unconfirmed, fewest, most)
		}
		if n := len(r.sink.Calls()); n < 1+fewest || n > 1+most {
			r.Errorf("%d calls, want 1, and %d to %d in flight", n, fewest, most)
		}
		if one := r.drops.take()[0]; one.Reason != events.DropAbandoned || !errors.Is(one.Err, context.Canceled) {
			r.Errorf("told of %+v", one)
		}
		r.checkLines() // the loss is in the error only
	})
}

// "TopNamespaces lists the three namespaces with the greatest losses, greatest first." "Regarding is
// the object of the series with the greatest loss in the namespace." "LastError is the last failure
// of a write in the namespace".
func TestDrainNamesTheBusiest(t *testing.T) {
	unreachable := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for want, fail := range map[string]func(*server){
		errForbidden.Error(): func(f *server) { f.FailNext(-1, errForbidden) },
		unreachable.Error():  func(f *server) { f.FailNext(-1, unreachable) },
		"none":               func(f *server) { f.Hold() },
	} {
		subtest(t, want, nil, func(r *rig) {
			fail(r.sink)
			for i, namespace := range []string{"a", "b", "c", "d"} {
				for _, name := range []string{"few", "many", "many"} {
					for range i + 1 {
						r.rec.Eventf(fixture.Pod(namespace, name), nil, "Warning", "Failed", "Fail", "")
					}
				}
			}
			r.record(1, "web")
			lost := r.drain(2 * time.Second)
			var got []string
			for _, in := range lost.TopNamespaces {
				got = append(got, fmt.Sprint(in.Namespace, " ", in.Occurrences, " ", in.Regarding.Name))
			}
			r.diff("busiest", []string{"d 12 many", "c 9 many", "b 6 many"}, got)
			if lost.Occurrences != 31 || lost.Warnings != 30 || lost.TopNamespaces[0].LastError != want {
				r.Errorf("%+v, want 31 occurrences, 30 of Warnings, and %q", lost, want)
			}
		})
	}
}

// "If the broadcaster was never started, Drain writes nothing and abandons all pending
// occurrences."
func TestDrainBeforeStart(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		r.record(2, "web")
		if lost := r.drain(time.Second); lost == nil || lost.Occurrences != 2 || lost.Series != 1 || lost.Unconfirmed != 0 {
			r.Errorf("Drain: %+v, want 2 occurrences of 1 series, none sent", lost)
		}
		if err := r.b.Start(r.Context()); err == nil || !strings.Contains(err.Error(), "drained") {
			r.Errorf("Start after Drain: %v", err)
		}
		r.checkTimeline()
		if lost := fixture.Drain(r, events.NewBroadcaster(r.sink, quiet), time.Second); lost != nil {
			r.Errorf("Drain of nothing: %v", lost)
		}
	})
}

type contextKey struct{}

// "The context that is passed to the sink has the values of ctx, but does not end when ctx ends. It
// ends when the write takes longer than 30 seconds, or when the context of Drain ends." "Drain
// cancels the writes in flight and waits at most one second for them." In this test they return half
// a second later.
func TestSinkContextIsDetached(t *testing.T) {
	inBubbleUnstarted(t, nil, func(r *rig) {
		ctx, cancel := context.WithCancelCause(context.WithValue(r.Context(), contextKey{}, "value"))
		r.start(ctx)
		r.sink.around = func(got context.Context, _ string, _ *eventsv1.Event, _ answer) (*eventsv1.Event, error) {
			time.Sleep(time.Second)
			if got.Err() != nil {
				r.Errorf("the write was cancelled with Start's context: %v", context.Cause(got))
			}
			if got.Value(contextKey{}) != "value" {
				r.Error("the values of Start's context are gone")
			}
			if deadline, ok := got.Deadline(); !ok || time.Until(deadline) != 29*time.Second {
				r.Errorf("deadline %v, want that of one attempt", deadline)
			}
			<-got.Done()
			time.Sleep(time.Second / 2)
			return nil, got.Err()
		}
		r.record(3, "web")
		synctest.Wait()
		cancel(errors.New("the end"))
		began := time.Now()
		lost := r.drain(2 * time.Second)
		if took := time.Since(began); took != 2500*time.Millisecond {
			r.Errorf("Drain took %v, want its 2 s and what the sink took to return", took)
		}
		if lost == nil || lost.Stuck != 0 || lost.Occurrences != 3 || lost.Series != 1 {
			r.Errorf("Drain: %+v", lost)
		}
	})
}

// "Shutdown is Drain with a context that ends after the drain timeout ([WithDrainTimeout], 5
// seconds by default). Instead of returning an error, such as the loss of occurrences, it logs the
// error." "If neither is called within the drain timeout ([WithDrainTimeout]), the broadcaster
// drains itself, and gives up after another drain timeout." The loss is logged once.
func TestDrainTimeout(t *testing.T) {
	for name, end := range map[string]func(r *rig, cancel func()){
		"Shutdown": func(r *rig, _ func()) { r.b.Shutdown() },
		"the end of the ctx": func(r *rig, cancel func()) {
			cancel()
			time.Sleep(9*time.Second - 1)
			r.checkDropped(nil) // the broadcaster still waits for a Shutdown
			time.Sleep(9*time.Second + 1)
		},
	} {
		subtestUnstarted(t, name, options{events.WithDrainTimeout(9 * time.Second)}, func(r *rig) {
			r.sink.Hold()
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			r.start(ctx)
			r.record(2, "web")
			synctest.Wait()
			began := time.Now()
			end(r, cancel)
			synctest.Wait()
			if took := time.Since(began); took > 18*time.Second {
				r.Errorf("took %v", took)
			}
			r.b.Shutdown() // as a deferred call would do
			r.checkLines([]string{"error: Events were lost", "2 occurrences of 1 series"})
			r.checkDropped(map[events.DropReason]int64{events.DropAbandoned: 2})
		})
	}
}

const stopTimeout = 5 * time.Second // the default of WithDrainTimeout

// "Suppose that a program calls Start(ctx), defers Shutdown, and works until ctx ends. It loses only
// what the server and the rate limit of the client do not take within the drain timeout".
func TestEndOfTheContextLosesNothing(t *testing.T) {
	for name, begin := range map[string]func(*events.Broadcaster, context.Context) error{
		"Start": (*events.Broadcaster).Start,
		"StartRecordingToSink": func(b *events.Broadcaster, ctx context.Context) error {
			b.StartRecordingToSink(ctx.Done())
			return nil
		},
	} {
		subtestUnstarted(t, name, nil, func(r *rig) {
			ctx, cancel := context.WithCancel(context.Background())
			if err := begin(r.b, ctx); err != nil {
				r.Fatal(err)
			}
			r.say("Working", "")
			cancel()
			r.say("Stopping", "")
			time.Sleep(stopTimeout - time.Second)
			r.say("Stopped", "")
			r.b.Shutdown()
			r.diff("Events", map[string]int64{"Working": 1, "Stopping": 1, "Stopped": 1}, r.stored(byReason))
			r.checkDropped(nil)
			r.checkLines()
		})
	}
}

// I6: "there are none before Start or the first watcher, except while Flush runs, and none after
// Drain or Shutdown has returned, except in sinks and handlers that do not return, which are
// reported." An answer that comes later changes no account.
func TestI6StuckSinkIsReported(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		synctest.Wait() // a goroutine that was started may not run yet
		before, release := len(goroutines()), make(chan struct{})
		r.sink.around = func(context.Context, string, *eventsv1.Event, answer) (*eventsv1.Event, error) {
			<-release
			return nil, nil
		}
		if _, err := r.b.StartEventWatcher(func(runtime.Object) { <-release }); err != nil {
			r.Fatal(err)
		}
		r.record(3, "web")
		synctest.Wait()
		began := time.Now()
		lost := r.drain(10 * time.Second)
		if lost == nil || lost.Stuck != 2 || lost.Occurrences != 3 || time.Since(began) != 11*time.Second {
			r.Errorf("Drain: %+v after %v, want 2 stuck goroutines, 3 occurrences, and 11 s", lost, time.Since(began))
		}
		synctest.Wait() // a goroutine that Drain has awaited may not have left the scheduler yet
		if n := len(goroutines()); n != before-2+2 {
			r.Errorf("%d goroutines, %d before, want the stuck ones in place of the broadcaster's", n, before)
		}
		close(release)
		synctest.Wait()
		if s := r.b.Stats(); s.Recorded != 0 || s.Pending != 0 {
			r.Errorf("an answer after Drain changed the accounts: %+v", s)
		}
	})
}

// I6: "there are none before Start or the first watcher, except while Flush runs, and none after
// Drain or Shutdown has returned", in whatever order, and also when a stop channel is never
// closed. "If neither method is called within [WithDrainTimeout], the broadcaster drains by itself,
// and its goroutines are gone after twice that time and a second". Each order has one occurrence
// pending when it begins, and the server may or may not answer.
func TestI6EveryStopOrderIsLeakFree(t *testing.T) {
	type stage struct {
		*rig
		ctx    context.Context
		cancel context.CancelFunc
	}
	begin := func(s *stage) { s.start(s.ctx); synctest.Wait() }
	drained := func(s *stage) { s.drain(time.Second) }
	timeOut := func() { time.Sleep(2*stopTimeout + time.Second) }
	watcher := func(s *stage) func() { return s.b.StartStructuredLogging(0) }
	for name, order := range map[string]func(s *stage){
		"never started":         func(*stage) {},
		"only shut down":        func(s *stage) { s.b.Shutdown() },
		"started, shut down":    func(s *stage) { begin(s); s.b.Shutdown() },
		"drained twice":         func(s *stage) { begin(s); drained(s); drained(s) },
		"drained with no time":  func(s *stage) { begin(s); s.drain(0) },
		"drained before start":  func(s *stage) { drained(s); _ = s.b.Start(s.ctx) },
		"drained by the ctx":    func(s *stage) { begin(s); s.cancel(); timeOut() },
		"ctx, then shut down":   func(s *stage) { begin(s); s.cancel(); s.b.Shutdown() },
		"started with dead ctx": func(s *stage) { s.cancel(); begin(s); timeOut() },
		"a stop channel that is never closed": func(s *stage) {
			s.b.StartRecordingToSink(make(chan struct{}))
			s.b.Shutdown()
		},
		"a nil stop channel": func(s *stage) { s.b.StartRecordingToSink(nil); s.b.Shutdown() },
		"a stop channel":     func(s *stage) { s.b.StartRecordingToSink(s.ctx.Done()); s.cancel(); timeOut() },
		"started twice": func(s *stage) {
			begin(s)
			if s.b.StartRecordingToSinkWithContext(s.ctx) == nil {
				s.Error("the second start did not fail")
			}
			s.b.Shutdown()
		},
		"only a watcher":            func(s *stage) { watcher(s); s.b.Shutdown() },
		"a watcher, stopped twice":  func(s *stage) { stop := watcher(s); stop(); stop() },
		"a watcher, stopped late":   func(s *stage) { stop := watcher(s); begin(s); s.b.Shutdown(); stop() },
		"a watcher, ended by ctx":   func(s *stage) { watcher(s); begin(s); s.cancel(); timeOut() },
		"a watcher after the drain": func(s *stage) { s.b.Shutdown(); watcher(s)() },
	} {
		for _, answers := range []bool{true, false} {
			subtestUnstarted(t, name+map[bool]string{true: ", server up", false: ", server hangs"}[answers], nil, func(r *rig) {
				if !answers {
					r.sink.Hold()
				}
				before := len(goroutines())
				s := &stage{rig: r}
				s.ctx, s.cancel = context.WithCancel(context.Background())
				defer s.cancel()
				r.record(1, "web")
				if n := len(goroutines()); n != before {
					r.Errorf("%d goroutines before Start, want %d", n, before)
				}
				order(s)
				synctest.Wait()
				if left := goroutines(); len(left) != before {
					r.Errorf("%d goroutines, want %d:\n%s", len(left), before, strings.Join(left, "\n\n"))
				}
			})
		}
	}
}
