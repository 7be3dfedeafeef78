// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"errors"
	"fmt"
)

// released are the modules of this repository that have releases, by their directories, beside those in contrib. The tag
// of a nested one has the directory before the version: tools/eventsmigrate/v0.1.0. All other modules are for the work
// on this repository.
var released = []string{"", "tools/eventsmigrate"}

// What a user pays at most. Whoever has to raise a bound says in CHANGELOG.md what it buys.
const (
	maxKiB     = 1792 // of the SDK's module zip
	maxFiles   = 900  // in it
	maxModules = 40   // in the build of the README's program; client-go needs them all but one
)

// bounds collects what is above its bound.
type bounds []error

func (b *bounds) most(what string, have, want int) {
	if have > want {
		*b = append(*b, fmt.Errorf("%s: %d, the bound is %d", what, have, want))
	}
}

func (b *bounds) err() error { return errors.Join(*b...) }
