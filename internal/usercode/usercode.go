// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package usercode calls code that is not the SDK's: accessors of objects, String
// methods, sinks, handlers, loggers. A panic there becomes a value, so that it
// ends neither the caller who records nor a goroutine that writes.
package usercode

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
)

// Panic is the error that foreign code panicked with.
type Panic struct {
	Stack []byte // where

	cause any
}

// Call runs f and returns what it panicked with, nil if it did not.
func Call(f func()) (p *Panic) {
	defer func() {
		if cause := recover(); cause != nil {
			p = Recovered(cause)
		}
	}()
	f()
	return nil
}

// Recovered makes a Panic of what recover returned. The deferred function must
// call it, or the stack is another one.
func Recovered(cause any) *Panic { return &Panic{Stack: debug.Stack(), cause: cause} }

// Error says what the panic said. Of anything but a text it names the type only:
// it may be a whole object, which belongs in no log.
func (p *Panic) Error() string {
	switch p.cause.(type) {
	case error, string:
		return fmt.Sprintf("panicked: %s", p.text())
	default:
		return fmt.Sprintf("panicked with a %T", p.cause)
	}
}

// Unwrap returns a runtime error, such as a nil pointer that was followed. Any
// other cause is kept in: it is no answer of a server, though it may look like one.
func (p *Panic) Unwrap() error {
	if err, ok := p.cause.(runtime.Error); ok {
		return err
	}
	return nil
}

// maxText is how much of a text is enough to know what is wrong.
const maxText = "500"

// text is what the cause says, unless it panics itself.
func (p *Panic) text() (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T", p.cause)
		}
	}()
	return fmt.Sprintf("%."+maxText+"v", p.cause)
}

// Sprintf is fmt.Sprintf that never panics. Package fmt contains the panic of an
// argument, but not that of a panic's own Error or String method; then the format
// is returned, and why it could not be filled in.
//
// What fmt does not survive, nothing can contain: a map or slice that contains
// itself, or a String method that formats its receiver, exhausts the stack.
func Sprintf(format string, args ...any) (text string) {
	defer func() {
		if cause := recover(); cause != nil {
			text = fmt.Sprintf("%s %%!(PANIC=%s)", format, Recovered(cause).text())
		}
	}()
	return fmt.Sprintf(format, args...)
}

// IsNil reports whether v is nil or holds a nil pointer, as the REST client of
// client-go's fakes does.
func IsNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}
