// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

// Packed texts stand one after another, each behind its length. Two lists of as
// many texts are packed alike only if they are equal, so what is packed can be
// the key of a map; one look-up then hashes and compares one string, where a
// struct of eighteen costs more than all the rest of a repeat. And a series keeps
// its texts in one allocation.

// pack appends s to buf. The length is a varint: a byte for nearly every text.
func pack[T ~string](buf []byte, s T) []byte {
	n := len(s)
	for ; n >= 0x80; n >>= 7 {
		buf = append(buf, byte(n)|0x80)
	}
	if buf = append(buf, byte(n)); n == 0 {
		return buf // no call to copy nothing
	}
	return append(buf, s...)
}

// unpacker takes texts out in the order in which they were packed. They share
// the memory of what they are taken from.
type unpacker struct{ rest string }

func (u *unpacker) text() string {
	n, i := 0, 0
	for shift := 0; ; shift += 7 {
		c := u.rest[i]
		i++
		n |= int(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	s := u.rest[i : i+n]
	u.rest = u.rest[i+n:]
	return s
}

func (u *unpacker) flag() byte {
	flag := u.rest[0]
	u.rest = u.rest[1:]
	return flag
}
