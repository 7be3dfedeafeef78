// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
)

// Panic is the error for a panic of user code.
type Panic struct {
	Stack []byte // of the goroutine at the panic

	cause any
}

// Call runs f. It returns nil unless f panics. It allocates only then.
func Call(f func()) (p *Panic) {
	defer func() {
		if cause := recover(); cause != nil {
			p = &Panic{Stack: debug.Stack(), cause: cause}
		}
	}()
	f()
	return nil
}

// Error returns the text of an error or a string. For any other cause it names only
// the type, because a whole object must not be logged.
func (p *Panic) Error() string {
	switch p.cause.(type) {
	case error, string:
		return fmt.Sprintf("panicked: %s", p.text())
	default:
		return fmt.Sprintf("panicked with a %T", p.cause)
	}
}

// Unwrap returns the cause if it is a runtime error, such as a nil pointer
// dereference. Any other cause is hidden: an API error that code panicked with is not
// an answer of the server.
func (p *Panic) Unwrap() error {
	if err, ok := p.cause.(runtime.Error); ok {
		return err
	}
	return nil
}

// text formats the cause, in 500 characters at most, or names its type if formatting panics.
func (p *Panic) text() (text string) {
	if Call(func() { text = fmt.Sprintf("%.500v", p.cause) }) != nil {
		text = fmt.Sprintf("a %T", p.cause)
	}
	return text
}

// Sprintf is [fmt.Sprintf], but it does not panic. Package fmt recovers a panic of an
// argument's method, but not a second panic of the panic value's own Error or String
// method. In that case Sprintf returns the format and the cause.
//
// A stack overflow cannot be recovered. A map that contains itself, or a String
// method that formats its receiver, still ends the process.
func Sprintf(format string, args ...any) (text string) {
	if panicked := Call(func() { text = fmt.Sprintf(format, args...) }); panicked != nil {
		text = fmt.Sprintf("%s %%!(PANIC=%s)", format, panicked.text())
	}
	return text
}

// IsNil reports whether v is nil or holds a nil pointer, like the REST client of
// client-go's fakes.
func IsNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}
