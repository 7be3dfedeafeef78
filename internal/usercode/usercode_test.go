// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

func newText(out *strings.Builder, verbosity int) klog.Logger {
	return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(out), textlogger.Verbosity(verbosity)))
}

// Logger changes nothing in an ordinary line, its file and line number included.
func TestLoggerChangesNothing(t *testing.T) {
	var out strings.Builder
	logger := Logger(newText(&out, 2))
	logger.Info("one", "k", "v")
	logger.Error(errors.New("oh"), "two")
	logger.WithValues("a", 1).WithName("n").V(2).Info("three")
	logger.V(3).Info("not enabled")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3:\n%s", len(lines), out.String())
	}
	for i, want := range []string{`"one" k="v"`, `"two" err="oh"`, `"three" logger="n" a=1`} {
		if !strings.Contains(lines[i], want) || !strings.Contains(lines[i], "usercode_test.go:") {
			t.Errorf("%s, want %s from this file", lines[i], want)
		}
	}
	if !logger.V(2).Enabled() || logger.V(3).Enabled() {
		t.Error("the level is another one")
	}
}

// broken is a LogSink that panics in every method, once it is used.
type broken struct{ used *bool }

func (b broken) explode() {
	if *b.used {
		panic("oh")
	}
}

func (b broken) Init(klog.RuntimeInfo)          { b.explode() }
func (b broken) Enabled(int) bool               { b.explode(); return true }
func (b broken) Info(int, string, ...any)       { b.explode() }
func (b broken) Error(error, string, ...any)    { b.explode() }
func (b broken) WithValues(...any) klog.LogSink { b.explode(); return b }
func (b broken) WithName(string) klog.LogSink   { b.explode(); return b }
func (b broken) WithCallDepth(int) klog.LogSink { b.explode(); return b }

func TestLoggerPanics(t *testing.T) {
	used := false
	logger := Logger(klog.New(broken{&used}))
	used = true
	if logger.Enabled() {
		t.Error("enabled, though nobody can tell")
	}
	logger.Info("info")
	logger.Error(nil, "error")
	logger.WithValues("k", "v").Error(nil, "error")
	logger.WithName("n").Error(nil, "error")
	logger.GetSink().Init(klog.RuntimeInfo{})
	logger.GetSink().Info(0, "info")
}

// mute is an error whose Error method panics.
type mute struct{}

func (mute) Error() string { panic("oh") }

// several is an error that cannot be compared, like the aggregates of apimachinery.
type several []error

func (s several) Error() string { return fmt.Sprint([]error(s)) }

// forged is the line that an attacker wants to see at the beginning of a line of the log.
const forged = `E0101 00:00:00.000000       1 main.go:1] "All is lost"`

// One call writes one line of the log, whose further lines are indented, whatever its values are.
func TestLinesCannotBeForged(t *testing.T) {
	for name, values := range map[string][]any{
		"a reference": {"v", klog.KRef("default", "a\n"+forged)},
		"a namespace": {"v", klog.KRef("a\n"+forged, "web")},
		"a quote":     {"v", klog.KRef("default", `a" err="All is lost`)},
		"a text":      {"v", "a\n" + forged},
		"a return":    {"v", "a\n\r" + forged},
		"an escape":   {"v", "a\n\x1b[1G" + forged},
		"a separator": {"v", "a\n\u2028" + forged},
		"half a rune": {"v", "a\n\xe2\x80" + forged},
		"an error":    {"v", errors.New("a\n\x1b[1G" + forged)},
		"no error":    {"v", error(nil)},
		"a panic":     {"v", mute{}},
		"a nil error": {"v", (*sanitizedError)(nil)},
		"a bad key":   {"v"},
	} {
		var out strings.Builder
		logger := Logger(newText(&out, 0))
		logger.Info("one", values...)
		logger.Error(nil, "two", values...)
		logger.WithValues(values...).Info("three")
		if len(values) == 2 {
			if err, ok := values[1].(error); ok {
				logger.Error(err, "four")
			}
		}
		lines := strings.FieldsFunc(out.String(), func(r rune) bool { return strings.ContainsRune("\n\r\u2028", r) })
		for _, line := range lines {
			if strings.HasPrefix(line, forged) || strings.Contains(line, "\x1b") || !utf8.ValidString(line) ||
				strings.Contains(line, ` err="All`) {
				t.Errorf("%s: %q", name, line)
			}
		}
		if !strings.Contains(out.String(), "three") {
			t.Errorf("%s: a line is lost:\n%s", name, out.String())
		}
	}
}

func TestLinesHaveABound(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for name, value := range map[string]any{
		"a text": long, "lines": "a\n" + long, "an error": errors.New(long), "a reference": klog.KRef(long, long),
	} {
		var out strings.Builder
		Logger(newText(&out, 0)).Info("one", "v", value)
		if out.Len() > 3*maxText || !strings.Contains(out.String(), fmt.Sprint(len(long))) &&
			!strings.Contains(out.String(), fmt.Sprint(len(long)+2)) {
			t.Errorf("%s: a line of %d bytes: %.200s", name, out.Len(), out.String())
		}
	}
}

// A safe value is passed on unchanged, because other loggers may use more of it than its text.
func TestSafeValuesAreNotChanged(t *testing.T) {
	err := errors.New("oh")
	values := []any{"a", "b\nc", "d", err, "e", klog.KRef("default", "web.é"), "f", several{err}}
	got := sanitizeForLog(values)
	if !reflect.DeepEqual(got, values) {
		t.Errorf("changed: %v", got)
	}
	words := fmt.Errorf("\n\r%w", err)
	if sanitized := sanitizeError(words); sanitized == words || !errors.Is(sanitized, err) {
		t.Error("the error in other words is another one")
	}
}

// bomb is an error whose Error method panics with another bomb. Package fmt recovers only the first
// of these panics.
type bomb struct{}

func (bomb) Error() string { panic(bomb{}) }

func TestCall(t *testing.T) {
	// Go 1.27 words this differently from Go 1.26.
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
			if !strings.Contains(string(panicked.Stack), "usercode_test.go") {
				t.Errorf("the stack does not say where:\n%s", panicked.Stack)
			}
		})
	}
}

// Unwrap hides a cause that looks like an answer of the server, but not a runtime error.
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

// Shorten keeps the beginning and the end of a text and splits no rune. If the limit is too small
// for both, only the ellipsis is left.
func TestShorten(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 0, ""},
		{"cause", 5, "cause"},
		{"wrapper: cause", 14, "wrapper: cause"},
		{"wrapper: cause", 13, "wrapp…cause"},
		{"ééééé", 9, "é…éé"},
		{"ééééé", 8, "é…é"},
		{"\x80\x80\x80\x80\x80\x80\x80\x80\x80", 7, "\x80\x80…\x80\x80"},
		{"long", 3, "…"},
		{"long", 0, "…"},
	} {
		if got := Shorten(test.text, test.limit); got != test.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", test.text, test.limit, got, test.want)
		}
	}
}
