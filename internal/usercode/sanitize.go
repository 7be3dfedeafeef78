// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

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
			values[i] = klog.KRef(Escape(v.Namespace, maxText, isName), Escape(v.Name, maxText, isName))
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
		return Escape(text, maxText, isText)
	}
	return truncate(text, maxText)
}

func isName(r rune) bool { return unicode.IsPrint(r) && r != '"' }
func isText(r rune) bool { return unicode.IsPrint(r) || r == '\n' || r == '\t' }

// Escape returns at most limit bytes of text, and says how many there are if it cuts. It is
// valid UTF-8, in which runes that are not safe are written as Go escapes them.
func Escape(text string, limit int, safe func(rune) bool) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(truncate(text, limit), "\ufffd") {
		if safe(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteToASCII(string(r))
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return CutRunes(text, limit) + "… (" + strconv.Itoa(len(text)) + " bytes)"
}
