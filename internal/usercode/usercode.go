// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"k8s.io/klog/v2"
)

// Panic is an error that represents a panic in the caller's code.
type Panic struct {
	// Stack is the stack of the goroutine at the time of the panic.
	Stack []byte

	// cause is the value that the code passed to panic.
	cause any
}

// Call runs f. If f panics, Call recovers the panic and returns it, otherwise it returns nil. It
// allocates only if f panics.
func Call(f func()) (p *Panic) {
	defer func() {
		if cause := recover(); cause != nil {
			p = &Panic{Stack: debug.Stack(), cause: cause}
		}
	}()
	f()
	return nil
}

// Error returns the text of the cause if it is an error or a string. For any other cause it returns
// only the type, because the cause may be a whole object, which must not be logged.
func (p *Panic) Error() string {
	switch p.cause.(type) {
	case error, string:
		return fmt.Sprintf("panicked: %s", p.text())
	default:
		return fmt.Sprintf("panicked with a %T", p.cause)
	}
}

// Unwrap returns the cause if it is a runtime error, such as a nil pointer dereference. It hides
// any other cause, because if some code panicked with an API error, the SDK would mistake this
// error for an answer of the server.
func (p *Panic) Unwrap() error {
	if err, ok := p.cause.(runtime.Error); ok {
		return err
	}
	return nil
}

// text formats the cause in at most 500 characters. If a method of the cause panics, the result
// names the type of the cause instead.
func (p *Panic) text() (text string) {
	if Call(func() { text = fmt.Sprintf("%.500v", p.cause) }) != nil {
		text = fmt.Sprintf("a %T", p.cause)
	}
	return text
}

// Sprintf is [fmt.Sprintf] without panics. Package fmt recovers a panic of an argument's Error or
// String method, but not a second panic, which happens if the recovered value has such a method
// that panics, too. In that case Sprintf returns the format and the cause.
//
// Nobody can recover a stack overflow. So a map that contains itself, or a String method that
// formats its own receiver, still ends the process.
func Sprintf(format string, args ...any) (text string) {
	if panicked := Call(func() { text = fmt.Sprintf(format, args...) }); panicked != nil {
		text = fmt.Sprintf("%s %%!(PANIC=%s)", format, panicked.text())
	}
	return text
}

// IsNil reports whether v is nil or holds a nil pointer. For example, the clients of client-go's
// fakes return a REST client that holds a nil pointer.
func IsNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

// Logger returns a logger that writes to logger, but does not panic, and sanitizes the values of
// each line. If logger panics, the line is lost. If logger was itself returned by Logger, it is
// returned unchanged.
func Logger(logger klog.Logger) klog.Logger {
	sink := logger.GetSink()
	if _, ours := sink.(logSink); sink == nil || ours {
		return logger
	}
	if deep, ok := sink.(interface{ WithCallDepth(int) klog.LogSink }); ok {
		// A line names the code that called the logger. Between that code and the sink are three
		// functions: a method of logSink, Call, and the function literal that Call runs.
		sink = deep.WithCallDepth(3)
	}
	return logger.WithSink(logSink{sink})
}

// logSink passes log lines on to another sink. It sanitizes the values of each line, and recovers
// from panics in the sink.
type logSink struct{ sink klog.LogSink }

func (s logSink) Init(info klog.RuntimeInfo) {
	_ = Call(func() { s.sink.Init(info) })
}

func (s logSink) Enabled(level int) (enabled bool) {
	_ = Call(func() { enabled = s.sink.Enabled(level) })
	return enabled
}

func (s logSink) Info(level int, msg string, keysAndValues ...any) {
	_ = Call(func() { s.sink.Info(level, msg, sanitizeForLog(keysAndValues)...) })
}

func (s logSink) Error(err error, msg string, keysAndValues ...any) {
	_ = Call(func() { s.sink.Error(sanitizeError(err), msg, sanitizeForLog(keysAndValues)...) })
}

func (s logSink) WithValues(keysAndValues ...any) klog.LogSink {
	return s.with(func() klog.LogSink { return s.sink.WithValues(sanitizeForLog(keysAndValues)...) })
}

func (s logSink) WithName(name string) klog.LogSink {
	return s.with(func() klog.LogSink { return s.sink.WithName(name) })
}

// with returns a logSink that passes log lines on to the result of other. If other panics, the
// returned logSink still uses the sink of s.
func (s logSink) with(other func() klog.LogSink) klog.LogSink {
	_ = Call(func() { s.sink = other() })
	return s
}

// FormatNote returns the note of an Event. With args it formats note as [fmt.Sprintf] does.
//
// Without args it takes note verbatim, so that the text of an error passed as note does not become
// %!d(MISSING). There is one exception: if note contains "%" only as "%%", each "%%" becomes "%",
// because client-go formats such a note.
func FormatNote(note string, args []any) string {
	if len(args) > 0 {
		return Sprintf(note, args...)
	}
	if strings.Count(note, "%") != 2*strings.Count(note, "%%") {
		return note
	}
	return strings.ReplaceAll(note, "%%", "%")
}

// CutRunes returns the beginning of s, at most limit bytes, without splitting a rune.
func CutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for i := limit; i > limit-utf8.UTFMax && i >= 0; i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	// These bytes are not UTF-8.
	return s[:limit]
}

// LastRunes returns the end of s, at most limit bytes, without splitting a rune.
func LastRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	first := len(s) - limit
	for i := first; i < first+utf8.UTFMax && i < len(s); i++ {
		if utf8.RuneStart(s[i]) {
			return s[i:]
		}
	}
	// These bytes are not UTF-8.
	return s[first:]
}

// Shorten returns text if it has at most limit bytes. Otherwise it returns the beginning, an
// ellipsis and the end, in limit bytes together. It keeps the end because the text of an error ends
// with the cause. It leaves out the middle, which mostly names the functions that wrapped the
// error.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const ellipsis = "…"
	left := max(limit-len(ellipsis), 0)
	beginning := CutRunes(text, left/2)
	return beginning + ellipsis + LastRunes(text, left-len(beginning))
}

// Plain returns text on a single line of at most limit bytes, without control characters.
func Plain(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
	return Shorten(strings.Join(strings.Fields(text), " "), limit)
}

// maxText is the maximum length of one text in a log line, in bytes. A server may answer with
// megabytes, and a caller may use megabytes as a name.
const maxText = 16 << 10

// sanitizeForLog returns a copy of the keys and values of a log line. In the copy, each text, error
// and object reference that could forge another line or fill the log is replaced by a safe one.
// This is necessary because klog does not escape the name in an object reference, and only indents
// a text of several lines. Even a valid name may be dangerous: the name of a Role may contain
// newlines, because its validation forbids only "/" and "%".
func sanitizeForLog(keysAndValues []any) []any {
	values := slices.Clone(keysAndValues)
	for i, value := range values {
		switch v := value.(type) {
		case string:
			values[i] = sanitizeText(v)
		case error:
			values[i] = sanitizeError(v)
		case klog.ObjectRef:
			values[i] = klog.KRef(sanitizeName(v.Namespace), sanitizeName(v.Name))
		}
	}
	return values
}

// sanitizeError returns err if its text is safe. Otherwise it returns an error that has a safe text
// and wraps err.
func sanitizeError(err error) error {
	text := Sprintf("%v", err)
	if clean := sanitizeText(text); clean != text {
		return &sanitizedError{clean, err}
	}
	return err
}

// sanitizedError wraps an error and has a safe text.
type sanitizedError struct {
	text string
	err  error
}

func (w *sanitizedError) Error() string { return w.text }
func (w *sanitizedError) Unwrap() error { return w.err }

// sanitizeText truncates a text. If the text has several lines it also escapes every character that
// is not printable. Loggers quote a text of one line themselves.
func sanitizeText(text string) string {
	if strings.Contains(text, "\n") {
		return Escape(truncate(text), func(r rune) bool { return unicode.IsPrint(r) || r == '\n' || r == '\t' })
	}
	return truncate(text)
}

// sanitizeName makes a name safe for klog, which writes it between quotes without escaping it.
func sanitizeName(name string) string {
	return Escape(truncate(name), func(r rune) bool { return unicode.IsPrint(r) && r != '"' })
}

// Escape returns text as valid UTF-8. If the function safe rejects a rune, Escape writes the rune
// as JSON does, such as \u000a.
func Escape(text string, safe func(rune) bool) string {
	var b strings.Builder
	for _, r := range text {
		if safe(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// truncate returns text if it has at most maxText bytes. Otherwise it shortens text and appends the
// original length of text.
func truncate(text string) string {
	if len(text) <= maxText {
		return text
	}
	return Shorten(text, maxText) + " (" + strconv.Itoa(len(text)) + " bytes)"
}
