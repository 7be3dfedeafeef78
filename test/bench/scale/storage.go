// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
)

// StorageTable is the arithmetic for etcd: the simulated size, and what is computed from it.
func (s *study) StorageTable() string {
	var rows [][]string
	for _, r := range s.Runs {
		for _, d := range []*dayResult{&r.Normal, &r.Bad} {
			for _, nodes := range []int{s.Normal.Nodes, largestCluster} {
				of := d.storage().times(float64(nodes) / float64(s.Normal.Nodes))
				rows = append(rows, []string{
					grouped(nodes), dayName(d), r.Name, grouped(round(of.Requests)), grouped(round(of.Busiest)),
					grouped(round(of.Expiring)), grouped(of.Alive), grouped(of.Revisions), gib(of.database()),
					percent(int64(of.database()), etcdQuota),
				})
			}
		}
	}
	return table("nodes|day| |writes/s, mean|writes/s, busiest 5 min|deletions/s by TTL|Events alive at most|"+
		"revisions not compacted|database at least|of 8 GiB", rows)
}

// WholeDayTable goes on from the simulated hours to 24: all other hours are normal ones.
func (s *study) WholeDayTable() string {
	var rows [][]string
	for _, r := range s.Runs {
		hourly := float64(r.Normal.Totals.Writes()) / s.Normal.Span.Hours()
		bad := float64(r.Bad.Totals.Writes()) + hourly*(24-s.Bad.Span.Hours())
		rows = append(rows, []string{r.Name, grouped(round(24 * hourly)), grouped(round(bad))})
	}
	return table(" |writes in a normal day|in a day with such hours", rows)
}

// FitTable is where a cluster's Events outgrow an etcd of their own.
func (s *study) FitTable() string {
	var rows [][]string
	for _, r := range s.Runs {
		for _, d := range []*dayResult{&r.Normal, &r.Bad} {
			nodes, limit := d.storage().fits(d.Config.Nodes, 0.5)
			rows = append(rows, []string{r.Name, dayName(d), grouped(nodes), limit})
		}
	}
	return table(" |day|nodes|what is reached first", rows)
}

// NewBytes and OldBytes are the size of an Event in etcd, by the API it came through.
func (*study) NewBytes() int { key, value := storedBytes(eventsV1); return key + value }

// OldBytes is NewBytes through core/v1.
func (*study) OldBytes() int { key, value := storedBytes(coreV1); return key + value }

// RevisionBytes is what bbolt keeps of a revision besides.
func (*study) RevisionBytes() int { return revisionBytes }

// Capacity is what an etcd of three members answers in a second.
func (*study) Capacity() int { return etcdRequests }

func dayName(d *dayResult) string {
	if d.Config.Bad {
		return "bad"
	}
	return "normal"
}

func round(x float64) int { return int(math.Round(x)) }

func gib(bytes float64) string { return fmt.Sprintf("%.2f GiB", bytes/(1<<30)) }
