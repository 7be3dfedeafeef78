// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"k8s.io/klog/v2"
)

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
	return CutRunes(text, maxText) + "… (" + strconv.Itoa(len(text)) + " bytes)"
}
