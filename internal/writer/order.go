// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"slices"

	"github.com/eventseries/eventseries/internal/request"
)

// turns has the class that is first in each turn, NoWrite if that is the most urgent
// one that waits. So each class has a share, and none waits for ever behind those
// that are more urgent. A suspect queue is first in turn 0, if there is one.
var turns = [8]request.Class{
	2: request.FirstNormal, 3: request.FailedCreate, 4: request.Second, 6: request.Count, 7: request.FailedPatch,
}

// suspectTurn is the turn of a suspect queue, while there are others. What is slow or
// fails may wait, but must be tried to become healthy.
const suspectTurn = 0

// missedTurns are the classes of a queue that had their turn while as many writes of the
// queue were under way as may be, the first one first. The queue makes up for them. Else
// of two queues that are busy by turns, each could miss the same turns for ever.
type missedTurns []request.Class

func (m *missedTurns) add(class request.Class) {
	if class != request.NoWrite && !slices.Contains(*m, class) {
		*m = append(*m, class)
	}
}

// next returns the class that is next when it is the turn of class, NoWrite if none
// waits.
func (m *missedTurns) next(class request.Class, waits func(request.Class) bool) request.Class {
	if len(*m) == 0 && waits(class) {
		return class
	}
	m.add(class)
	for i, class := range *m {
		if waits(class) {
			*m = slices.Delete(*m, 0, i+1)
			return class
		}
	}
	*m = (*m)[:0]
	return request.NoWrite
}

// firstOf returns the class that is next of those that wait, NoWrite if none does.
func firstOf(preferred request.Class, waits func(request.Class) bool) request.Class {
	if preferred != request.NoWrite && waits(preferred) {
		return preferred
	}
	for class := request.FirstWarning; class < request.Classes; class++ {
		if waits(class) {
			return class
		}
	}
	return request.NoWrite
}
