// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
)

// maxText bounds a text in bytes. Names of Kubernetes' objects are shorter.
const maxText = 512

// clean returns text as it is shown: of bounded length, and without characters that are
// not seen, such as those that turn the direction of what follows.
func clean(text string) string {
	cut := len(text) > maxText
	if cut {
		n := maxText
		for !utf8.RuneStart(text[n]) && n > maxText-utf8.UTFMax {
			n--
		}
		text = text[:n]
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.ContainsFunc(text, isHidden) {
		text = escapeHidden(text)
	}
	if cut {
		text += "…"
	}
	return text
}

// isHidden reports whether a reader would not see r as it is. Newlines count, since a text
// is shown in one line.
func isHidden(r rune) bool { return !unicode.IsPrint(r) }

func escapeHidden(text string) string {
	var b strings.Builder
	for _, r := range text {
		if isHidden(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cleanAll cleans texts where they are.
func cleanAll[T ~string](texts ...*T) {
	for _, text := range texts {
		*text = T(clean(string(*text)))
	}
}

func cleanReference(r *corev1.ObjectReference) {
	cleanAll(&r.Kind, &r.Namespace, &r.Name, &r.APIVersion, &r.ResourceVersion, &r.FieldPath)
	cleanAll(&r.UID)
}

// textOf returns what an error says. The error may be a client's, and panic.
func textOf(err error) (text string) {
	if err == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = "the error has no text"
		}
	}()
	return clean(err.Error())
}
