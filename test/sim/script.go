// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Script describes one run: its components and its steps. It does not change during the run, so
// that it can be shortened and run again.
type Script struct {
	Seed   uint64
	Config Config
	Steps  []Step
}

// Step is one step of a script. Its act defines the meaning of Args, which are small numbers. They
// are taken modulo the number of components, namespaces and so on, so that every list of steps is a
// valid script.
type Step struct {
	Act  int
	Args []int
}

// act is a kind of step.
type act struct {
	name string
	// weight is proportional to the probability of the act.
	weight int
	args   []arg
	do     func(w *world, args []int)
}

// arg is an argument of a step, with its name and a function that draws a random value.
type arg struct {
	name string
	draw func(*rand.Rand) int
}

func below(n int) func(*rand.Rand) int { return func(r *rand.Rand) int { return r.IntN(n) } }

func among(values ...int) func(*rand.Rand) int {
	return func(r *rand.Rand) int { return values[r.IntN(len(values))] }
}

// either draws from one of several ranges.
func either(draws ...func(*rand.Rand) int) func(*rand.Rand) int {
	return func(r *rand.Rand) int { return draws[r.IntN(len(draws))](r) }
}

// minSteps and maxSteps bound a script's length.
const minSteps, maxSteps = 20, 120

// Generate returns the script of a seed. Each seed omits some acts and uses others more often, because some bugs show
// only if an act is absent.
func Generate(seed uint64) Script {
	random := rand.New(rand.NewPCG(seed, 1))
	s := Script{Seed: seed, Config: generateConfig(random)}
	weights := make([]int, len(acts))
	for i, a := range acts {
		weights[i] = a.weight * among(0, 1, 1, 3)(random)
	}
	weights[emitAct] = max(weights[emitAct], acts[emitAct].weight)
	weights[waitAct] = max(weights[waitAct], acts[waitAct].weight)
	if random.IntN(100) == 0 {
		s.flood()
	}
	if random.IntN(8) == 0 {
		s.overload(random)
	}
	if random.IntN(60) == 0 {
		s.loop(random)
	}
	for range minSteps + random.IntN(maxSteps-minSteps+1) {
		s.Steps = append(s.Steps, generateStep(random, weights))
	}
	return s
}

// flood adds steps in which package legacy records more occurrences than its queue takes, while the
// server does not answer.
func (s *Script) flood() {
	s.Config.Components[0].Shape, s.Config.Components[0].Early = viaLegacy, true
	s.Steps = append(s.Steps,
		Step{Act: faultsAct, Args: []int{int(unanswered), 0, 0, 0, 100, 0, 0, 0, 0}},
		Step{Act: emitAct, Args: []int{0, 0, queueSize + 100, 3, 0, 0, 0}})
}

// loop adds a hot loop in one series. Some answers to its writes are lost, late or contradictory.
func (s *Script) loop(random *rand.Rand) {
	s.Config.Components[0].Early = true
	kind := among(int(noFault), int(lossy), int(slow), int(contradictory))(random)
	step := Step{Act: loopAct}
	for _, a := range acts[loopAct].args {
		step.Args = append(step.Args, a.draw(random))
	}
	// The first component.
	step.Args[0] = 0
	s.Steps = append(s.Steps,
		Step{Act: emitAct, Args: []int{0, step.Args[1], 1, 1, step.Args[3], 0, 0}},
		Step{Act: faultsAct, Args: []int{kind, 0, 0, 0, 30, 20, 0, 0, random.IntN(1 << 16)}},
		step)
}

func generateStep(random *rand.Rand, weights []int) Step {
	total := 0
	for _, weight := range weights {
		total += weight
	}
	at := random.IntN(total)
	step := Step{}
	for i, weight := range weights {
		if at -= weight; at < 0 {
			step.Act = i
			break
		}
	}
	for _, a := range acts[step.Act].args {
		step.Args = append(step.Args, a.draw(random))
	}
	return step
}

// String describes the step in one line.
func (s Step) String() string {
	var b strings.Builder
	b.WriteString(acts[s.Act].name)
	for i, a := range acts[s.Act].args {
		fmt.Fprintf(&b, " %s=%d", a.name, s.Args[i])
	}
	return b.String()
}

// String returns a line for each step.
func (s Script) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d\n%s", s.Seed, s.Config)
	for i, step := range s.Steps {
		fmt.Fprintf(&b, "%3d  %s\n", i, step)
	}
	return b.String()
}
