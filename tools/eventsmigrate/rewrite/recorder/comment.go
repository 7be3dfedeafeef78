// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

const (
	replaced = `(?i:deprecat|migrat|switch|replac|move to|new API)`
	oldAPI   = `(\brecord\.\w*Event|GetEventRecorderFor|\btools/record\b)`
)

var (
	// directive tells a linter that a call may be deprecated, and perhaps nolintlint that this may be needless.
	directive = regexp.MustCompile(`^//\s*nolint:\s*(nolintlint,\s*)?staticcheck(,\s*nolintlint)?(\s|$)|^//lint:ignore SA1019\s`)

	// reminder asks for the migration: it names the new API, or says of the old one that it goes.
	reminder = regexp.MustCompile(`^//\s*(TODO|FIXME|XXX)\b.*(\bevents\.\w*Event|\bGetEventRecorder\b|\btools/events\b|` +
		replaced + `.*` + oldAPI + `|` + oldAPI + `.*` + replaced + `)`)

	// givesReason is what a comment has that says why something is as it is.
	givesReason = regexp.MustCompile(`(?i)\b(required?|requires|because|compat\w*|RBAC|until)\b`)

	// ofAPI is what comments name that are about the choice of an API.
	ofAPI = regexp.MustCompile(oldAPI + `|(?i:\b(old|new|legacy|core|events) API\b|deprecated|SA1019|events\.k8s\.io)`)

	// oldName is a name of the old package, as comments have it, and the article before it.
	oldName = regexp.MustCompile(`\b([Aa] )?record\.([A-Z]\w*)\b`)
)

// dropDirectives removes the directives for a call that is deprecated no longer.
func (f *file) dropDirectives(call ast.Expr) {
	for _, comment := range f.beside(call) {
		if directive.MatchString(comment.Text) {
			f.cut(comment, "this directive has nothing to allow any more")
		}
	}
}

// comments changes what comments say about edited code: reminders of the migration go, and names of the old package get
// their new names.
func (f *file) comments() {
	seen := map[*ast.Comment]bool{}
	for _, edited := range f.EditedNodes() {
		beside := f.beside(edited)
		f.dropReminders(beside)
		f.leaveReasons(beside, seen)
	}
	edited := map[types.Object]bool{} // types with edited methods
	for _, decl := range f.AST.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv != nil && !f.Pinned(fn.Type) && f.EditedWithin(fn) {
			if method, ok := f.TypesInfo.Defs[fn.Name].(*types.Func); ok {
				edited[api.TypeName(method.Signature().Recv().Type())] = true
			}
		}
	}
	for _, decl := range f.AST.Decls {
		changed := f.EditedWithin(decl)
		from := decl.Pos()
		var annotated *ast.CommentGroup // about a method AnnotatedEventf
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			changed = changed && !f.Pinned(decl.Type)
			from = start(decl, decl.Doc)
			method, _ := f.TypesInfo.Defs[decl.Name].(*types.Func)
			switch api.OldShape(method) {
			case api.AnnotatedEventf:
				annotated = decl.Doc
			case api.Event:
				owner := api.TypeName(method.Signature().Recv().Type())
				if decl.Doc != nil && edited[owner] && !f.Edited(decl) && !f.Changes(method) {
					f.keepsEvent(decl.Doc)
				}
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				named, ok := spec.(*ast.TypeSpec)
				changed = changed || ok && edited[f.TypesInfo.Defs[named.Name]]
			}
			from = start(decl, decl.Doc)
		}
		for _, group := range f.AST.Comments {
			if changed && from <= group.Pos() && group.End() <= decl.End() {
				for _, comment := range group.List {
					f.renameIn(comment, group == annotated)
				}
			}
		}
	}
}

// keepsEvent reports the comment about a method Event that stays, if it says that the old interface asks for the method.
func (f *file) keepsEvent(doc *ast.CommentGroup) {
	for _, comment := range doc.List {
		if name := oldName.FindStringSubmatch(comment.Text); name != nil && name[2] == recorderName {
			f.MarkEdited(comment)
			f.Leave(comment, plan.Comment,
				"no interface asks for this Event any more: remove the method, or change its comment")
		}
	}
}

// start is where a declaration begins, with its comment.
func start(decl ast.Decl, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return decl.Pos()
}

// dropReminders removes the comments that ask for what is done now. Somebody has to look at one that goes on in the
// next line.
func (f *file) dropReminders(comments []*ast.Comment) {
	for i, comment := range comments {
		goesOn := false
		if i+1 < len(comments) {
			next := comments[i+1]
			before, _ := f.LineText(next.Pos())
			goesOn = strings.TrimSpace(before) == "" && !directive.MatchString(next.Text) && !reminder.MatchString(next.Text)
		}
		switch {
		case f.Edited(comment) || f.Touched(comment) || !reminder.MatchString(comment.Text):
		case !goesOn:
			f.cut(comment, "this reminder is about what is done now")
		default:
			f.MarkEdited(comment)
			f.Leave(comment, plan.Comment, "remove this comment if it is about what is done now")
		}
	}
}

// leaveReasons reports comments beside edited code that say why it has the old API, unless they have been seen. Whether such a
// reason still holds is for a person to say, also where the comment goes as a directive or as a reminder.
func (f *file) leaveReasons(comments []*ast.Comment, seen map[*ast.Comment]bool) {
	about := slices.ContainsFunc(comments, func(comment *ast.Comment) bool {
		return ofAPI.MatchString(comment.Text) || directive.MatchString(comment.Text)
	})
	for _, comment := range comments {
		if about && !seen[comment] && givesReason.MatchString(comment.Text) {
			seen[comment] = true
			f.Leave(comment, plan.Comment, "this comment gives a reason for the old API, see whether it still holds: %s",
				strings.Join(strings.Fields(comment.Text), " "))
		}
	}
}

// recorderName is the interface of the old API. In the new one AnnotatedEventf is the method of another interface.
const recorderName = "EventRecorder"

// renameIn gives the names of the old package in a comment their new names, unless the comment is about both. It may be
// the comment about a method AnnotatedEventf.
func (f *file) renameIn(comment *ast.Comment, annotated bool) {
	if f.Edited(comment) || f.Touched(comment) {
		return
	}
	var pl *plan.Place
	for _, at := range oldName.FindAllStringSubmatchIndex(comment.Text, -1) {
		to, ok := f.Target.BecomesNamed(comment.Text[at[4]:at[5]])
		name := cmp.Or(f.Imports.Used(to.Path), path.Base(to.Path)) + "." + to.Name
		if !ok || strings.Contains(comment.Text, name) {
			continue
		}
		if annotated && to.Name == recorderName {
			name = strings.TrimSuffix(name, recorderName) + "AnnotatedEventRecorder"
		}
		if pl == nil {
			pl = f.Place(comment, plan.Comment, "this comment names what the code has now")
		}
		if at[2] >= 0 {
			name = comment.Text[at[2]:at[2]+1] + "n " + name
		}
		pl.Replace(comment.Pos()+token.Pos(at[0]), comment.Pos()+token.Pos(at[1]), name)
	}
}

// beside are the comments on the first and the last line of a node, and those that end on the line before.
func (f *file) beside(n ast.Node) (all []*ast.Comment) {
	for _, group := range f.AST.Comments {
		text, _ := f.LineText(group.Pos())
		alone := strings.TrimSpace(text) == ""
		first, last := f.Line(group.Pos()), f.Line(group.End())
		if alone && last+1 == f.Line(n.Pos()) || !alone && (first == f.Line(n.Pos()) || first == f.Line(n.End())) {
			all = append(all, group.List...)
		}
	}
	return all
}

// cut removes a comment, with its line if the comment has a line for itself.
func (f *file) cut(comment *ast.Comment, why string) {
	if f.Edited(comment) {
		return
	}
	f.MarkEdited(comment)
	text, _ := f.LineText(comment.Pos())
	from := comment.Pos() - token.Pos(len(text)) - 1
	if code := strings.TrimRight(text, " \t"); code != "" {
		from = comment.Pos() - token.Pos(len(text)-len(code))
	}
	f.Place(comment, plan.Comment, "%s", why).Replace(from, comment.End(), "")
}
