// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// better reports an action that tells nothing. If one action is known for the reason, a fix puts it in the place of a literal.
func (l *lint) better(r *recording.Recording, arg ast.Expr, what string) {
	suggested := l.suggested(r)
	example := cmp.Or(strings.Join(suggested, `" or "`), "Scale")
	d := analysis.Diagnostic{
		Pos: arg.Pos(), End: arg.End(),
		Message: fmt.Sprintf("%s: name what was done or tried, such as \"%s\"", what, example),
	}
	literal, ok := ast.Unparen(arg).(*ast.BasicLit)
	if ok && literal.Kind == token.STRING && len(suggested) == 1 {
		d.SuggestedFixes = edit("Name the action", literal.Pos(), literal.End(), strconv.Quote(suggested[0]))
	}
	l.report(d)
}

// missing reports a format in the place of the action. It is most likely the note, because client-go's older recorder had no
// action. The arguments behind it are then those of the note. If one action is known, a fix puts it before the format.
func (l *lint) missing(r *recording.Recording, arg ast.Expr, format string) {
	suggested := l.suggested(r)
	d := analysis.Diagnostic{
		Pos: arg.Pos(), End: arg.End(),
		Message: fmt.Sprintf("the action has the verb %s, and nothing formats it: put an action before the note, such as \"%s\"",
			directive.FindString(format), cmp.Or(strings.Join(suggested, `" or "`), "Scale")),
	}
	if len(suggested) == 1 {
		d.SuggestedFixes = edit("Insert the action", arg.Pos(), arg.Pos(), strconv.Quote(suggested[0])+", ")
	}
	l.report(d)
}

// lacksAction reports whether a recording has a format in the place of its action.
func (l *lint) lacksAction(r *recording.Recording) bool {
	arg := r.Arg(recording.Action)
	return arg != nil && directive.MatchString(strings.Join(l.TextOf(arg).Constants, " "))
}

// suggested are the actions that are known for the reason of a recording, without one that tells nothing.
func (l *lint) suggested(r *recording.Recording) []string {
	call := actions.Call{
		Reason: l.TextOf(r.Arg(recording.Reason)).Constant(),
		Note:   l.TextOf(r.Arg(recording.Note)).Constant(),
	}
	if call.Reason == "" {
		return nil
	}
	if r.In != nil {
		call.Function = r.In.Name.Name
	}
	known := actions.Told(call.Reason)
	if choice := actions.Choose([]actions.Call{call})[0]; choice.Action != "" && !choice.Guess {
		known = []string{choice.Action}
	}
	return slices.DeleteFunc(known, func(action string) bool { return action == call.Reason })
}

func edit(message string, from, to token.Pos, text string) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{
		Message:   message,
		TextEdits: []analysis.TextEdit{{Pos: from, End: to, NewText: []byte(text)}},
	}}
}
