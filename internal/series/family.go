// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

// family counts the series that differ in nothing but their note.
type family struct {
	members int
	last    Key // the newest member
}

// families are kept by the key without its note, and only for keys with one.
type families map[Key]*family

// adopt returns the key under which an occurrence with a note of its own is
// kept: its own while the family has room, else that of the newest member.
func (f families) adopt(k *Key, limit int) *Key {
	base := *k
	base.Note = ""
	if fam := f[base]; fam != nil && fam.members >= limit {
		return &fam.last
	}
	return k
}

// join books a new member.
func (f families) join(k *Key) {
	if k.Note == "" {
		return
	}
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
	if k.Note == "" {
		return
	}
	base := *k
	base.Note = ""
	fam := f[base]
	if fam.members--; fam.members == 0 {
		delete(f, base)
	}
}
