// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

// blame says who is at fault for an answer. [Writer.learnLocked] acts on it.
type blame uint8

const (
	// noEvidence: the answer says nothing about the server or the namespace.
	noEvidence blame = iota
	// allWell: the write was handled, so its namespace and the server are well.
	allWell
	// badItem: the fault may be limited to the item.
	badItem
	// badNamespace: writes in the namespace hang or fail.
	badNamespace
	// overloaded: the server is overloaded.
	overloaded
	// unreachable: writes do not reach the server, or it refuses all of them.
	unreachable
)

// health summarizes the results of the last writes in a namespace:
//
//	untried, healthy ──bad answer──▶ in doubt ──another──▶ failing
//	       │                                                  ▲
//	       └──────────no answer in time, to any write─────────┘
//
// A good answer makes a namespace healthy, however late it comes.
//
// A healthy namespace may use half of the window, or all of it when the writer is ending. An
// untried namespace, or one in doubt, may have one write in flight. A failing namespace may also
// have one write in flight, but outside the window and only after a back-off.
type health uint8

const (
	untried health = iota
	healthy
	inDoubt
	failing
)

// record holds the evidence about one namespace.
type record struct {
	health health
	// good is the ID of the last job that the writer began before the newest good answer in the
	// namespace came.
	good uint64
	// refused is when the server last refused a write in the namespace because of overload.
	refused time.Time
}

// suspect reports whether a write in the namespace was recently refused because of overload.
// Another refusal may then be due to a limit on that namespace alone.
func (r *record) suspect(now time.Time) bool {
	return !r.refused.IsZero() && now.Sub(r.refused) <= timing.Evidence
}

// judge decides for every answer who is at fault: the item, the namespace or the server. No other
// code in this package decides that. What the judge knows about a namespace is in the [record] of
// the namespace. The latency of an answer is no evidence, because it differs between namespaces: a
// webhook may handle only the Events of some of them, or only creates.
type judge struct {
	// good is the ID of the last job that the writer began before the newest good answer came.
	good uint64
	// answered holds the last good answers in namespaces that are not suspect.
	answered sightings
	// refused holds the last refusals because of overload.
	refused sightings
	// turns is the number of times that a refusal came in another namespace than the refusal before
	// it.
	turns uint64
}

// maxTurns is the number of turns after which an earlier good answer in a third namespace no longer
// proves that the server has room. A namespace that is rarely written is rarely refused, even by an
// overloaded server.
const maxTurns = 4

// answer describes one answer to the judge.
type answer struct {
	verdict request.Verdict
	// job is the ID of the answered job.
	job uint64
	// lastID is the ID of the newest job.
	lastID uint64
	// slow is true if the answer took longer than [timing.SlowWrite].
	slow bool
	// now is the time of the answer.
	now time.Time
}

// decide returns who is at fault for an answer to a write in a namespace. It also updates the
// record of the namespace.
func (g *judge) decide(r *record, a answer) blame {
	v := a.verdict
	switch {
	case v.Action == request.Skip:
		// Nothing was sent, or the write was cancelled because the writer is ending.
		if a.slow && r.good < a.job {
			r.health = max(r.health, inDoubt)
		}
		return noEvidence
	case v.Gate == request.Server, isOfOwnLimiter(v):
		return unreachable
	case v.Gate == request.Open && v.Unanswered:
		return noEvidence
	case v.Gate == request.Open:
		r.health = healthy
		r.good = a.lastID
		g.good = a.lastID
		if !r.suspect(a.now) {
			g.answered.add(r, a, g.turns)
		}
		return allWell
	}
	overload := v.Gate == request.Shared && g.noteRefusal(r, a)
	namespace := g.isNamespace(r, a)
	switch {
	case namespace:
		r.health = failing
	case !a.slow:
		r.health = max(r.health, inDoubt)
	}
	switch {
	case overload:
		return overloaded
	case namespace:
		return badNamespace
	default:
		return badItem
	}
}

// isOfOwnLimiter reports whether the client's own rate limiter refused the write.
func isOfOwnLimiter(v request.Verdict) bool { return v.Gate == request.Open && v.Wait > 0 }

// isNamespace reports whether a bad answer concerns the whole namespace rather than only the item.
// The item may be the cause of one failure, but not of two in a row. One refusal by RBAC is enough,
// because RBAC refuses all items of a namespace. One slow failure is enough as well, because it
// blocks other writes for longer, unless another write in the namespace got a good answer in the
// meantime.
func (g *judge) isNamespace(r *record, a answer) bool {
	forbidden := a.verdict.Action == request.Forbidden && !a.verdict.Hold
	if a.slow {
		return r.good < a.job
	}
	return forbidden || r.health >= inDoubt
}

// noteRefusal records a refusal because of overload, and reports whether the server as a whole is
// overloaded. The whole server counts as overloaded if no other namespace has recently got a good
// answer, except perhaps one that is suspect or rarely written. It also counts as overloaded if
// writes in other namespaces were refused, too, and no recent write in this namespace was refused
// before. In contrast, a namespace with a rate limit of its own is refused again and again while
// other namespaces are not.
func (g *judge) noteRefusal(r *record, a answer) bool {
	suspect := r.suspect(a.now)
	answered := g.answered.outside(r)
	alone := !answered.since(a.now) || answered.in.suspect(a.now) || g.turns-answered.turns > maxTurns
	spread := g.refused.outside(r).since(a.now)
	if g.refused.last.in != r {
		g.turns++
	}
	g.refused.add(r, a, g.turns)
	r.refused = a.now
	return alone || spread && !suspect
}

// overtaken reports whether a write in another namespace that began after the given job has already
// got a good answer.
func (g *judge) overtaken(r *record, job uint64) bool {
	for _, s := range []sighting{g.answered.last, g.answered.former} {
		if s.in != nil && s.in != r && s.job > job {
			return true
		}
	}
	return false
}

// sighting is the last answer of one kind in a namespace.
type sighting struct {
	in *record
	// job is the ID of the newest job in the namespace that got such an answer. Answers come in any
	// order, so the last answer may belong to an earlier job.
	job uint64
	at  time.Time
	// turns is the value of [judge].turns when the last answer came.
	turns uint64
}

// since reports whether the sighting is still recent at the time now.
func (s sighting) since(now time.Time) bool {
	return s.in != nil && now.Sub(s.at) <= timing.Evidence
}

// sightings holds two answers of one kind: the newest one, and the newest one from any other
// namespace. So for every namespace, the newest answer from another namespace is known.
type sightings struct {
	last, former sighting
}

func (s *sightings) add(r *record, a answer, turns uint64) {
	job := a.job
	if s.last.in == r {
		job = max(job, s.last.job)
	} else {
		s.former = s.last
	}
	s.last = sighting{
		in:    r,
		job:   job,
		at:    a.now,
		turns: turns,
	}
}

// outside returns the last sighting in another namespace than that of r.
func (s *sightings) outside(r *record) sighting {
	if s.last.in != r {
		return s.last
	}
	return s.former
}
