// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

// chain is a linked list of occurrences, the oldest first. The links are in the
// occurrences, so it allocates nothing. The lock of the backlog guards it.
type chain struct {
	kind        chainKind
	first, last *occurrence
	n           int
}

// chainKind says which links a chain uses. An occurrence is in one chain of each kind.
type chainKind uint8

const (
	ofObject chainKind = iota // an objectQueue's
	ofAge                     // the backlog's, of all objects
	chainKinds
)

type link struct{ previous, next *occurrence }

func (c *chain) push(o *occurrence) {
	o.links[c.kind] = link{previous: c.last}
	if c.last == nil {
		c.first = o
	} else {
		c.last.links[c.kind].next = o
	}
	c.last = o
	c.n++
}

// remove takes out o, which must be in c.
func (c *chain) remove(o *occurrence) {
	at := o.links[c.kind]
	if at.previous == nil {
		c.first = at.next
	} else {
		at.previous.links[c.kind].next = at.next
	}
	if at.next == nil {
		c.last = at.previous
	} else {
		at.next.links[c.kind].previous = at.previous
	}
	o.links[c.kind] = link{}
	c.n--
}

// after returns the occurrence behind o.
func (c *chain) after(o *occurrence) *occurrence { return o.links[c.kind].next }
