// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// bomb is an error whose text panics with a bomb, of which fmt contains but the first.
type bomb struct{}

func (bomb) Error() string { panic(bomb{}) }

func TestCall(t *testing.T) {
	// Go 1.27 has other words for it than 1.26.
	nothing := "panicked: " + new(runtime.PanicNilError).Error()
	for name, test := range map[string]struct {
		f    func()
		want string
	}{
		"no panic":        {func() {}, ""},
		"nil":             {func() { panic(nil) }, nothing},
		"a text":          {func() { panic("oh") }, "panicked: oh"},
		"an error":        {func() { panic(errors.New("oh")) }, "panicked: oh"},
		"a runtime error": {func() { map[string]int(nil)["a"]++ }, "panicked: assignment to entry in nil map"},
		"an object":       {func() { panic(&struct{ secret string }{"x"}) }, "panicked with a *struct { secret string }"},
		"a bomb":          {func() { panic(bomb{}) }, "panicked: a usercode.bomb"},
		"a novel":         {func() { panic(strings.Repeat("x", 1000)) }, "panicked: " + strings.Repeat("x", 500)},
	} {
		t.Run(name, func(t *testing.T) {
			panicked := Call(test.f)
			if panicked == nil {
				if test.want != "" {
					t.Error("no panic")
				}
				return
			}
			if got := panicked.Error(); test.want == "" || !strings.HasPrefix(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if len(panicked.Error()) > 600 {
				t.Errorf("a text of %d bytes", len(panicked.Error()))
			}
			if !strings.Contains(string(panicked.Stack), "panic_test.go") {
				t.Errorf("the stack does not say where:\n%s", panicked.Stack)
			}
		})
	}
}

// A cause that looks like an answer is none; that the program is wrong may be known.
func TestPanicUnwraps(t *testing.T) {
	if err := error(Call(func() { panic(context.DeadlineExceeded) })); errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v looks like a timeout", err)
	}
	var wrong runtime.Error
	if err := error(Call(func() { map[string]int(nil)["a"]++ })); !errors.As(err, &wrong) {
		t.Errorf("%v hides a runtime error", err)
	}
}

type text func() string

func (s text) String() string { return s() }

func TestSprintf(t *testing.T) {
	for want, got := range map[string]string{
		"a 1 b":                             Sprintf("a %d b", 1),
		"100%":                              Sprintf("100%%"),
		"a %!s(PANIC=String method: oh)":    Sprintf("a %s", text(func() string { panic("oh") })),
		"a %s %!(PANIC=a usercode.bomb)":    Sprintf("a %s", bomb{}),
		"a %s %!(PANIC=a usercode.bomb) ":   Sprintf("a %s", text(func() string { panic(bomb{}) })) + " ",
		"a %v %d %!(PANIC=a usercode.bomb)": Sprintf("a %v %d", []any{bomb{}}, 2),
		"a <nil>":                           Sprintf("a %v", nil),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestIsNil(t *testing.T) {
	var pointer *int
	for name, tt := range map[string]struct {
		v    any
		want bool
	}{
		"nil": {nil, true}, "nil pointer": {pointer, true}, "pointer": {new(int), false}, "struct": {struct{}{}, false},
	} {
		if got := IsNil(tt.v); got != tt.want {
			t.Errorf("IsNil(%s) = %t, want %t", name, got, tt.want)
		}
	}
}
