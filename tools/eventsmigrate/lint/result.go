// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// call is what a call returns as its result of that index.
func (r *reader) call(call *ast.CallExpr, index int) {
	if r.info.Types[call.Fun].IsType() {
		r.read(value{expr: call.Args[0]})
		return
	}
	fn := r.callee(call)
	switch {
	case fn == nil || fn.Pkg() == nil && fn.Name() != "Error":
		r.opaque(call)
	case builds(fn) != "":
		r.volatile = builds(fn)
	case r.funcs[fn] != nil && r.funcs[fn].Body != nil:
		r.returns(fn, index)
	case fn.Pkg().Path() == "strings": // a change to a text leaves it what it is
		for _, arg := range call.Args {
			r.volatile = cmp.Or(r.textSeen(arg, maps.Clone(r.seen)).volatile, r.volatile)
		}
	default:
		r.opaque(call)
	}
}

// returns is what a function of the package returns as its result of that index.
func (r *reader) returns(fn *types.Func, index int) {
	if r.seen[fn] {
		return
	}
	r.seen[fn] = true
	result := fn.Signature().Results().At(index)
	for _, from := range r.assigned[result] {
		r.read(from)
	}
	ast.Inspect(r.funcs[fn].Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > index {
				r.read(value{expr: n.Results[index]})
			} else if len(n.Results) == 1 {
				r.read(value{n.Results[0], index})
			}
		}
		return true
	})
}

// builds says what a function makes a text of, empty if it is not known to make
// one that differs from call to call.
func builds(fn *types.Func) string {
	if fn.Name() == "Error" && fn.Signature().Recv() != nil {
		return "the text of an error"
	}
	if fn.Pkg() == nil {
		return ""
	}
	path := fn.Pkg().Path()
	switch {
	case path == "fmt" && strings.HasPrefix(fn.Name(), "Sprint"), path == "strconv":
		return path + "." + fn.Name()
	case isIdentity(fn):
		return "the " + strings.TrimPrefix(fn.Name(), "Get") + " of an object"
	case path == "k8s.io/apimachinery/pkg/types" && fn.Name() == "String":
		return "the name of an object"
	}
	return changes(fn)
}

// identities are the fields of an object, and with Get their accessors, that no
// other object has the same.
var identities = []string{"Name", "Namespace", "GenerateName", "UID", "ResourceVersion"}

// isIdentity reports whether a field or method of the Kubernetes API tells one
// object from another.
func isIdentity(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && strings.HasPrefix(obj.Pkg().Path(), "k8s.io/api") &&
		slices.Contains(identities, strings.TrimPrefix(obj.Name(), "Get"))
}

// changes says what a function returns that is another value each time, empty
// if it does not.
func changes(fn *types.Func) string {
	switch path := fn.Pkg().Path(); path {
	case "time":
		return "a time"
	case "math/rand", "math/rand/v2", "crypto/rand", "k8s.io/apimachinery/pkg/util/rand":
		return "a random value"
	case "github.com/google/uuid", "k8s.io/apimachinery/pkg/util/uuid":
		return "a UUID"
	}
	return ""
}
