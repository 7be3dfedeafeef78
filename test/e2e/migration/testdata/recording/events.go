// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
)

// recording prints what is recorded.
type recording struct{ events.EventRecorder }

func (r recording) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	line, _ := json.Marshal(map[string]string{"Type": eventtype, "Reason": reason, "Note": fmt.Sprintf(note, args...)})
	fmt.Printf("recorded %s\n", line)
	r.EventRecorder.Eventf(regarding, related, eventtype, reason, action, note, args...)
}
