// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"time"
)

// The indices of the acts that the code names.
const (
	emitAct = iota
	waitAct
	faultsAct
	overloadAct
	loopAct
)

// Arguments of several acts. The value 0 of anyone and anywhere means all, and i+1 means the i-th.
var (
	who      = arg{"component", below(12)}
	anyone   = arg{"component", either(among(0), below(4))}
	anywhere = arg{"namespace", either(among(0), below(len(namespaces)+1))}
	timeout  = arg{"ms", either(among(0, 1), below(1000), below(60_000), below(600_000))}
)

// Other arguments of several acts.
var (
	number    = arg{"n", either(among(1, 2), below(30), below(30), below(120))}
	happening = arg{"happening", below(len(happenings))}
	failure   = arg{"failure", either(below(len(failures)), among(int(policy)))}
	place     = arg{"namespace", below(len(namespaces))}
)

// acts are the kinds of steps.
var acts = []act{
	{"emit", 25, []arg{
		who, {"object", either(below(4), below(4), below(40))}, number,
		{"width", either(among(1), among(1), below(100))}, happening,
		{"style", either(among(0), below(int(noObject)), below(int(styles)))},
		{"gap", either(among(0), below(3), below(15))},
	}, (*world).emit},
	{"wait", 20, []arg{
		{"ms", either(below(1000), below(60_000), below(60_000), below(900_000), below(7_200_000))},
	}, (*world).wait},
	{"faults", 15, []arg{
		{"kind", either(among(0), below(int(faultKinds)))}, anyone, anywhere, {"group", among(0, 0, 0, 1, 2)},
		{"percent", among(100, 50, 50, 20)}, {"ms", either(below(50), below(500), below(50_000))},
		failure, {"retryAfter", below(33)}, {"seed", below(1 << 16)},
	}, (*world).changeFaults},
	{"overload", 1, []arg{
		who, {"writes", among(100, 200, 400)}, {"width", among(0, 1, 2, 3, 4)}, {"seed", below(1 << 16)},
	}, (*world).overload},
	// It takes a second of real time, so Generate adds it to few scripts.
	{"loop", 0, []arg{
		who, {"object", below(4)}, {"n", among(12_000, 20_000)}, happening,
	}, (*world).hotLoop},
	{"repeater", 15, []arg{
		who, {"object", below(8)}, {"n", below(200)}, {"every", among(1, 1, 5, 20, 60, 300)}, happening,
		{"style", either(among(0), below(int(noObject)))},
	}, (*world).startRepeater},
	{"answer", 6, []arg{{"index", below(8)}, {"how", below(4)}, failure}, (*world).answerOne},
	{"namespace", 4, []arg{place, {"state", below(3)}}, (*world).changeNamespace},
	{"grant", 5, []arg{
		anyone, anywhere, {"group", below(2)}, {"verb", below(3)}, {"allow", among(0, 1, 1)},
	}, (*world).grant},
	{"reviews", 1, []arg{{"fail", below(2)}}, (*world).changeReviews},
	{"serve", 3, []arg{{"how", among(0, 0, 1, 2, 3)}}, (*world).serve},
	{"ttl", 1, []arg{{"s", among(10, 60, 600, 3600)}}, (*world).changeTTL},
	{"annotate", 8, []arg{{"event", below(40)}}, (*world).annotate},
	{"delete", 4, []arg{{"event", below(40)}}, (*world).deleteOne},
	{"forge", 3, []arg{{"event", below(40)}, {"how", below(6)}}, (*world).forge},
	{"flush", 6, []arg{who, timeout}, (*world).flush},
	{"drain", 1, []arg{who, timeout}, (*world).drain},
	{"cancel", 1, []arg{who}, (*world).cancel},
	{"shutdown", 1, []arg{who}, (*world).shutdown},
	{"start", 8, []arg{who}, (*world).start},
	{"watch", 2, []arg{who}, (*world).watch},
	{"isolate", 2, []arg{place, {"how", below(len(namespaceFaults))}, {"seed", below(1 << 16)}}, (*world).isolate},
	{"uneven", 1, []arg{place, {"seed", below(1 << 16)}}, (*world).makeUneven},
	{"poison", 2, []arg{place, {"n", among(1, 3, 10, 100)}, {"seed", below(1 << 16)}}, (*world).poison},
	{"select", 2, []arg{who, {"selector", below(len(selectors))}}, (*world).selectBy},
}

func (w *world) slot(i int) *component { return w.slots[i%len(w.slots)] }

func (w *world) wait(args []int) { w.pass(milliseconds(args[0]) + time.Nanosecond) }

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func (w *world) answerOne(args []int) {
	waiting := w.server.waitingRequests()
	if len(waiting) == 0 {
		return
	}
	r := waiting[args[0]%len(waiting)]
	by := faults{
		kind: []faultKind{noFault, lossy, failing, closed}[args[1]%4], scope: everything, percent: 100,
		failure: Failure(args[2] % len(failures)), latency: w.faults.latency, random: w.faults.random,
	}
	plan := by.plan(r, time.Now())
	plan.due, plan.late = time.Now(), r.plan.late
	r.plan = &plan
	w.answer(r)
}

func (w *world) changeNamespace(args []int) {
	if i := args[0] % len(namespaces); i > 0 {
		w.inactive = true
		w.server.setNamespace(namespaces[i], namespaceState(args[1]%3))
	}
}

// grant removes permissions, or grants all of them again.
func (w *world) grant(args []int) {
	for _, c := range w.slots {
		if only := w.oneOf(args[0]); only != "" && only != c.name {
			continue
		}
		if args[4]%2 == 1 {
			w.allowAll(c)
			continue
		}
		for i, verb := range []string{"create", "patch"} {
			// The value 2 removes both verbs.
			if args[3]%3 != i {
				w.server.decide(false, c.name, namespaceOf(args[1]), groups[args[2]%2], verb)
			}
		}
	}
}

func (w *world) allowAll(c *component) {
	for _, group := range groups {
		w.server.decide(true, c.name, "", group, "create")
		w.server.decide(true, c.name, "", group, "patch")
	}
}

// groups are the API groups of events.
var groups = []string{eventsGroup, ""}

const eventsGroup = "events.k8s.io"

// oneOf returns the name of a component, or "" for all components.
func (w *world) oneOf(i int) string {
	if i == 0 {
		return ""
	}
	return w.slot(i - 1).name
}

// namespaceOf returns the name of a namespace, or "" for all namespaces.
func namespaceOf(i int) string {
	if i == 0 {
		return ""
	}
	return namespaces[(i-1)%len(namespaces)]
}

func (w *world) changeReviews(args []int) {
	w.server.set(func() { w.server.reviewsFail = args[0]%2 == 1 })
}

func (w *world) serve(args []int) { w.server.serve(serving(args[0] % 4)) }

func (w *world) changeTTL(args []int) { w.server.setTTL(time.Duration(args[0]) * time.Second) }

func (w *world) annotate(args []int) { w.server.annotate(args[0]) }

// deleteOne deletes an event as another client.
func (w *world) deleteOne(args []int) { w.server.deleteOne(args[0]) }

// forge makes an event as another client does, under a name that a component may use next.
func (w *world) forge(args []int) {
	if w.server.forge(args[0], args[1]) {
		w.coverage.add("shared counts", fmt.Sprint("forged ", args[1]%6))
	}
}

func (w *world) flush(args []int) { w.beginFlush(w.slot(args[0]), milliseconds(args[1])) }

func (w *world) drain(args []int) { w.beginDrain(w.slot(args[0]), milliseconds(args[1])) }

func (w *world) shutdown(args []int) { w.beginShutdown(w.slot(args[0])) }

// cancel ends the context of Start, if Start was called.
func (w *world) cancel(args []int) {
	c := w.slot(args[0])
	if !c.started {
		return
	}
	c.cancel()
	c.endBy(2 * c.config.drainTimeout())
}

// start starts a component, starts it a second time, or replaces one that has ended.
func (w *world) start(args []int) {
	c := w.slot(args[0])
	if c.over {
		w.newProcess(args[0] % len(w.slots))
		c = w.slot(args[0])
		if c.started {
			return
		}
	}
	w.startComponent(c)
}

func (w *world) startComponent(c *component) {
	err := c.start(c.ctx)
	if first := !c.started && !c.ending; first != (err == nil) {
		w.fail("Start of %s (started %v, ending %v): %v", c.name, c.started, c.ending, err)
	}
	c.started = c.started || err == nil
}

func (w *world) watch(args []int) {
	c := w.slot(args[0])
	switch {
	case c.watch == nil:
	case c.watching != nil:
		c.watching()
		c.watching = nil
	default:
		stop, err := c.watch()
		if err != nil && !c.ending || err == nil && c.over {
			w.fail("a watcher of %s (ending %v, over %v): %v", c.name, c.ending, c.over, err)
		}
		c.watching = stop
	}
}
