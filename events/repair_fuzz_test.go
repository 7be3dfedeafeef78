// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// odd are texts at the edges of what the repairs look at.
var odd = []string{
	"", "%", "%%", "%d", "a/b/c", "a..b/c", "A.b/C_", "---", "a\xffb", "\xf0\x9f\x98", "\u212a/x", "a b",
	strings.Repeat("x", 127) + "é", strings.Repeat("x", 64), strings.Repeat("a.", 200) + "/x",
	strings.Repeat("é", 512), strings.Repeat("x", 1023) + "\xe2", strings.Repeat("\xff", 1100),
	strings.Repeat("😀", 300),
}

// FuzzNote: a note is valid UTF-8 of at most 1024 bytes, not shorter than it has to be, and what an escaped text says.
func FuzzNote(f *testing.F) {
	for _, text := range odd {
		f.Add(text, "arg")
	}
	f.Add(strings.Repeat("x", 1022)+"é…", "")
	f.Add("100%% of %d, %!s(MISSING)", "%")
	f.Fuzz(func(t *testing.T, text, arg string) {
		if got := usercode.FormatNote(strings.ReplaceAll(text, "%", "%%"), nil); got != text {
			t.Errorf("escaped, %q is %q", text, got)
		}
		if got, want := usercode.FormatNote(text, []any{arg}), fmt.Sprintf(text, arg); got != want {
			t.Errorf("%q with %q is %q, want %q", text, arg, got, want)
		}
		var repaired repairSet
		note := repairText(text, maxNote, RepairNote, &repaired)
		checkText(t, text, note, maxNote)
		whole, short := strings.ToValidUTF8(text, "\uFFFD"), repaired.has(RepairNote)
		start, cut := strings.CutSuffix(note, "…")
		switch {
		case (repaired == 0) != (note == text), !short && note != whole:
			t.Errorf("%q became %q, %v", text, note, repaired.kinds())
		case short && (!cut || !strings.HasPrefix(whole, start)):
			t.Errorf("%q was cut to %q", text, note)
		case short && utf8.ValidString(text) && len(note) <= maxNote-utf8.UTFMax:
			t.Errorf("%q was cut to %d bytes", text, len(note))
		}
	})
}

// FuzzNames: reason, action, controller and instance pass the server's validation, and long instances stay apart.
func FuzzNames(f *testing.F) {
	for i, text := range odd {
		f.Add(text, odd[len(odd)-1-i])
		f.Add("", text)
	}
	f.Add(strings.Repeat("x", 127)+"\xff", strings.Repeat("\xff", 126)+"xx")
	f.Add("-a.B_/_c-", "replica 0")
	f.Add("a//b", "/")
	f.Fuzz(func(t *testing.T, a, b string) {
		o := &call{Occurrence: series.Occurrence{Key: series.Key{Reason: a, Action: b}}}
		o.fillNames()
		o.repairNames()
		checkText(t, cmp.Or(a, b, unspecified), o.Reason, maxName)
		checkText(t, cmp.Or(b, a, unspecified), o.Action, maxName)
		var repaired repairSet
		c := repairController(a, &repaired)
		if errs := validation.IsQualifiedName(c); len(errs) > 0 || (c == a) != (repaired == 0) {
			t.Errorf("controller %q became %q, %v: %v", a, c, repaired.kinds(), errs)
		}
		repaired = 0
		i := repairInstance(b, &repaired)
		checkText(t, b, i, maxName)
		if (i == b) != (repaired == 0) {
			t.Errorf("instance %q became %q, %v", b, i, repaired.kinds())
		}
		if other := repairInstance(b+"x", new(repairSet)); other == i {
			t.Errorf("%q and one x more are both %q", b, i)
		}
	})
}

// checkText holds what every repaired text has in common.
func checkText(t *testing.T, given, got string, limit int) {
	t.Helper()
	if got == "" && given != "" || len(got) > limit || !utf8.ValidString(got) {
		t.Errorf("%q became %q of %d bytes", given, got, len(got))
	}
	if len(given) <= limit && utf8.ValidString(given) && got != given {
		t.Errorf("%q became %q, which is no repair", given, got)
	}
	var again repairSet
	if twice := repairText(got, limit, RepairLength, &again); again != 0 || twice != got {
		t.Errorf("%q is repaired again to %q", got, twice)
	}
}
