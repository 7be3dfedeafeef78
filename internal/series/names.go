// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "k8s.io/utils/lru"

// nameRegistry remembers where this process has counted, by the hash of the key. The names of shared
// Events follow from that hash. Without the registry a series that begins again and again would ask
// for the Events of taken names each time, and have a new share each time. An entry that was
// forgotten costs that, and nothing else. It is safe for concurrent use.
type nameRegistry struct {
	known *lru.Cache // keyHash → lastShare
}

// maxNamesKnown bounds the memory to about 2 MiB.
const maxNamesKnown = 8192

func newNameRegistry() *nameRegistry { return &nameRegistry{known: lru.New(maxNamesKnown)} }

// find returns the last share of a key, or the zero value if there is none.
func (r *nameRegistry) find(hash keyHash) lastShare {
	value, _ := r.known.Get(hash)
	last, _ := value.(lastShare)
	return last
}

// keep remembers the last share of a key.
func (r *nameRegistry) keep(hash keyHash, last lastShare) { r.known.Add(hash, last) }
