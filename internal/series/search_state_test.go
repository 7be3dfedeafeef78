// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/eventseries/eventseries/internal/request"
)

// clone copies what steps change.
func (w *searched) clone() *searched {
	to := *w
	to.processes = slices.Clone(w.processes)
	to.late = slices.Clone(w.late)
	to.acked, to.owner, to.observed = maps.Clone(w.acked), maps.Clone(w.owner), maps.Clone(w.observed)
	for i := range to.processes {
		p := &to.processes[i]
		hash := hashOf(&searchKey.Key)
		known := p.names.recall(hash)
		p.names = newGenerations()
		p.names.known.Add(hash, known)
		if p.s == nil {
			continue
		}
		write := p.s.write
		p.s = p.s.clone(p.names)
		if p.w != nil {
			p.w = copyOf(p.w)
			p.s.write = p.w
		} else if write != nil {
			p.s.write = copyOf(write)
		}
	}
	return &to
}

// clone copies a series, but for what plays no part in a search: times, back-off and its place in a cache.
func (s *Series) clone(names *generations) *Series {
	to := &Series{
		text: s.text, keyLen: s.keyLen, observed: s.observed, recorded: s.recorded, began: s.began, seen: s.seen,
		version: s.version, exists: s.exists, doubts: s.doubts,
	}
	to.account, to.inFlight = s.account, s.inFlight
	x, c := s.extra.Load(), s.rare().continuity
	*to.more() = *x
	to.more().continuity = &continuity{
		names: names, hash: c.hash, generation: c.generation, taken: c.taken,
		id: c.id, base: c.base, sent: c.sent, others: c.others, last: c.last,
	}
	to.rare().continuity.name.Store(c.name.Load())
	return to
}

func copyOf(w *Write) *Write { to := *w; return &to }

// fingerprint is the same for states that differ in names alone: of processes, shares and versions.
func (w *searched) fingerprint() (id [16]byte) {
	order := make([]int, len(w.processes))
	plain := make([][]byte, len(order))
	for i := range order {
		order[i], plain[i] = i, w.appendProcess(nil, &w.processes[i], func(string) int { return 0 })
	}
	slices.SortStableFunc(order, func(a, b int) int { return bytes.Compare(plain[a], plain[b]) })
	ids := map[string]int{"": 0}
	number := func(id string) int {
		if _, ok := ids[id]; !ok {
			ids[id] = len(ids)
		}
		return ids[id]
	}
	text := fmt.Appendf(nil, "%d %d %v %v", w.faults, w.dead, w.expired, w.lost)
	for _, i := range order {
		text = w.appendProcess(text, &w.processes[i], number)
	}
	for _, e := range w.events {
		text = append(text, '\n')
		if e == nil {
			continue
		}
		text = fmt.Appendf(text, "%d %v", e.forged, e.foul)
		shares := parsedShares(e.Annotations)
		text = appendShares(fmt.Appendf(text, " %d", countIn(e.Event)), shares, number)
		for _, share := range shares {
			text = fmt.Appendf(text, " %d %d", w.acked[ackedShare{e.UID, share.ID}], w.observed[w.owner[share.ID]])
		}
	}
	for _, late := range w.late {
		if !w.hopeless(late) {
			text = w.appendWrite(text, late, number)
		}
	}
	sum := sha256.Sum256(text)
	return [16]byte(sum[:])
}

// hopeless reports whether a write is a patch that will meet a conflict, whatever else it has.
func (w *searched) hopeless(write *Write) bool {
	return write.Op == request.Patch && version(write) != "" && !w.current(write.Event.Name, version(write))
}

// current reports whether an Event of a name has a version.
func (w *searched) current(name, version string) bool {
	e := w.events[slices.Index(searchNames[:], name)]
	return e != nil && e.ResourceVersion == version
}

func (w *searched) appendProcess(text []byte, p *searchedProcess, number func(string) int) []byte {
	known := p.names.recall(hashOf(&searchKey.Key))
	text = fmt.Appendf(text, "\n%d %d %d %d %d %d", p.left, w.observed[p.id], p.recorded, known.generation, number(known.id), known.count)
	if s := p.s; s != nil {
		c := s.rare().continuity
		text = fmt.Appendf(text, " %d %d %v %v %v %d %d %d %d %d", s.observed, s.recorded, s.exists, s.doubts,
			w.current(*c.name.Load(), s.resourceVersion()), c.generation, c.taken, number(c.id), c.base, c.sent)
		if w.current(*c.name.Load(), s.resourceVersion()) {
			text = appendShares(text, c.others, number)
		}
		if s.write != nil && p.w == nil {
			text = w.appendWrite(text, s.write, number)
		}
	}
	if p.w != nil {
		text = w.appendWrite(text, p.w, number)
	}
	return text
}

func (w *searched) appendWrite(text []byte, write *Write, number func(string) int) []byte {
	text = fmt.Appendf(text, " w %d %v %d %s", write.Op, write.ReadVersion, write.Count, write.Event.Name)
	if w.hopeless(write) {
		return append(text, " in vain"...)
	}
	return appendShares(text, parsedShares(write.annotations), number)
}

func appendShares(text []byte, shares []Share, number func(string) int) []byte {
	for _, share := range shares {
		text = fmt.Appendf(text, " %d:%d", number(share.ID), share.Count)
	}
	return text
}

// parsedShares is SharesOf, which most of the time of a search went into.
func parsedShares(annotations map[string]string) []Share {
	text := annotations[Counts]
	shares, ok := searchParsed[text]
	if !ok {
		shares, _ = SharesOf(annotations)
		searchParsed[text] = shares
	}
	return shares
}

var searchParsed = map[string][]Share{}
