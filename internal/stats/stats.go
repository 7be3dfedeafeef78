// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package stats counts occurrences. Every observed occurrence is either recorded, pending or
// dropped with a reason, so the numbers of recorded, pending and dropped occurrences add up to the
// number of observed ones (invariant I1, conservation).
package stats

import (
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Counters are counts of occurrences and of requests. The lock of their owner, such as a shard of
// the cache, guards them, so that a snapshot never sees part of a change.
type Counters struct {
	// Observed is the number of occurrences that callers have recorded.
	Observed int64
	// Overflowed is the number of observed occurrences that exceeded the limit of their object and
	// were counted in its overflow series.
	Overflowed int64
	// Recorded is the number of occurrences that the server has stored.
	Recorded int64
	// Pending is the number of occurrences that are neither recorded nor dropped. It is set only in
	// a snapshot. It is summed over the pending items rather than computed from the other counters,
	// so that a check can find out if Observed differs from Recorded + Dropped + Pending.
	Pending int64
	// Unconfirmed is the number of dropped occurrences that the server might have stored all the
	// same, because a write of them had no clear answer.
	Unconfirmed int64
	// Dropped is the number of dropped occurrences for each reason.
	Dropped [numReasons]int64

	// Creates and Patches are the numbers of successful writes. Retries is the number of writes
	// that had to be tried again. Evicted is the number of series that were evicted from a full
	// cache.
	Creates, Patches, Retries, Evicted int64
}

// Drop counts n occurrences that are dropped as soon as they are observed.
func (c *Counters) Drop(reason Reason, n int64) {
	c.Observed += n
	c.Dropped[reason] += n
}

// Add adds the counts of other to the counts of c.
func (c *Counters) Add(other *Counters) {
	c.Observed += other.Observed
	c.Overflowed += other.Overflowed
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

// DroppedBy returns the number of dropped occurrences for each reason. The map has a key for every
// reason. R is the reason type of the public package that calls DroppedBy.
func DroppedBy[R ~string](c *Counters) map[R]int64 {
	dropped := make(map[R]int64, len(c.Dropped))
	for _, r := range Reasons() {
		dropped[R(r.String())] = c.Dropped[r]
	}
	return dropped
}

// Earlier returns the earlier of two times. A zero time means that there is no time, so if only one
// of the two is zero, Earlier returns the other one.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// MetricLabels are the labels under which an occurrence is counted. They become labels of metrics.
type MetricLabels struct{ ReportingController, RegardingKind, Type, Reason string }

// Other replaces the value of a label that is not counted separately.
const Other = "other"

// Limits on the label sets. Components may make up reasons at run time, and every label set costs
// memory here and in each monitoring system that reads the metrics.
//
// Once there are maxSets sets, every new set is replaced by one in which all labels except the type
// are Other. This adds at most three sets, one for each type. A label value of more than maxLabel
// bytes is always replaced by Other, because package legacy does not shorten texts. No valid value
// is that long: the longest is a qualified name of 317 bytes.
const (
	maxSets  = 997
	maxLabel = 512
)

// LabelSets holds the label sets that are counted separately. A set is never removed, because the
// counters of a metric must not decrease. LabelSets is safe for concurrent use. The zero value is
// empty and ready to use.
type LabelSets struct {
	// mu guards known.
	mu    sync.Mutex
	known map[MetricLabels]struct{}
}

// Admit returns the labels under which an occurrence with labels l is counted. The result equals l
// as long as the limits allow it, but shares no memory with l.
func (s *LabelSets) Admit(l MetricLabels) MetricLabels {
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
		l = MetricLabels{Other, Other, l.Type, Other}
	}
	if s.known == nil {
		s.known = map[MetricLabels]struct{}{}
	}
	s.known[l] = struct{}{}
	return l
}

// Account holds the counters of one label set. The lock of its owner guards it.
type Account[Owner any] struct {
	Counters
	Owner  Owner
	labels MetricLabels
}

// Accounts holds the accounts of one owner by label set. Several owners, such as the shards of a
// cache, share one [LabelSets], so that they count equal labels in the same way.
type Accounts[Owner any] struct {
	owner Owner
	sets  *LabelSets
	by    map[MetricLabels]*Account[Owner]
	// last is the most recently returned account. It is kept because the next call often needs the
	// same one.
	last *Account[Owner]
}

// NewAccounts returns empty Accounts for owner.
func NewAccounts[Owner any](owner Owner, sets *LabelSets) Accounts[Owner] {
	return Accounts[Owner]{
		owner: owner,
		sets:  sets,
		by:    map[MetricLabels]*Account[Owner]{},
	}
}

// Of returns the account that counts occurrences with labels l, and creates it if necessary. It
// does not retain the memory of l.
func (a *Accounts[Owner]) Of(l MetricLabels) *Account[Owner] {
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

// AddTo adds the counters of every account to balances. The caller must have set Pending in each
// account; AddTo resets it to 0.
func (a *Accounts[Owner]) AddTo(balances Balances) {
	for labels, account := range a.by {
		balances.Of(labels).Add(&account.Counters)
		account.Pending = 0
	}
}

// Balances holds the counters in a snapshot by label set.
type Balances map[MetricLabels]*Counters

// Of returns the counters of l, and creates them if necessary.
func (b Balances) Of(l MetricLabels) *Counters {
	if b[l] == nil {
		b[l] = &Counters{}
	}
	return b[l]
}

// Total returns the sum of the counters of all label sets.
func (b Balances) Total() (sum Counters) {
	for _, one := range b {
		sum.Add(one)
	}
	return sum
}
