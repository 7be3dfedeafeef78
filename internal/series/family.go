// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

// family counts the series that differ in nothing but their note.
type family struct {
	members int
	newest  string // the id of the last member that joined
}

// families are kept by the id without its note, and only for series that notes
// tell apart.
type families map[string]*family

// adopt returns the id of the series that takes in an occurrence whose note has
// none: the newest member's. It is empty while the family has room.
func (f families) adopt(base []byte, limit int) string {
	if fam := f[string(base)]; fam != nil && fam.members >= limit {
		return fam.newest
	}
	return ""
}

// join books a new member.
func (f families) join(s *Series) {
	fam := f[s.base()]
	if fam == nil {
		fam = &family{}
		f[s.base()] = fam
	}
	fam.members++
	fam.newest = s.id()
}

// leave books that a member has left the cache.
func (f families) leave(s *Series) {
	fam := f[s.base()]
	if fam.members--; fam.members == 0 {
		delete(f, s.base())
	}
}
