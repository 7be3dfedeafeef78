// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// recording prints what is recorded.
type recording struct{ record.EventRecorder }

func (r recording) Event(object runtime.Object, eventtype, reason, message string) {
	r.Eventf(object, eventtype, reason, "%s", message)
}

func (r recording) Eventf(object runtime.Object, eventtype, reason, message string, args ...any) {
	line, _ := json.Marshal(map[string]string{"Type": eventtype, "Reason": reason, "Note": fmt.Sprintf(message, args...)})
	fmt.Printf("recorded %s\n", line)
	r.EventRecorder.Eventf(object, eventtype, reason, message, args...)
}
