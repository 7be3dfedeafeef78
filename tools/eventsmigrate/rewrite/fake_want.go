// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// kitWant is an eventstest.Want as it is written.
type kitWant struct{ typ, reason, note, noteContains string }

func (w kitWant) text(f *file) string {
	var fields []string
	for _, field := range []struct{ name, value string }{
		{"Type", w.typ}, {"Reason", w.reason}, {"Note", w.note}, {"NoteContains", w.noteContains},
	} {
		if field.value != "" {
			fields = append(fields, field.name+": "+field.value)
		}
	}
	return f.pkg(kitPath) + ".Want{" + strings.Join(fields, ", ") + "}"
}

// matcher is Gomega's Equal, ContainSubstring or HavePrefix as a Want.
func (a *fakes) matcher(f *file, e ast.Expr) (kitWant, bool) {
	if value := f.TypesInfo.Types[e].Value; value != nil {
		return a.want(f, "Equal", e)
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return kitWant{}, false
	}
	name, ok := f.gomegaName(call)
	if !ok {
		return kitWant{}, false
	}
	return a.want(f, name.Name, call.Args[0])
}

var (
	wholeText = regexp.MustCompile(`(?s)^(Normal|Warning) ([A-Z][A-Za-z0-9]*) (.+)$`)
	beginning = regexp.MustCompile(`^(Normal|Warning) ([A-Z][A-Za-z0-9]*)( ?)$`)
)

// want is what a comparison of the fake's string says about the fields of an
// Event, if it is certain which these are.
func (a *fakes) want(f *file, comparison string, e ast.Expr) (kitWant, bool) {
	value := f.TypesInfo.Types[e].Value
	if value == nil || value.Kind() != constant.String {
		return kitWant{}, false
	}
	text := constant.StringVal(value)
	literal, isLiteral := ast.Unparen(e).(*ast.BasicLit)
	isLiteral = isLiteral && literal.Kind == token.STRING
	words := a.vocabulary()
	switch comparison {
	case "Equal":
		if m := wholeText.FindStringSubmatch(text); m != nil && isLiteral && !words.spaces {
			return kitWant{typ: strconv.Quote(m[1]), reason: strconv.Quote(m[2]), note: strconv.Quote(m[3])}, true
		}
	case "Contains", "ContainSubstring", "HavePrefix":
		if m := beginning.FindStringSubmatch(text); m != nil && isLiteral && (m[3] != "" || words.isReason(m[2])) {
			return kitWant{typ: strconv.Quote(m[1]), reason: strconv.Quote(m[2])}, true
		}
		switch {
		case comparison == "HavePrefix":
		case words.isReason(text):
			return kitWant{reason: f.text(e)}, true
		case words.isNote(text):
			return kitWant{noteContains: f.text(e)}, true
		}
	}
	return kitWant{}, false
}

// vocabulary is what the package's own calls record, as far as it is constant.
type vocabulary struct {
	reasons, notes []string
	spaces         bool // a reason has some: the fields of a text are not certain
	annotated      bool // the fake's text ends with annotations
}

func (a *fakes) vocabulary() *vocabulary {
	if a.words != nil {
		return a.words
	}
	a.words = &vocabulary{}
	for _, f := range a.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if expr, ok := n.(*ast.CallExpr); ok {
				a.words.add(a.pass, expr)
			}
			return true
		})
	}
	return a.words
}

func (v *vocabulary) add(p *pass, expr *ast.CallExpr) {
	fn, ok := typeutil.Callee(p.TypesInfo, expr).(*types.Func)
	if !ok {
		return
	}
	c := call{CallExpr: expr, method: oldShape(fn)}
	if c.method == "" || !c.arguments() {
		return
	}
	v.annotated = v.annotated || c.method == annotatedf
	if value := p.TypesInfo.Types[c.reason].Value; value != nil {
		v.reasons = append(v.reasons, constant.StringVal(value))
		v.spaces = v.spaces || strings.Contains(constant.StringVal(value), " ")
	}
	ast.Inspect(c.note, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if value := p.TypesInfo.Types[e].Value; value != nil && value.Kind() == constant.String {
				v.notes = append(v.notes, constant.StringVal(value))
				return false
			}
		}
		return true
	})
}

// isReason says whether a part of the fake's string can only be the reason.
func (v *vocabulary) isReason(word string) bool {
	contains := func(text string) bool { return strings.Contains(text, word) && text != word }
	return slices.Contains(v.reasons, word) && !slices.ContainsFunc(v.reasons, contains) &&
		!slices.ContainsFunc(v.notes, func(note string) bool { return strings.Contains(note, word) })
}

// isNote says whether a part of the fake's string can only be in the note.
func (v *vocabulary) isNote(part string) bool {
	in := func(text string) bool { return strings.Contains(text, part) }
	return strings.Contains(strings.TrimSpace(part), " ") && slices.ContainsFunc(v.notes, in) &&
		!slices.ContainsFunc(v.reasons, in)
}
