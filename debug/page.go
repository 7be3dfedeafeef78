// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
)

// page is what is shown, and the JSON as it is. Texts in it are clean: they come from the
// component, from names of objects and from the API server. The methods of page, in
// other files, are for the HTML only.
type page struct {
	Program    program   `json:"program"`
	Time       time.Time `json:"time"`
	Began      time.Time `json:"began"`
	API        api       `json:"api"`
	Accounts   accounts  `json:"accounts"`
	Selector   selected  `json:"selector"`
	Namespaces denied    `json:"namespaces"`
	Series     held      `json:"series"`
	Settings   []setting `json:"settings"`
}

// program is what runs. /statusz of Kubernetes' components says the same of them.
type program struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Go      string `json:"go"`
	SDK     string `json:"sdk"`
}

// thisProgram reads the versions from the build information of the running program.
func thisProgram() program {
	p := program{Name: filepath.Base(os.Args[0]), Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		p.Version = info.Main.Version
	}
	return p
}

// api says which API takes Events, and why.
type api struct {
	// Use is where new Events go, and Why the reason in words. Mode is what was asked for.
	Use  adapter.API `json:"use"`
	Why  string      `json:"why"`
	Mode adapter.API `json:"mode"`
	// Support, Since and LastError are those of Status.
	Support   string    `json:"support"`
	Since     time.Time `json:"since"`
	LastError string    `json:"lastError,omitempty"`
}

// accounts are the occurrences, and what became of them. They are those of Stats, in which
// a reader can check that observed = recorded + pending + dropped. Dropped is the sum of
// DroppedAs, and Balanced says that the equation holds: the counts are made in different
// places, so that it could fail.
type accounts struct {
	Observed    int64                       `json:"observed"`
	Recorded    int64                       `json:"recorded"`
	Pending     int64                       `json:"pending"`
	Dropped     int64                       `json:"dropped"`
	DroppedAs   map[events.DropReason]int64 `json:"droppedAs"`
	Balanced    bool                        `json:"balanced"`
	Unconfirmed int64                       `json:"unconfirmed"`

	OldestPending time.Time               `json:"oldestPending,omitzero"`
	Repaired      map[events.Repair]int64 `json:"repaired"`
	Series        int                     `json:"series"`
	Creates       int64                   `json:"creates"`
	Patches       int64                   `json:"patches"`
	Retries       int64                   `json:"retries"`
	Evicted       int64                   `json:"evicted"`
	WatcherDrops  int64                   `json:"watcherDropped"`
}

// selected says what an operator's selector mutes.
type selected struct {
	// Text is empty if everything is recorded.
	Text string `json:"text"`
	// Muted counts occurrences, also of earlier selectors.
	Muted int64 `json:"muted"`
}

// denied are the namespaces in which writes are refused, or go through another API.
type denied struct {
	Shown []namespace `json:"shown"`
	// More is how many are not shown.
	More int `json:"more"`
	// Refused is in how many of all RBAC refuses Events, as in the metrics.
	Refused int `json:"refused"`
	// Remedy is YAML with the missing RBAC of those that are shown. It is the remedy of
	// Status, which is one line of JSON for a shell.
	Remedy string `json:"remedy"`
}

// namespace is one of them, with what RBAC is known to allow there.
type namespace struct {
	Name string `json:"name"`
	// API is what its Events are written through now.
	API adapter.API `json:"api"`
	// EventsV1 and CoreV1 say allowed, denied or unknown.
	EventsV1 string `json:"eventsV1"`
	CoreV1   string `json:"coreV1"`
	// Since is the first refusal, LastError the last one.
	Since     time.Time `json:"since"`
	LastError string    `json:"lastError,omitempty"`
}

// held is what the adapter holds. Each list ends after a fixed number
// of rows.
type held struct {
	// Frequent and Waiting are series, in mode Legacy what waits about an object.
	Frequent []events.SeriesState `json:"frequent,omitempty"`
	Waiting  []events.SeriesState `json:"waiting,omitempty"`
	// Gates have the back-offs.
	Gates events.Gates `json:"gates"`
}

// setting is an option of one of the packages, or an environment variable of the operator's,
// which is shown as one of package adapter.
type setting struct {
	Package string `json:"package"`
	events.Setting
}

// Changed reports whether the value is not the default.
func (s setting) Changed() bool { return s.Value != s.Default }

// newPage arranges what was inspected.
func newPage(i *adapter.Inspection, p program) *page {
	p.SDK = i.Stats.Version
	return &page{
		Program: p, Time: i.Series.Time, Began: i.Series.Began,
		API: newAPI(i), Accounts: newAccounts(&i.Stats), Namespaces: newDenied(&i.Status),
		Selector: selected{clean(i.Status.Selector), i.Status.Muted},
		Series:   *newHeld(&i.Series), Settings: newSettings(i),
	}
}

func newAPI(i *adapter.Inspection) api {
	return api{
		Use: i.Status.API, Why: why(i), Mode: i.Mode, Support: i.Status.Support.String(), Since: i.Status.Since,
		LastError: textOf(i.Status.LastError),
	}
}

// newAccounts adds up what was dropped.
func newAccounts(s *events.Stats) accounts {
	a := accounts{
		Observed: s.Observed, Recorded: s.Recorded, Pending: s.Pending, Unconfirmed: s.Unconfirmed,
		OldestPending: s.OldestPending, DroppedAs: s.Dropped, Repaired: s.Repaired, Series: s.Series,
		Creates: s.Creates, Patches: s.Patches, Retries: s.Retries, Evicted: s.Evicted, WatcherDrops: s.WatcherDropped,
	}
	for _, n := range s.Dropped {
		a.Dropped += n
	}
	a.Balanced = a.Observed == a.Recorded+a.Pending+a.Dropped
	return a
}

// newDenied lists the namespaces that have been in trouble longest.
func newDenied(s *adapter.Status) denied {
	names := slices.SortedFunc(maps.Keys(s.Namespaces), func(a, b string) int {
		return cmp.Or(s.Namespaces[a].Since.Compare(s.Namespaces[b].Since), cmp.Compare(a, b))
	})
	shown := names[:min(len(names), rows)]
	d := denied{Shown: []namespace{}, More: len(names) - len(shown), Refused: s.Refused()}
	missing := adapter.Status{Namespaces: map[string]adapter.NamespaceStatus{}}
	for _, name := range shown {
		n := s.Namespaces[name]
		missing.Namespaces[name] = n
		d.Shown = append(d.Shown, namespace{
			Name: clean(name), API: n.API, EventsV1: n.Access.EventsV1.String(), CoreV1: n.Access.CoreV1.String(),
			Since: n.Since, LastError: textOf(n.LastError),
		})
	}
	if text, err := yaml.JSONToYAML([]byte(missing.Remedy())); err == nil && missing.Remedy() != "" {
		d.Remedy = string(text)
	}
	return d
}

// newHeld takes the lists of i, which is the page's own, and cleans their texts.
func newHeld(i *events.Inspection) *held {
	h := &held{Frequent: i.Frequent, Waiting: i.Waiting, Gates: i.Gates}
	for _, list := range [][]events.SeriesState{h.Frequent, h.Waiting} {
		for j := range list {
			s := &list[j]
			cleanReference(&s.Regarding)
			cleanAll(&s.Namespace, &s.Name, &s.Type, &s.Reason, &s.Action, &s.ReportingController, &s.Note)
		}
	}
	cleanAll(&h.Gates.Server.LastError, &h.Gates.Pressure.LastError)
	for j := range h.Gates.Namespaces {
		n := &h.Gates.Namespaces[j]
		cleanAll(&n.Namespace, &n.Gate.LastError, &n.Creates.LastError)
	}
	return h
}

// newSettings puts the options of the three packages into one list.
func newSettings(i *adapter.Inspection) (all []setting) {
	for _, of := range []struct {
		name     string
		settings []events.Setting
	}{{"adapter", i.Settings}, {"events", i.Series.Settings}} {
		for _, s := range of.settings {
			cleanAll(&s.Value)
			all = append(all, setting{of.name, s})
		}
	}
	return all
}

// why says in a sentence why the API is in use.
func why(i *adapter.Inspection) string {
	switch {
	case i.Mode != adapter.Auto:
		return "it is pinned by WithMode or EVENTSERIES_API"
	case i.Status.Support == discovery.Served:
		return "discovery lists events.k8s.io/v1"
	case i.Status.Support == discovery.NotServed:
		return "discovery does not list events.k8s.io/v1"
	case i.Status.LastError != nil:
		return "discovery does not answer, and every supported cluster has it"
	default:
		return "discovery was not asked yet, and every supported cluster has it"
	}
}
