// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dataflow

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// whyVolatile says why an expression differs from call to call, whatever its parts are. It returns "" if it is not known to
// differ.
func whyVolatile(p *Package, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if isIdentity(p.Info.Uses[e.Sel]) {
			return "the " + e.Sel.Name + " of an object"
		}
	case *ast.CallExpr:
		if fn := p.Callee(e); fn != nil {
			return whyResultVolatile(fn)
		}
	}
	return ""
}

func whyResultVolatile(fn *types.Func) string {
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
