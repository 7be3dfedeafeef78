// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// What etcd and kube-apiserver are, by their documentation and defaults.
const (
	etcdQuota      = 8 << 30         // "a suggested maximum size for normal environments" (etcd.io, System limits)
	etcdDefault    = 2 << 30         // the quota if none is configured (the same page)
	etcdRequests   = 30000           // requests a second of three members under heavy load (etcd.io, Performance)
	eventTTL       = time.Hour       // kube-apiserver's --event-ttl
	compaction     = 5 * time.Minute // kube-apiserver's --etcd-compaction-interval
	revisionBytes  = 17 + 40         // of a revision in bbolt besides key and value: its key; versions, lease
	largestCluster = 50000           // nodes that the arithmetic goes on to
)

// storage is what a day's Events are to etcd.
type storage struct {
	Bytes     int     // of one Event: key and value
	Alive     int     // Events at the busiest sample
	Requests  float64 // a second, at the mean
	Busiest   float64 // a second, of the busiest five minutes
	Expiring  float64 // a second, at the mean: each Event that was created is deleted an hour after its last write
	Revisions int     // that wait for compaction, at the busiest: nothing is forgotten for five to ten minutes
}

func (r *dayResult) storage() storage {
	through := eventsV1
	if r.Contender == world.ToolsRecord.Name {
		through = coreV1
	}
	key, value := storedBytes(through)
	mean, _, _ := r.perSecond()
	busiest := r.busiest(compaction)
	expiring := float64(r.Totals.Events) / r.Config.Span.Seconds()
	return storage{
		Bytes: key + value, Alive: slices.Max(r.Alive), Requests: mean, Busiest: busiest, Expiring: expiring,
		Revisions: int(2 * compaction.Seconds() * (busiest + expiring)),
	}
}

// busiest is the mean of the requests per second over the busiest stretch.
func (r *dayResult) busiest(stretch time.Duration) float64 {
	per := r.perMinute()
	n := min(int(stretch/time.Minute), len(per))
	best := 0.0
	for i := 0; i+n <= len(per); i++ {
		sum := 0.0
		for _, v := range per[i : i+n] {
			sum += v
		}
		best = max(best, sum/float64(n))
	}
	return best
}

// database is at least how large it gets: what is alive, and the revisions that are not compacted.
func (s storage) database() float64 {
	return float64((s.Alive + s.Revisions) * (s.Bytes + revisionBytes))
}

// times is the same for a larger cluster: everything that nodes and workloads say grows with it. What a single
// controller says does not, as its own client limits it, so this is an upper bound.
func (s storage) times(factor float64) storage {
	s.Alive, s.Revisions = int(factor*float64(s.Alive)), int(factor*float64(s.Revisions))
	s.Requests, s.Busiest, s.Expiring = factor*s.Requests, factor*s.Busiest, factor*s.Expiring
	return s
}

// fits is the size of the cluster, in nodes, whose Events fill a share of what an etcd of their own can take: of its
// quota or of its requests, whichever comes first.
func (s storage) fits(nodes int, share float64) (largest int, limit string) {
	bySize := share * etcdQuota / s.database() * float64(nodes)
	byRate := share * etcdRequests / (s.Busiest + s.Expiring) * float64(nodes)
	if bySize < byRate {
		return int(bySize), "database size"
	}
	return int(byRate), "requests"
}
