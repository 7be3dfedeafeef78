// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"fmt"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
)

// Scenario is what every contender that takes part has to do.
type Scenario struct {
	Name       string // as in a benchmark's name
	Contenders []string
	config     contender.Config
	run        func(c *contender.Contender, ops int, s *Sample)
	ops        func(name string) int
}

// Take measures one contender in this process, with a scale of the usual
// number of occurrences.
func (sc *Scenario) Take(name string, scale float64) (*Sample, error) {
	c, err := contender.New(name, sc.config)
	if err != nil {
		return nil, err
	}
	defer c.Stop()
	s := &Sample{Scenario: sc.Name, Contender: name, Ops: max(1, int(float64(sc.ops(name))*scale))}
	sc.run(c, s.Ops, s)
	return s, nil
}

// Scenarios lists what is measured.
func Scenarios() []Scenario {
	var all []Scenario
	for _, group := range [][]Scenario{repeats(), distinct(), pairs(), memory(), backlog(), logging(), paths(), growth()} {
		all = append(all, group...)
	}
	return all
}

// Find returns the scenario of a name.
func Find(name string) (*Scenario, error) {
	for _, sc := range Scenarios() {
		if sc.Name == name {
			return &sc, nil
		}
	}
	return nil, fmt.Errorf("no scenario %q", name)
}
