// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"fmt"
	"os"

	"github.com/eventseries/eventseries/events"
)

// Inspection is a copy of what an adapter holds, for a person who looks for a fault.
// Package debug shows it. Fields may be added.
type Inspection struct {
	// Status says which API is in use and why, Mode what WithMode or EVENTSERIES_API
	// asked for.
	Status Status
	Mode   API
	// Stats are the accounts.
	Stats events.Stats
	// Series is what waits, and what occurs most.
	Series events.Inspection
	// Settings are the adapter's own options.
	Settings []events.Setting
}

// Inspect returns what the adapter holds: at most n series of each kind, n objects and n
// namespaces. It sends no request. Its cost grows with the number of series, as that of
// Stats.
func (a *Adapter) Inspect(n int) Inspection {
	i := Inspection{Mode: a.config.mode, Series: a.engine.Inspect(n), Settings: a.settings()}
	i.Stats = i.Series.Stats
	i.Status = a.status(&i.Stats)
	return i
}

// Inspect is [Adapter.Inspect].
func (b *RecordBroadcaster) Inspect(n int) Inspection { return b.adapter.Inspect(n) }

// settings lists the options and the variables that win over them, but for the clock, the
// logger, the context and the scheme.
func (a *Adapter) settings() (list []events.Setting) {
	add := func(option string, value, byDefault any) {
		list = append(list, events.Setting{Option: option, Value: fmt.Sprint(value), Default: fmt.Sprint(byDefault)})
	}
	add("WithMode", a.config.mode, Auto)
	add("WithSink", len(a.config.sinks) > 0, false)
	add("WithClusterFromContext", a.config.clusterFrom != nil, false)
	add("WithSelector", a.selector.Load(), "")
	add("WithCorrelatorOptions", a.correlator.Tuned(), false)
	for _, variable := range []string{Environment, EnvironmentSelector} {
		add(variable, os.Getenv(variable), "")
	}
	return list
}
