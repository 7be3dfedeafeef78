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

// Logger returns a logger that writes to logger. If logger panics, the line is lost.
// The values of each line are sanitized.
func Logger(logger klog.Logger) klog.Logger {
	sink := logger.GetSink()
	if _, ours := sink.(logSink); sink == nil || ours {
		return logger
	}
	if deep, ok := sink.(interface{ WithCallDepth(int) klog.LogSink }); ok {
		sink = deep.WithCallDepth(3) // a line names its caller: not a method of logSink, Call, or the function in it
	}
	return logger.WithSink(logSink{sink})
}

// logSink recovers the panics of another sink, and sanitizes the values it gets.
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

// with returns a logSink over the result of other, or s if other panics.
func (s logSink) with(other func() klog.LogSink) klog.LogSink {
	_ = Call(func() { s.sink = other() })
	return s
}

// FormatNote returns the note. Without args it is taken verbatim, so that an error
// text passed as a format does not become %!d(MISSING); only %% becomes %, as it
// would have with client-go, and only when there is no other verb.
func FormatNote(note string, args []any) string {
	if len(args) > 0 {
		return Sprintf(note, args...)
	}
	if strings.Count(note, "%") != 2*strings.Count(note, "%%") {
		return note
	}
	return strings.ReplaceAll(note, "%%", "%")
}

// CutRunes returns at most limit bytes of s without splitting a rune.
func CutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for i := limit; i > limit-utf8.UTFMax && i >= 0; i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	return s[:limit] // not UTF-8 here
}

// LastRunes returns at most the last limit bytes of s without splitting a rune.
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
	return s[first:] // not UTF-8 here
}

// Shorten returns text, or its beginning, an ellipsis and its end if it has more than limit
// bytes. It keeps the end because that of an error's text is the cause; what is in between
// are most often the functions that have wrapped it.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const ellipsis = "…"
	left := max(limit-len(ellipsis), 0)
	beginning := CutRunes(text, left/2)
	return beginning + ellipsis + LastRunes(text, left-len(beginning))
}

// maxText bounds the bytes of one text in a line. A server may answer with megabytes,
// and a caller may use megabytes as a name.
const maxText = 16 << 10

// sanitizeForLog returns the values of a line so that none of them can forge another
// line or fill the log. klog does not escape the name in a reference, and only
// indents a text of several lines. Names of Roles may contain newlines: their
// validation forbids only "/" and "%".
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

// sanitizeError returns err, or an error in its place that has a safe text.
func sanitizeError(err error) error {
	text := Sprintf("%v", err)
	if clean := sanitizeText(text); clean != text {
		return &sanitizedError{clean, err}
	}
	return err
}

// sanitizedError is an error with a safe text.
type sanitizedError struct {
	text string
	err  error
}

func (w *sanitizedError) Error() string { return w.text }
func (w *sanitizedError) Unwrap() error { return w.err }

// sanitizeText escapes characters that are not printable in a text of several lines.
// Loggers quote a text of one line themselves.
func sanitizeText(text string) string {
	if strings.Contains(text, "\n") {
		return Escape(truncate(text), func(r rune) bool { return unicode.IsPrint(r) || r == '\n' || r == '\t' })
	}
	return truncate(text)
}

func sanitizeName(name string) string {
	return Escape(truncate(name), func(r rune) bool { return unicode.IsPrint(r) && r != '"' })
}

// Escape returns text as valid UTF-8, in which runes that are not safe are written as in JSON.
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

// truncate returns at most maxText bytes of text, and says how many there are if it cuts.
func truncate(text string) string {
	if len(text) <= maxText {
		return text
	}
	return Shorten(text, maxText) + " (" + strconv.Itoa(len(text)) + " bytes)"
}
