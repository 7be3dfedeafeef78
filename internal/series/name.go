// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation"
)

// nameSuffix is ".", 16 hex digits of nanoseconds and 8 of a random number.
const nameSuffix = 1 + 16 + 8

var (
	// lastNano makes the nanoseconds in names strictly increase in the process,
	// also when the clock is coarse or set back.
	lastNano atomic.Int64
	// processID tells two processes that record in the same nanosecond apart.
	processID = rand.Uint32()
)

// NewName returns the name of an Event about regarding: unique, a DNS subdomain
// as events.k8s.io/v1 demands (rule S1), and in order of time when sorted, which
// is how kubectl describe lists Events without lastTimestamp.
func NewName(regarding string, now time.Time) string {
	nano := now.UnixNano()
	for {
		last := lastNano.Load()
		nano = max(nano, last+1)
		if lastNano.CompareAndSwap(last, nano) {
			break
		}
	}
	suffix := fmt.Sprintf(".%016x%08x", nano, processID)
	name := subdomain(regarding, validation.DNS1123SubdomainMaxLength-nameSuffix) + suffix
	if len(apivalidation.NameIsDNSSubdomain(name, false)) > 0 {
		return string(uuid.NewUUID())
	}
	return name
}

// subdomain makes name a DNS subdomain of at most limit bytes; it is empty when
// nothing of it can stay.
func subdomain(name string, limit int) string {
	var b strings.Builder
	for i := 0; i < len(name) && b.Len() < limit; i++ {
		c := name[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '.':
		default:
			c = '-'
		}
		b.WriteByte(c)
	}
	labels := strings.Split(b.String(), ".")
	kept := labels[:0]
	for _, label := range labels {
		if label = strings.Trim(label, "-"); label != "" {
			kept = append(kept, label)
		}
	}
	return strings.Join(kept, ".")
}
