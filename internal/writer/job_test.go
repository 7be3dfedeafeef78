// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// Who waits longest is next.
func TestWriterServerGateClosesAllNamespaces(t *testing.T) {
	// No two answers come at the same time.
	answer := func(v request.Verdict, next ...request.Class) func(*item) (request.Verdict, request.Class) {
		return func(i *item) (request.Verdict, request.Class) {
			return slowly(time.Millisecond+time.Duration(i.name[0]-'a')*time.Microsecond, v, next...)(i)
		}
	}
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answer(unreachable, request.FirstNormal))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1", "d/1", "e/1", "f/1")
		r.check(t, "@0s a/1", "@0s b/1", "@0s c/1", "@0s d/1")
		r.after(2 * time.Millisecond)
		r.add(request.FirstNormal, "g/1")
		// One write at a time, ever further apart.
		r.after(4 * time.Second)
		r.check(t, "@251ms e/1", "@752.004ms f/1", "@1.753009s a/1", "@3.754009s b/1")
		r.serve(answer(settled))
		r.after(time.Minute)
		r.check(t, "@7.75501s c/1",
			"@7.756012s d/1", "@7.756012s e/1", "@7.756012s f/1", "@7.756012s g/1", "@7.757015s a/1", "@7.757016s b/1")
	})
}

// A probe that is not answered within a second is as one that failed.
//
// Caught: a probe that holds up all others for as long as it takes; one that opens the way when it is late.
func TestWriterSendsOneProbeAtATime(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Server, time.Second, false), request.FirstNormal))
		r.add(request.FirstNormal, "a/1")
		r.check(t, "@0s a/1")
		r.add(request.FirstNormal, names("b", 9)...)
		r.add(request.FirstNormal, "c/1", "d/1")
		r.serve(slowly(10*time.Second, unreachable, request.FirstNormal))
		r.after(10 * time.Second)
		r.check(t, "@1s a/1", "@2.5s b/0", "@4.5s c/1", "@7.5s d/1")
	})
}

func TestWriterNamespaceGateLeavesOthersAlone(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"bad": answering(request.Verdict{Action: request.Forbidden, Gate: request.Namespace}, request.FirstNormal),
		}))
		r.add(request.FirstNormal, "bad/1")
		r.check(t, "@0s bad/1")
		r.add(request.FirstNormal, "bad/2", "good/1")
		r.add(request.Count, "bad/3", "good/2")
		r.check(t, "@0s good/1", "@0s good/2")
		r.after(2 * time.Second)
		r.check(t, "@250ms bad/2", "@750ms bad/3", "@1.75s bad/1")
	})
}

func TestWriterFailingNamespaceDoesNotDelayAnother(t *testing.T) {
	for _, workers := range []int{2, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			inBubble(t, workers, func(t *testing.T, r *rig) {
				r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
					"slow": slowly(30*time.Second, timedOut, request.FirstNormal),
				}))
				r.add(request.FirstNormal, names("slow", 50)...)
				for i := range 100 {
					r.after(time.Duration(i) * time.Second)
					r.takeLog()
					r.add(request.FirstNormal, "good/1")
					r.check(t, fmt.Sprintf("@%v good/1", time.Duration(i)*time.Second))
				}
				r.mu.Lock()
				defer r.mu.Unlock()
				if got, want := r.peak["slow"], workers-1; got != want {
					t.Errorf("the namespace holds %d workers, want %d", got, want)
				}
			})
		})
	}
}

func TestWriterAloneStillWrites(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.add(request.FirstNormal, "a/1")
		r.check(t, "@0s a/1")
	})
}

// A server under pressure refuses different namespaces: the others are tried one at a
// time, a second apart at most, until one is answered.
//
// Caught: a gate that one namespace closes alone; one that stays closed after a good answer; one that waits half a
// minute; namespaces that are not asked because others were told to wait.
func TestWriterTwoNamespacesRefusedPaceTheOthers(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(slowly(time.Millisecond, retryIn(request.Shared, time.Minute, false), request.FirstNormal))
		r.add(request.FirstNormal, "a/1")
		r.after(time.Second)
		r.check(t, "@0s a/1")
		r.checkPressure(t, false)
		r.add(request.FirstNormal, "b/1")
		r.after(1010 * time.Millisecond)
		r.add(request.FirstNormal, "c/1", "d/1", "e/1", "f/1", "g/1", "h/1")
		r.after(4 * time.Second)
		r.check(t, "@1s b/1", "@1.251s c/1", "@1.752s d/1", "@2.753s e/1", "@3.754s f/1")
		r.serve(slowly(time.Millisecond, settled))
		r.after(5 * time.Second)
		r.check(t, "@4.755s g/1", "@4.756s h/1")
		r.after(2 * time.Minute)
		r.check(t, "@1m0.001s a/1", "@1m1.001s b/1", "@1m1.252s c/1", "@1m1.753s d/1", "@1m2.754s e/1", "@1m3.755s f/1")
		r.checkServerClosed(t, false)
	})
}

// Answers of any other kind in between, or the same namespace again, are not the server's pressure.
func TestWriterOneNamespaceRefusedClosesNothingElse(t *testing.T) {
	for name, between := range map[string]request.Verdict{
		"an answer": settled, "a refusal": {Action: request.Forbidden, Gate: request.Namespace},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 1, func(t *testing.T, r *rig) {
				r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
					"a": answering(busy, request.FirstNormal), "b": answering(between), "c": answering(busy, request.FirstNormal),
				}))
				r.add(request.FirstNormal, "a/1", "b/1", "c/1")
				r.check(t, "@0s a/1", "@0s b/1", "@0s c/1")
				r.checkPressure(t, false)
			})
		})
	}
}

// What is known to fail says nothing new about the server, however many they are.
//
// Caught: blame by queues that have failed before.
func TestWriterSuspectsCloseNothingElse(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"a": answering(busy, request.FirstNormal), "b": answering(busy, request.FirstNormal), "c": answering(busy, request.FirstNormal),
		}))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		r.after(time.Second)
		// Falling ill at once they may have closed the gate. A good answer opens it, after a second at most.
		r.add(request.FirstNormal, "good/1")
		r.after(3 * time.Second)
		for i := range 100 {
			at := 3*time.Second + time.Duration(i)*time.Second
			r.after(at)
			r.takeLog()
			r.checkPressure(t, false)
			r.add(request.FirstNormal, "good/1")
			r.check(t, fmt.Sprintf("@%v good/1", at))
		}
	})
}

// A timeout is the namespace's own: its webhook hangs.
func TestWriterTimeoutsCloseNothingElse(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(timedOut, request.FirstNormal))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		r.check(t, "@0s a/1", "@0s b/1", "@0s c/1")
		r.checkServerClosed(t, false)
		r.checkPressure(t, false)
	})
}

// A sink that filters does not tell whether the server behind it is up.
func TestWriterFilteredOpensNothing(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"a": answering(unreachable, request.FirstNormal), "filtered": answering(filtered),
		}))
		r.add(request.FirstNormal, "a/1")
		for i := range 100 {
			r.after(time.Duration(i) * 100 * time.Millisecond)
			r.add(request.FirstNormal, "filtered/1")
		}
		r.after(16 * time.Second)
		if got, want := countOf(r.takeLog(), "a/1"), 7; got != want {
			t.Errorf("%d requests to a server that is down, want %d", got, want)
		}
	})
}

// A probe that is cut off found no server, whatever namespace it was for.
func TestWriterUnansweredProbeDoublesTheServersWait(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(unreachable, request.FirstNormal))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		synctest.Wait()
		r.serve(answering(request.NoAnswer, request.FirstNormal))
		r.after(2 * time.Second)
		r.check(t, "@0s a/1", "@250ms b/1", "@750ms c/1", "@1.75s a/1")
	})
}

func TestWriterAnsweredProbeOpensTheServer(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(unreachable, request.FirstNormal))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		synctest.Wait()
		r.serve(answering(request.Verdict{Action: request.Forbidden, Gate: request.Namespace}, request.FirstNormal))
		r.after(400 * time.Millisecond)
		r.check(t, "@0s a/1", "@250ms b/1", "@250ms c/1", "@250ms a/1")
	})
}

// The server has asked to wait, and then answers well what it had taken in before.
// Caught: job.done opens the gate after any good answer.
func TestWriterKeepsWaitingWhileOthersSucceed(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"a": slowly(time.Millisecond, retryIn(request.Server, time.Second, false)),
			"b": slowly(2*time.Millisecond, settled),
		}))
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		r.after(2 * time.Second)
		r.check(t, "@0s a/1", "@0s b/1", "@1.001s c/1")
	})
}

func TestWriterSkippedProbeMakesWayForAnother(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(answering(unreachable, request.FirstNormal))
		r.add(request.FirstNormal, "a/1")
		synctest.Wait()
		r.add(request.FirstNormal, "b/1", "c/1")
		r.serve(byNamespace(map[string]func(*item) (request.Verdict, request.Class){
			"a": answering(request.Verdict{Action: request.Skip}), "b": answering(request.Verdict{Action: request.Skip}),
			"c": answering(unreachable, request.FirstNormal),
		}))
		r.after(700 * time.Millisecond)
		r.check(t, "@0s a/1", "@250ms a/1", "@250ms b/1", "@250ms c/1")
	})
}

func TestWriterTerminatingNamespaceTakesPatchesOnly(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(func(i *item) (request.Verdict, request.Class) {
			time.Sleep(time.Millisecond)
			if i.name[3] == 'c' {
				return terminating, request.NoWrite
			}
			return settled, request.NoWrite
		})
		r.add(request.FirstNormal, "ns/c1", "ns/c2", "ns/c3", "on/1")
		r.add(request.Count, "ns/p1")
		r.after(time.Second)
		r.check(t, "@0s ns/c1", "@1ms on/1", "@2ms ns/p1")
		r.checkRefused(t, "ns/c2 NamespaceGone", "ns/c3 NamespaceGone")

		r.add(request.FirstNormal, "ns/c4", "ns/c5")
		r.add(request.Count, "ns/p2")
		r.after(59 * time.Second)
		r.check(t, "@1s ns/p2")
		r.after(61 * time.Second)
		r.check(t, "@1m0.001s ns/c4") // still terminating
		r.checkRefused(t, "ns/c5 NamespaceGone")

		r.add(request.FirstNormal, "ns/new1", "ns/new2") // somebody made it again
		r.after(5 * time.Minute)
		r.check(t, "@2m0.002s ns/new1", "@2m0.003s ns/new2")
		r.checkRefused(t)
		r.checkWaiting(t, 0)
	})
}

// Of several workers one asks whether the namespace takes creates again; when it
// does they all go.
func TestWriterTerminatingNamespaceIsAskedOnce(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answering(terminating))
		r.add(request.FirstNormal, "ns/1")
		synctest.Wait()
		r.serve(slowly(time.Second, settled))
		r.add(request.FirstNormal, "ns/2", "ns/3", "ns/4")
		r.after(2 * time.Minute)
		r.check(t, "@0s ns/1", "@1m0s ns/2", "@1m1s ns/3", "@1m1s ns/4")
	})
}

// That it answers so is an answer: the namespace's other gate opens.
func TestWriterTerminatingNamespaceAnswers(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(timedOut))
		r.add(request.FirstNormal, "ns/1")
		synctest.Wait()
		r.serve(answering(terminating))
		r.add(request.FirstNormal, "ns/2")
		r.after(time.Second)
		r.check(t, "@0s ns/1", "@250ms ns/2")
		r.look(func() {
			if r.queues["ns"].all.closed() {
				t.Error("the gate of the whole namespace is closed")
			}
		})
	})
}

// countOf counts the requests for one item.
func countOf(log []string, name string) (n int) {
	for _, line := range log {
		if strings.HasSuffix(line, " "+name) {
			n++
		}
	}
	return n
}
