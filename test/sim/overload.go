// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"time"

	"github.com/eventseries/eventseries/adapter"
)

const (
	// tenants is the number of namespaces of the objects from tenantObject on. No other objects are
	// there.
	tenants = 12
	// overloadObject and tenantObject are the first objects of overload.
	overloadObject = 1000 * tenants
	tenantObject   = overloadObject << 16
)

// overload makes a component record more Events than it can write to a healthy server. With each
// write the component records one more Warning, and fewer Events of less urgent classes.
// checkFairness checks each write.
func (w *world) overload(args []int) {
	c, policy := w.slot(args[0]), w.policy
	if !c.started || c.ending {
		return
	}
	w.endFaults()
	w.pass(calmAfter)
	w.coverage.add("overload", c.config.Shape.String())
	random := rand.New(rand.NewPCG(w.script.Seed, uint64(args[3])))
	first, width := overloadObject, 1+args[2]%len(namespaces)
	if args[2] >= len(namespaces) {
		first, width = tenantObject, tenants
	}
	var known []int
	recordNew := func(happening int) {
		known = append(known, first+tenants*w.emitted+random.IntN(width))
		w.record(c, known[len(known)-1], happening, plain)
	}
	recordAgain := func(i int) { w.record(c, known[i], 1, plain) }
	for seen, end := c.fairness.writes, c.fairness.writes+args[1]; seen < end && len(w.violations) == 0; seen++ {
		if seen >= c.fairness.writes {
			w.passUntil(time.Now().Add(time.Second), func() bool { return c.fairness.writes > seen })
		}
		// The happening 1 is a Warning.
		recordNew(1)
		switch random.IntN(8) {
		case 0, 1:
			recordNew(0)
		case 2, 3:
			recordAgain(random.IntN(len(known)))
		case 4:
			recordAgain(0)
		}
	}
	w.policy = policy
}

// overload adds a step of overload for the first component. It removes the options of the component
// under which checkFairness does not hold.
func (s *Script) overload(random *rand.Rand) {
	c := &s.Config.Components[0]
	c.Early, c.MaxSeries, c.Limit, c.QPS = true, 0, 0, among(0, 1, 10)(random)
	c.Refresh = time.Duration(among(0, 5, 20)(random)) * time.Second
	if c.Shape == viaAdapter && c.Mode == adapter.ModeAuto {
		// In ModeAuto there would be a second writer while events.k8s.io/v1 is not served.
		c.Mode = adapter.ModeCoreV1
	}
	step := Step{Act: overloadAct}
	for _, a := range acts[overloadAct].args {
		step.Args = append(step.Args, a.draw(random))
	}
	// The first component.
	step.Args[0] = 0
	s.Steps = append(s.Steps, step)
}
