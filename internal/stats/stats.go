// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package stats counts occurrences. Every observed occurrence is either recorded, pending or
// dropped for a reason, so these three add up to the observed ones (invariant I1, conservation).
package stats

import (
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Counters are counts of occurrences and of requests. The lock of their owner guards them, so that
// no snapshot sees half of a change.
type Counters struct {
	// Observed is the number of occurrences that callers have recorded.
	Observed int64
	// Overflowed counts the observed occurrences that were beyond the limit of their object, and count
	// in its overflow series.
	Overflowed int64
	// Recorded counts the occurrences that the server has stored.
	Recorded int64
	// Pending counts the occurrences that are neither recorded nor dropped. It is only set for a
	// snapshot. Its value is summed over the pending items and never computed from the other
	// counters, because otherwise a violation of conservation could not be seen.
	Pending int64
	// Unconfirmed counts the dropped occurrences that the server may have stored nevertheless,
	// because a write of them had no clear answer.
	Unconfirmed int64
	// Dropped counts the dropped occurrences by reason.
	Dropped [numReasons]int64

	// Creates and Patches count the writes that succeeded, Retries the ones that must be tried
	// again, and Evicted the series that made room for others in a full cache.
	Creates, Patches, Retries, Evicted int64
}

// Drop counts n occurrences that are observed and dropped at once.
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

// DroppedBy returns the dropped occurrences by reason, with a key for every reason. R is the type
// of the public package that calls it.
func DroppedBy[R ~string](c *Counters) map[R]int64 {
	dropped := make(map[R]int64, len(c.Dropped))
	for _, r := range Reasons() {
		dropped[R(r.String())] = c.Dropped[r]
	}
	return dropped
}

// Earlier returns the earlier one of two times. The zero time stands for no time: if only one of
// them is set, that one is returned.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// MetricLabels are the labels under which an occurrence is counted. They become the labels of metrics.
type MetricLabels struct{ ReportingController, RegardingKind, Type, Reason string }

// Other stands in place of a label's value that is not counted by itself.
const Other = "other"

// Limits on the label sets. Components may make up reasons at run time, and every label set costs
// memory here and in each monitoring system that reads the metrics.
//
// After maxSets sets, each new one is replaced by a set in which only the type is kept and every
// other label is Other. So there are at most three more sets, one for each type. A label of more
// than maxLabel bytes is replaced by Other from the beginning, because package legacy does not
// shorten texts. No valid label is so long: the longest is a qualified name of 317 bytes.
const (
	maxSets  = 997
	maxLabel = 512
)

// LabelSets are the label sets that are counted by themselves. A set is never removed, because the
// counters of a metric must not go down. LabelSets are safe for concurrent use. The zero value is
// empty and ready to use.
type LabelSets struct {
	// mu guards known.
	mu    sync.Mutex
	known map[MetricLabels]struct{}
}

// Admit returns the labels under which an occurrence with labels l is counted. These are l itself
// as long as there is room for it. The result shares no memory with l.
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

// Account has the counters of one label set. The lock of its owner guards it.
type Account[Owner any] struct {
	Counters
	Owner  Owner
	labels MetricLabels
}

// Accounts are the accounts of one owner by label set. Several owners, such as the shards of a
// cache, share one [LabelSets], so that they count the same occurrence under the same labels.
type Accounts[Owner any] struct {
	owner Owner
	sets  *LabelSets
	by    map[MetricLabels]*Account[Owner]
	// last is the account that was returned last, because the next call often asks for the same
	// one.
	last *Account[Owner]
}

// NewAccounts returns Accounts of owner, without any account.
func NewAccounts[Owner any](owner Owner, sets *LabelSets) Accounts[Owner] {
	return Accounts[Owner]{
		owner: owner,
		sets:  sets,
		by:    map[MetricLabels]*Account[Owner]{},
	}
}

// Of returns the account under which an occurrence with labels l is counted. It makes the account
// if there is none. It keeps no memory of l.
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

// AddTo adds every account to balances. The caller has set Pending of each account for this
// snapshot; AddTo sets it back to 0.
func (a *Accounts[Owner]) AddTo(balances Balances) {
	for labels, account := range a.by {
		balances.Of(labels).Add(&account.Counters)
		account.Pending = 0
	}
}

// Balances are counters by label set, in a snapshot.
type Balances map[MetricLabels]*Counters

// Of returns the counters of l. It makes them if there are none.
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
