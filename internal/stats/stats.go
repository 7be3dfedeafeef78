// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package stats counts occurrences: every one that was observed is recorded,
// pending or dropped for a reason (invariant I1, conservation).
package stats

import (
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Counters are totals in occurrences or requests. The owner's lock guards them, so
// that no snapshot sees one half of a change.
type Counters struct {
	Observed    int64
	Folded      int64 // of them, beyond the limit of their object
	Recorded    int64
	Pending     int64 // set for a snapshot; summed over what waits and never derived, so that conservation can fail
	Unconfirmed int64 // of the dropped: the server may have them all the same
	Dropped     [numReasons]int64

	Creates, Patches, Retries, Evicted int64
}

// Drop counts n occurrences that are dropped as soon as they are observed.
func (c *Counters) Drop(reason Reason, n int64) {
	c.Observed += n
	c.Dropped[reason] += n
}

// Add adds the totals of other.
func (c *Counters) Add(other *Counters) {
	c.Observed += other.Observed
	c.Folded += other.Folded
	c.Recorded += other.Recorded
	c.Pending += other.Pending
	c.Unconfirmed += other.Unconfirmed
	for r := range c.Dropped {
		c.Dropped[r] += other.Dropped[r]
	}
	c.Creates += other.Creates
	c.Patches += other.Patches
	c.Retries += other.Retries
	c.Evicted += other.Evicted
}

// DroppedBy returns what was dropped by reason, with every reason as a key. R is the
// type that users see.
func DroppedBy[R ~string](c *Counters) map[R]int64 {
	dropped := make(map[R]int64, len(c.Dropped))
	for _, r := range Reasons() {
		dropped[R(r.String())] = c.Dropped[r]
	}
	return dropped
}

// Earlier returns the earlier one of two times, of which the zero time is none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Labels are what occurrences are counted by.
type Labels struct{ ReportingController, RegardingKind, Type, Reason string }

// Other stands for a label that is not told apart.
const Other = "other"

// Bounds of the label sets. Reasons may be made up at run time, and every set costs memory
// here and in whatever scrapes it.
//
// Once there are maxSets sets, a new one keeps only its type, and its other labels are replaced by
// Other. That makes three more sets at most, one for each type. A label of more than maxLabel bytes is
// replaced by Other at once, because package legacy repairs no texts. No valid label is so long: the
// longest is a qualified name of 317 bytes.
const (
	maxSets  = 997
	maxLabel = 512
)

// LabelSets are the sets that are told apart, once and for all: a total never goes
// down. It is safe for concurrent use. The zero value has none.
type LabelSets struct {
	mu    sync.Mutex // guards known
	known map[Labels]struct{}
}

// Admit returns the labels under which l is counted. The result shares no memory with l.
func (s *LabelSets) Admit(l Labels) Labels {
	if l.Type != corev1.EventTypeNormal && l.Type != corev1.EventTypeWarning {
		l.Type = Other
	}
	for _, text := range []*string{&l.ReportingController, &l.RegardingKind, &l.Type, &l.Reason} {
		if len(*text) > maxLabel {
			*text = Other
		}
		*text = strings.Clone(*text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.known[l]; !ok && len(s.known) >= maxSets {
		l = Labels{Other, Other, l.Type, Other}
	}
	if s.known == nil {
		s.known = map[Labels]struct{}{}
	}
	s.known[l] = struct{}{}
	return l
}

// Account is the counters of one label set. The lock of its owner guards it.
type Account[Owner any] struct {
	Counters
	Owner  Owner
	labels Labels
}

// Accounts are an owner's accounts by label set. Owners with the same [LabelSets] count
// the same occurrence under the same labels.
type Accounts[Owner any] struct {
	owner Owner
	sets  *LabelSets
	by    map[Labels]*Account[Owner]
	last  *Account[Owner] // the one that was asked for last; most often it is the next one, too
}

// NewAccounts returns no accounts.
func NewAccounts[Owner any](owner Owner, sets *LabelSets) Accounts[Owner] {
	return Accounts[Owner]{
		owner: owner,
		sets:  sets,
		by:    map[Labels]*Account[Owner]{},
	}
}

// Of returns the account of l, which is new if l is. It keeps no memory of l.
func (a *Accounts[Owner]) Of(l Labels) *Account[Owner] {
	if a.last != nil && a.last.labels == l {
		return a.last
	}
	account := a.by[l]
	if account == nil {
		l = a.sets.Admit(l)
		account = a.by[l]
		if account == nil {
			account = &Account[Owner]{Owner: a.owner, labels: l}
			a.by[l] = account
		}
	}
	a.last = account
	return account
}

// AddTo adds the accounts to balances, with what was set as Pending for that.
func (a *Accounts[Owner]) AddTo(balances Balances) {
	for labels, account := range a.by {
		balances.Of(labels).Add(&account.Counters)
		account.Pending = 0
	}
}

// Balances are counters by label set.
type Balances map[Labels]*Counters

// Of returns the counters of l, which are new if l is.
func (b Balances) Of(l Labels) *Counters {
	if b[l] == nil {
		b[l] = &Counters{}
	}
	return b[l]
}

// Total returns the sum of all counters.
func (b Balances) Total() (sum Counters) {
	for _, one := range b {
		sum.Add(one)
	}
	return sum
}
