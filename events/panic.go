// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"time"

	"github.com/eventseries/eventseries/internal/usercode"
)

// guard runs code of the caller. If it panics, that is a line of the log: neither
// who records nor who writes can do anything about it.
func (b *Broadcaster) guard(whose string, f func()) {
	if panicked := usercode.Call(f); panicked != nil {
		b.logPanic(whose, panicked)
	}
}

func (b *Broadcaster) logPanic(whose string, panicked *usercode.Panic) {
	b.muted.do("Panic", whose, time.Minute, func() {
		b.config.logger.Error(panicked, "Code that was handed to the broadcaster panicked; "+
			"Events go on, look at the stack and mend it", "whose", whose, "stack", string(panicked.Stack))
	})
}

// tell tells the drop handler, if there is one.
func (b *Broadcaster) tell(d Drop) {
	if handler := b.config.onDrop; handler != nil {
		b.guard("drop handler", func() { handler(d) })
	}
}
