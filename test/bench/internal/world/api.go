// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Settings is what can be chosen of a server. Zero stands for the default.
type Settings struct {
	Latency time.Duration // of a write, until it is applied: 10 ms
	TTL     time.Duration // of an Event that is not written: 1 h, as kube-apiserver's
	// Forgetful has the server answer and keep no books at all: what is in memory
	// then is the components' own.
	Forgetful bool
}

// API is an API server that stores Events. It is safe for concurrent use, and
// keeps the books of all components too, under one lock.
type API struct {
	settings Settings
	began    time.Time

	mu         sync.Mutex
	components []*Component
	objects    map[objectName]*object
	version    uint64
	swept      time.Time
	ledger     ledger

	delays, appearances, doublings Delays
}

type objectName struct{ namespace, name string }

// object is a stored Event. One that has expired is kept for a while: if its
// component creates it anew, its occurrences must not be counted twice.
type object struct {
	series  *Series
	count   int64
	version uint64
	written time.Time
}

// NewAPI returns a server that was started now.
func NewAPI(settings Settings) *API {
	if settings.Latency == 0 {
		settings.Latency = 10 * time.Millisecond
	}
	if settings.TTL == 0 {
		settings.TTL = time.Hour
	}
	now := time.Now()
	return &API{settings: settings, began: now, swept: now, objects: map[objectName]*object{}}
}

// Began is when the server was started.
func (a *API) Began() time.Time { return a.began }

// write is what a request wants: to create or to patch an Event.
type write struct {
	name    objectName
	count   int64     // 0: none, in a patch that asks what is stored
	last    time.Time // when the last of count was observed
	version string    // "": any
	at      time.Time // when it arrives
}

func (a *API) create(s *Series, w write) (version string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.settings.Forgetful {
		a.version++
		return strconv.FormatUint(a.version, 10), nil
	}
	second := a.ledger.at(w.at.Sub(a.began))
	second.Creates++
	s.creates++
	a.sweep(w.at)
	o, found := a.objects[w.name]
	switch {
	case !found:
		o = &object{series: s}
		a.objects[w.name] = o
		s.events++
	case !a.expired(o, w.at):
		second.Refused++
		return "", apierrors.NewAlreadyExists(eventsv1.Resource("events"), w.name.name)
	}
	return a.apply(o, w), nil
}

func (a *API) patch(s *Series, w write) (version string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.settings.Forgetful {
		a.version++
		return strconv.FormatUint(a.version, 10), nil
	}
	second := a.ledger.at(w.at.Sub(a.began))
	second.Patches++
	s.patches++
	o, found := a.objects[w.name]
	switch {
	case !found || a.expired(o, w.at):
		second.Refused++
		return "", apierrors.NewNotFound(eventsv1.Resource("events"), w.name.name)
	case w.version != "" && w.version != o.resourceVersion():
		second.Refused++
		return "", apierrors.NewConflict(eventsv1.Resource("events"), w.name.name,
			fmt.Errorf("stored is %s, the patch has %s", o.resourceVersion(), w.version))
	case w.count == 0:
		return o.resourceVersion(), nil
	}
	return a.apply(o, w), nil
}

// apply stores a count and shows it.
func (a *API) apply(o *object, w write) (version string) {
	o.series.show(w.count-o.count, w, o.count == 0)
	a.version++
	o.count, o.written, o.version = w.count, w.at, a.version
	return o.resourceVersion()
}

func (o *object) resourceVersion() string { return strconv.FormatUint(o.version, 10) }

func (a *API) expired(o *object, now time.Time) bool { return now.Sub(o.written) >= a.settings.TTL }

// sweep forgets, once per TTL, what expired long ago.
func (a *API) sweep(now time.Time) {
	if now.Sub(a.swept) < a.settings.TTL {
		return
	}
	a.swept = now
	for name, o := range a.objects {
		if now.Sub(o.written) >= 2*a.settings.TTL {
			delete(a.objects, name)
		}
	}
}
