// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import "strconv"

// Permission says whether one API may be written. The zero value is
// PermissionUnknown.
type Permission int

const (
	// PermissionUnknown means that no review settled it; it is not a no.
	PermissionUnknown Permission = iota
	// Allowed means that Events may be created and patched.
	Allowed
	// Denied means that Events may not be created, or not be patched.
	Denied
)

// String returns the answer in a word, as in "denied".
func (p Permission) String() string {
	switch p {
	case PermissionUnknown:
		return "unknown"
	case Allowed:
		return "allowed"
	case Denied:
		return "denied"
	default:
		return "Permission(" + strconv.Itoa(int(p)) + ")"
	}
}

// and is the permission for two verbs that are both needed: a no to one settles
// it, also when the other is not known.
func (p Permission) and(q Permission) Permission {
	switch {
	case p == Denied || q == Denied:
		return Denied
	case p == Allowed && q == Allowed:
		return Allowed
	default:
		return PermissionUnknown
	}
}
