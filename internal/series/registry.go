// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "k8s.io/utils/lru"

// shareRegistry remembers the shares of this process in shared Events. Its keys are the hashes from
// which the names of the Events are made. Without it, a series that ends and begins again would
// each time add a new share, and request the Events of names that are known to be taken. When it is
// full, the registry forgets the least recently used share, which costs only such requests. It is
// safe for concurrent use.
type shareRegistry struct {
	// known maps each keyHash to a lastShare.
	known *lru.Cache
}

// maxKnownShares is the maximum number of shares in the registry. It limits the memory to about 2
// MiB.
const maxKnownShares = 8192

func newShareRegistry() *shareRegistry { return &shareRegistry{known: lru.New(maxKnownShares)} }

// find returns the last share of a key, or the zero value if there is none.
func (r *shareRegistry) find(hash keyHash) lastShare {
	value, _ := r.known.Get(hash)
	last, _ := value.(lastShare)
	return last
}

// keep stores the last share of a key.
func (r *shareRegistry) keep(hash keyHash, last lastShare) { r.known.Add(hash, last) }
