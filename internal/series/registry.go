// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "k8s.io/utils/lru"

// shareRegistry remembers the shares that this process has in shared Events, by the hashes from
// which the names of the Events are made. Without the registry, a series that ends and begins again
// would add a new share each time, and would first try names that are known to be taken. When the
// registry is full, it forgets the least recently used share, which has these consequences for one
// series only. A shareRegistry is safe for concurrent use.
type shareRegistry struct {
	// known maps each keyHash to a lastShare.
	known *lru.Cache
}

// maxKnownShares is the maximum number of shares in the registry. It limits the memory to about 2
// MiB.
const maxKnownShares = 8192

func newShareRegistry() *shareRegistry { return &shareRegistry{known: lru.New(maxKnownShares)} }

// find returns the last share of the series with the given hash, or the zero value if there is
// none.
func (r *shareRegistry) find(hash keyHash) lastShare {
	value, _ := r.known.Get(hash)
	last, _ := value.(lastShare)
	return last
}

// keep stores the last share of the series with the given hash.
func (r *shareRegistry) keep(hash keyHash, last lastShare) { r.known.Add(hash, last) }
