// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
)

// call reads the result of a call with that index.
func (r *reader) call(call *ast.CallExpr, index int) {
	if r.Info.Types[call.Fun].IsType() {
		r.read(assignments.Value{Expr: call.Args[0]})
		return
	}
	fn := r.Callee(call)
	switch {
	case fn == nil || fn.Pkg() == nil && fn.Name() != "Error":
		r.opaque(call)
	case whyVolatile(fn) != "":
		r.Volatile = whyVolatile(fn)
	case r.Funcs[fn] != nil && r.Funcs[fn].Body != nil:
		r.returns(fn, index)
	case fn.Pkg().Path() == "strings": // what is made of a volatile text is volatile
		for _, arg := range call.Args {
			r.Volatile = cmp.Or(r.textSeen(arg, maps.Clone(r.seen)).Volatile, r.Volatile)
		}
	default:
		r.opaque(call)
	}
}

// returns reads the result of a function of the package with that index.
func (r *reader) returns(fn *types.Func, index int) {
	if r.seen[fn] {
		return
	}
	r.seen[fn] = true
	result := fn.Signature().Results().At(index)
	for _, from := range r.Assigned[result] {
		r.read(from)
	}
	ast.Inspect(r.Funcs[fn].Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > index {
				r.read(assignments.Value{Expr: n.Results[index]})
			} else if len(n.Results) == 1 {
				r.read(assignments.Value{Expr: n.Results[0], Index: index})
			}
		}
		return true
	})
}

// whyVolatile says why the result of a function differs from call to call. It returns
// "" if it is not known to differ.
func whyVolatile(fn *types.Func) string {
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
	switch path {
	case "time":
		return "a time"
	case "math/rand", "math/rand/v2", "crypto/rand", "k8s.io/apimachinery/pkg/util/rand":
		return "a random value"
	case "github.com/google/uuid", "k8s.io/apimachinery/pkg/util/uuid":
		return "a UUID"
	}
	return ""
}

// identities are the fields by which objects differ. Their accessors begin with Get.
var identities = []string{"Name", "Namespace", "GenerateName", "UID", "ResourceVersion"}

// isIdentity reports whether a field or method of the Kubernetes API is one by which
// objects differ.
func isIdentity(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && strings.HasPrefix(obj.Pkg().Path(), "k8s.io/api") &&
		slices.Contains(identities, strings.TrimPrefix(obj.Name(), "Get"))
}
