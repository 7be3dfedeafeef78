// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/lru"
)

// keyHash identifies a series to every process that records it: 128 bits of SHA-256
// over the key without the reporting instance.
type keyHash [16]byte

// hashOf returns the hash of a key. The first text is the version of what follows.
func hashOf(k *Key) (hash keyHash) {
	var buf [keyBuffer]byte
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
// the generation, or, if that is no DNS subdomain, what comes after the object's name.
func (h keyHash) name(regarding string, generation int) string {
	suffix := hex.EncodeToString(h[:]) + "." + strconv.Itoa(generation)
	room := validation.DNS1123SubdomainMaxLength - len(".") - len(suffix)
	if len(regarding) <= room && plain(regarding) {
		return regarding + "." + suffix
	}
	regarding = subdomain(regarding, room)
	if name := regarding + "." + suffix; len(apivalidation.NameIsDNSSubdomain(name, false)) == 0 {
		return name
	}
	return suffix
}

// generations makes the names of Events follow from the keys of their series. It remembers
// which was the last generation of a series. Without that, a series that begins again and
// again would ask for all its earlier Events each time. What it has forgotten costs these
// requests, and no more. It is safe for concurrent use.
type generations struct {
	finish time.Duration
	known  *lru.Cache // keyHash → generation
}

// maxGenerations bounds the memory to about 2 MiB.
const maxGenerations = 8192

type generation struct {
	number int
	last   time.Time // the last occurrence that was written
}

func newGenerations(finish time.Duration) *generations {
	return &generations{finish: finish, known: lru.New(maxGenerations)}
}

// next returns the generation to try first for a series that begins at now: the last
// one, or the one after it if that is over.
func (n *generations) next(hash keyHash, now time.Time) int {
	last, ok := n.known.Get(hash)
	if !ok {
		return 0
	}
	g := last.(generation)
	if now.Sub(g.last) >= n.finish {
		return g.number + 1
	}
	return g.number
}

func (n *generations) remember(hash keyHash, number int, last time.Time) {
	n.known.Add(hash, generation{number, last})
}
