// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"time"

	"github.com/eventseries/eventseries/discovery"
)

// How long after RBAC granted events.k8s.io/v1 a namespace goes on through core/v1,
// in which nothing is lost, and which must cost little more than its writes.
const (
	// returnEvery is how often a namespace asks at least, while it writes.
	returnEvery = 30 * time.Minute
	// scoutEvery is how often the first namespace that writes asks for all of them
	// at least. It begins with once a minute, for whoever applies the remedy.
	scoutEvery = 10 * time.Minute
)

// returns says when a namespace that is written through core/v1 asks whether it
// may go back to events.k8s.io/v1. A ClusterRole grants it in all of them, so that
// one question of one namespace tells when to ask in the others. The zero returns
// has not asked.
type returns struct {
	asked time.Time     // when any namespace last asked
	wait  time.Duration // from then on
	yeses int           // how often the answer was yes
}

// due reports whether a namespace is to ask again now. If so, no other has to.
func (r *returns) due(c *config, ns *namespace) bool {
	yes := !c.recently(ns.asked, accessEvery) &&
		(!c.recently(ns.asked, returnEvery) || ns.yeses != r.yeses || !c.recently(r.asked, r.wait))
	if yes {
		r.asked, ns.yeses = c.clock.Now(), r.yeses
	}
	return yes
}

// answered takes the answer: as long as it stays the same, the wait doubles.
func (r *returns) answered(answer discovery.Permission) {
	if answer == discovery.Allowed {
		r.yeses, r.wait = r.yeses+1, accessEvery
		return
	}
	r.wait = min(2*max(r.wait, accessEvery), scoutEvery)
}
