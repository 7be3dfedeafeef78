// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import "time"

// Second is how many requests arrived in a second, those that were refused too.
type Second struct{ Creates, Patches, Refused int32 }

// ledger counts the requests per second since the server's start.
type ledger []Second

func (l *ledger) at(at time.Duration) *Second {
	i := int(at / time.Second)
	for len(*l) <= i {
		*l = append(*l, Second{})
	}
	return &(*l)[i]
}

// Seconds returns the requests of each second since the server's start.
func (a *API) Seconds() []Second {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]Second(nil), a.ledger...)
}

// Stored returns how many Events the server has now.
func (a *API) Stored() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, n := time.Now(), 0
	for _, o := range a.objects {
		if !a.expired(o, now) {
			n++
		}
	}
	return n
}
