// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/klog/v2"
)

// maxShown is how many bytes of one text a line shows: a server may answer with
// megabytes, and a caller may name an object so.
const maxShown = 16 << 10

// legible returns the values of a line so that none of them can pass for another
// line or fill the log. klog prints the name in a reference as it is, and also a
// text of several lines, which it only indents. Roles may have newlines in their
// names: their validation forbids "/" and "%", no more.
func legible(keysAndValues []any) []any {
	values, cloned := keysAndValues, false
	for i, value := range keysAndValues {
		shown, changed := legibleValue(value)
		if !changed {
			continue
		}
		if !cloned {
			values, cloned = slices.Clone(keysAndValues), true
		}
		values[i] = shown
	}
	return values
}

func legibleValue(value any) (shown any, changed bool) {
	switch v := value.(type) {
	case string:
		text := legibleText(v)
		return text, text != v
	case error:
		return legibleError(v)
	case klog.ObjectRef:
		ref := klog.KRef(escaped(v.Namespace, isName), escaped(v.Name, isName))
		return ref, ref != v
	}
	return value, false
}

// legibleError returns err, or one that reads differently and wraps it.
func legibleError(err error) (shown error, changed bool) {
	defer func() {
		if recover() != nil {
			shown, changed = err, false // no text can be had; the logger says so
		}
	}()
	if err == nil {
		return nil, false
	}
	text := err.Error()
	if clean := legibleText(text); clean != text {
		return &worded{clean, err}, true
	}
	return err, false
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (w *worded) Error() string { return w.text }
func (w *worded) Unwrap() error { return w.err }

// legibleText escapes what is not to be printed in a text of several lines. Loggers
// quote a text of one line themselves.
func legibleText(text string) string {
	if strings.Contains(text, "\n") {
		return escaped(text, isText)
	}
	return cut(text)
}

func isName(r rune) bool { return unicode.IsPrint(r) && r != '"' }
func isText(r rune) bool { return unicode.IsPrint(r) || r == '\n' || r == '\t' }

// escaped returns text, cut, with everything that is not to be shown as it is in
// Go's escapes.
func escaped(text string, asIs func(rune) bool) string {
	text = cut(text)
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !asIs(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(text[i]), 16))
		case asIs(r):
			b.WriteRune(r)
		default:
			quoted := strconv.Quote(string(r))
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// cut ends a long text, at a rune.
func cut(text string) string {
	if len(text) <= maxShown {
		return text
	}
	end := maxShown
	for end > maxShown-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "… (" + strconv.Itoa(len(text)) + " bytes)"
}
