// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

// noteGroup counts the series that differ in nothing but their note.
type noteGroup struct {
	members int
	newest  string // the key of the member that was added last
}

// noteGroups has the groups by the key without its note. Only series that notes
// tell apart are in a group.
type noteGroups map[string]*noteGroup

// overflow returns the key of the series that takes an occurrence whose note has no
// series: the newest member's, or none while the group has fewer members than limit.
func (g noteGroups) overflow(base []byte, limit int) string {
	if group := g[string(base)]; group != nil && group.members >= limit {
		return group.newest
	}
	return ""
}

func (g noteGroups) add(s *Series) {
	group := g[s.base()]
	if group == nil {
		group = &noteGroup{}
		g[s.base()] = group
	}
	group.members++
	group.newest = s.key()
}

func (g noteGroups) remove(s *Series) {
	group := g[s.base()]
	if group.members--; group.members == 0 {
		delete(g, s.base())
	}
}
