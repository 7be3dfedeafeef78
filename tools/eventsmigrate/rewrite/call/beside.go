// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// says matches the names of functions that log a message, or make an error of it.
var says = regexp.MustCompile(`^(?:(?:Error|Info|Warn|Warning|Debug|Print)(?:f|ln|S|w|Context)?|Wrapf?|New)$`)

// logged is the first message that is logged, or made an error, in the same branch or loop as a call, or "".
func (f *file) logged(r recording, function []recording) (message string) {
	path := f.around(r)
	at := slices.IndexFunc(path, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause:
			return true
		}
		return false
	})
	if at < 0 {
		return ""
	}
	switch path[at+1].(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		return "" // everything that the function does
	}
	ast.Inspect(path[at], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return n == path[at]
		case *ast.CallExpr:
			same := func(other recording) bool { return other.CallExpr == n }
			if message == "" && says.MatchString(name(n)) && !slices.ContainsFunc(function, same) {
				message = f.message(n)
			}
		}
		return message == ""
	})
	return message
}

// message is the first argument of a call that is a text with several words, or "".
func (f *file) message(call *ast.CallExpr) string {
	for _, arg := range call.Args {
		if text := f.Data.TextOf(arg).Format(); strings.Contains(text, " ") {
			return text
		}
	}
	return ""
}

// failedCall is the name of what was called, and has failed, if a call is in the branch that handles the error, and the
// kind of the object that it was called with.
func (f *file) failedCall(r recording) (function, kind string) {
	for _, n := range f.around(r) {
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return "", ""
		case *ast.IfStmt:
			if r.Pos() < n.Body.Pos() || n.Body.End() < r.End() {
				continue
			}
			if failed := f.failed(n); failed != nil {
				return f.request(failed)
			}
		}
	}
	return "", ""
}

// request is the name of what a call calls, and the kind of the object that is an argument. What is called on the client
// of a status is about the status.
func (f *file) request(call *ast.CallExpr) (function, kind string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok {
		if client, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok && name(client) == "Status" {
			return name(call), "Status"
		}
	}
	for _, arg := range call.Args {
		if t := f.TypesInfo.TypeOf(arg); t != nil && !types.IsInterface(t) && api.HasMethods(t, "GetObjectKind") {
			return name(call), f.kind(arg)
		}
	}
	return name(call), ""
}

// name is the name by which a call calls something, or "".
func name(call *ast.CallExpr) string {
	switch function := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return function.Name
	case *ast.SelectorExpr:
		return function.Sel.Name
	}
	return ""
}
