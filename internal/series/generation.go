// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"k8s.io/utils/lru"
)

// keyHash identifies a series to every process that records it: 128 bits of SHA-256
// over the key without the reporting instance.
type keyHash [16]byte

// hashOf returns the hash of a key. The first text is the version of what follows.
func hashOf(k *Key) (hash keyHash) {
	var buf KeyBuffer
	text := pack(buf[:0], "1")
	text = pack(pack(pack(pack(text, k.ReportingController), k.Type), k.Reason), k.Action)
	text = k.Regarding.packIdentity(text)
	if k.HasRelated {
		text = k.Related.packIdentity(text)
	}
	sum := sha256.Sum256(text)
	copy(hash[:], sum[:])
	return hash
}

// name returns the name of the Event of a generation: the object's name, the hash and
// the generation.
func (h keyHash) name(regarding string, generation int) string {
	return eventName(regarding, hex.EncodeToString(h[:])+"."+strconv.Itoa(generation))
}

// generations makes the names of Events follow from the keys of their series, and remembers
// where this process has counted. Without that, a series that begins again and again would
// ask for the Events of taken names each time, and have a new share each time. What it has
// forgotten costs that, and no more. It is safe for concurrent use.
type generations struct {
	known *lru.Cache // keyHash → counted
}

// maxGenerations bounds the memory to about 2 MiB.
const maxGenerations = 8192

// counted is where a series has counted: its last share.
type counted struct {
	generation   int
	instance, id string
	count        int64
}

func newGenerations() *generations { return &generations{known: lru.New(maxGenerations)} }

func (n *generations) recall(hash keyHash) counted {
	last, _ := n.known.Get(hash)
	m, _ := last.(counted)
	return m
}

// forget keeps the name alone of an Event that has expired.
func (n *generations) forget(c *continuity) { n.known.Add(c.hash, counted{generation: c.generation}) }

// remember keeps what the server has acknowledged of s.
func (n *generations) remember(s *Series, instance string) {
	c := s.rare().continuity
	n.known.Add(c.hash, counted{c.generation, instance, c.id, c.base + s.recorded})
}
