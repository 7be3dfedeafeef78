// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Prefixed puts its prefix before every message.
type Prefixed struct {
	record.EventRecorder
	Prefix string
}

var _ record.EventRecorder = &Prefixed{}

// WithPrefix returns a recorder whose messages begin with prefix.
func WithPrefix(recorder record.EventRecorder, prefix string) record.EventRecorder {
	return &Prefixed{EventRecorder: recorder, Prefix: prefix}
}

// Event implements record.EventRecorder.
func (p *Prefixed) Event(object runtime.Object, eventtype, reason, message string) {
	p.EventRecorder.Event(object, eventtype, reason, p.Prefix+message)
}

// Eventf implements record.EventRecorder.
func (p *Prefixed) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) {
	p.EventRecorder.Event(object, eventtype, reason, p.Prefix+fmt.Sprintf(messageFmt, args...))
}
