// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "k8s.io/utils/lru"

// shareRegistry remembers where this process has counted, by the hash of the key. The names of shared
// Events follow from that hash. Without the registry a series that begins again and again would ask
// for the Events of taken names each time, and have a new share each time. It forgets the shares that
// were not asked for longest, which costs those requests and nothing else. It is safe for concurrent
// use.
type shareRegistry struct {
	// known has a lastShare for each keyHash.
	known *lru.Cache
}

// maxKnownShares bounds the memory to about 2 MiB.
const maxKnownShares = 8192

func newShareRegistry() *shareRegistry { return &shareRegistry{known: lru.New(maxKnownShares)} }

// find returns the last share of a key, or the zero value if there is none.
func (r *shareRegistry) find(hash keyHash) lastShare {
	value, _ := r.known.Get(hash)
	last, _ := value.(lastShare)
	return last
}

// keep remembers the last share of a key.
func (r *shareRegistry) keep(hash keyHash, last lastShare) { r.known.Add(hash, last) }
