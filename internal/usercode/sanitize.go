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

// maxText bounds the bytes of one text in a line. A server may answer with megabytes,
// and a caller may use megabytes as a name.
const maxText = 16 << 10

// sanitizeForLog returns the values of a line so that none of them can forge another
// line or fill the log. klog does not escape the name in a reference, and only
// indents a text of several lines. Names of Roles may contain newlines: their
// validation forbids only "/" and "%".
func sanitizeForLog(keysAndValues []any) []any {
	values, cloned := keysAndValues, false
	for i, value := range keysAndValues {
		sanitized, changed := sanitizeValue(value)
		if !changed {
			continue
		}
		if !cloned {
			values, cloned = slices.Clone(keysAndValues), true
		}
		values[i] = sanitized
	}
	return values
}

func sanitizeValue(value any) (sanitized any, changed bool) {
	switch v := value.(type) {
	case string:
		text := sanitizeText(v)
		return text, text != v
	case error:
		return sanitizeError(v)
	case klog.ObjectRef:
		ref := klog.KRef(escape(v.Namespace, isName), escape(v.Name, isName))
		return ref, ref != v
	}
	return value, false
}

// sanitizeError returns err, or an error with a safe text that wraps err.
func sanitizeError(err error) (sanitized error, changed bool) {
	defer func() {
		if recover() != nil {
			sanitized, changed = err, false // Error panics, and the logger reports that
		}
	}()
	if err == nil {
		return nil, false
	}
	text := err.Error()
	if clean := sanitizeText(text); clean != text {
		return &sanitizedError{clean, err}, true
	}
	return err, false
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
		return escape(text, isText)
	}
	return truncate(text)
}

func isName(r rune) bool { return unicode.IsPrint(r) && r != '"' }
func isText(r rune) bool { return unicode.IsPrint(r) || r == '\n' || r == '\t' }

// escape truncates text and replaces runes that are not safe by Go's escapes.
func escape(text string, safe func(rune) bool) string {
	text = truncate(text)
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !safe(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(text[i]), 16))
		case safe(r):
			b.WriteRune(r)
		default:
			quoted := strconv.Quote(string(r))
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// truncate shortens a long text at the beginning of a rune.
func truncate(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "… (" + strconv.Itoa(len(text)) + " bytes)"
}
