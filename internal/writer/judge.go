// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

// blame says whose fault an answer is. Each has one consequence, which is in [Writer.learnLocked].
type blame uint8

const (
	// noEvidence: the answer says nothing about anything.
	noEvidence blame = iota
	// allWell: the write was handled, which also shows that its namespace and the server are well.
	allWell
	// badItem: the answer may be about the item alone.
	badItem
	// badNamespace: writes in the namespace hang or fail.
	badNamespace
	// overloaded: the server has too much to do.
	overloaded
	// unreachable: no write reaches the server, or it refuses them all.
	unreachable
)

// health is how the last writes in a namespace went:
//
//	untried, healthy ──bad answer──▶ in doubt ──another──▶ failing
//	       │                                                  ▲
//	       └──────────no answer in time, to any write─────────┘
//
// A good answer makes it healthy, however late it comes.
//
// A healthy namespace may have half of the window, and all of it at the end. One that is untried or in doubt has one
// write at a time. So has one that is failing, but beside the window and after a back-off.
type health uint8

const (
	untried health = iota
	healthy
	inDoubt
	failing
)

// record is the evidence about one namespace.
type record struct {
	health health
	// good is the last write that had begun when one in the namespace got its last good answer.
	good uint64
	// refused is when one of them was refused last because the server has too much to do.
	refused time.Time
}

// suspect reports whether a write in the namespace was refused lately, and so may be refused again for a reason that is
// the namespace's own.
func (r *record) suspect(now time.Time) bool {
	return !r.refused.IsZero() && now.Sub(r.refused) <= timing.Evidence
}

// judge decides for every answer whose fault it is: the item's, the namespace's or the server's. It is the only place
// that does, and what it knows of a namespace is in its [record]. The latency of an answer is no evidence, because
// namespaces differ in it: a webhook may be asked about the Events of some, or about creates alone.
type judge struct {
	// good is the last write that had begun when there was the last good answer.
	good uint64
	// answered has good answers in namespaces that are not suspect.
	answered sightings
	// refused has refusals because of too much to do.
	refused sightings
	// turns counts the refusals that came in another namespace than the refusal before.
	turns uint64
}

// maxTurns is the number of such refusals after which a good answer in a third namespace is no evidence any more that
// the server has room. A namespace that is written seldom is refused seldom, too, however little room there is.
const maxTurns = 4

// answer is what the judge knows of one answer.
type answer struct {
	verdict request.Verdict
	// job is the number of its write.
	job uint64
	// lastID is the number of the last write that has begun.
	lastID uint64
	// slow says that it took longer than [timing.SlowWrite].
	slow bool
	// now is when it came.
	now time.Time
}

// decide returns whose fault an answer to a write of a namespace is, and learns from it.
func (g *judge) decide(r *record, a answer) blame {
	v := a.verdict
	switch {
	case v.Action == request.Skip:
		// Nothing was sent, or the write was cancelled because the writer ends.
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

// isOfOwnLimiter reports whether the client's own rate limiter has refused.
func isOfOwnLimiter(v request.Verdict) bool { return v.Gate == request.Open && v.Wait > 0 }

// isNamespace reports whether a bad answer is about more than its item. One failure may be the
// item's, two in a row are not. RBAC refuses all items of a namespace, so one such refusal is
// enough. A slow failure blocks others for longer, so one is enough, too, unless another write in
// the namespace had a good answer meanwhile.
func (g *judge) isNamespace(r *record, a answer) bool {
	forbidden := a.verdict.Action == request.Forbidden && !a.verdict.Hold
	if a.slow {
		return r.good < a.job
	}
	return forbidden || r.health >= inDoubt
}

// noteRefusal notes a refusal, and reports whether it is the server's. It is the server's if no other namespace
// is answered, or only one that is written seldom, or if others are refused, too, and this one was not refused before.
// A namespace with a rate limit of its own is refused again and again while others are not.
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

// overtaken reports whether a write of another namespace that began later has had a good answer.
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
	// job is the last write of the namespace that had such an answer. Answers come in any order,
	// so the last answer may be to an earlier write.
	job uint64
	at  time.Time
	// turns is the number of turns at that time, see [judge].
	turns uint64
}

// since reports whether it was seen lately.
func (s sighting) since(now time.Time) bool {
	return s.in != nil && now.Sub(s.at) <= timing.Evidence
}

// sightings are the last answers of one kind in two namespaces, so that there is one outside of each namespace.
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

// outside returns the last one that is not of a namespace.
func (s *sightings) outside(r *record) sighting {
	if s.last.in != r {
		return s.last
	}
	return s.former
}
