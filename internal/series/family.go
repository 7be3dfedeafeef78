// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

// family counts the series that differ in nothing but their note.
type family struct {
	members int
	last    Key // the newest member
}

// families are kept by the key without its note, and only for series that notes
// tell apart.
type families map[Key]*family

// adopt returns the key of the series that takes in an occurrence whose note has
// none: the newest member's. It is nil while the family has room.
func (f families) adopt(k *Key, limit int) *Key {
	base := *k
	base.Note = ""
	if fam := f[base]; fam != nil && fam.members >= limit {
		return &fam.last
	}
	return nil
}

// join books a new member.
func (f families) join(k *Key) {
	base := *k
	base.Note = ""
	fam := f[base]
	if fam == nil {
		fam = &family{}
		f[base] = fam
	}
	fam.members++
	fam.last = *k
}

// leave books that a member has left the cache.
func (f families) leave(k *Key) {
	base := *k
	base.Note = ""
	fam := f[base]
	if fam.members--; fam.members == 0 {
		delete(f, base)
	}
}
