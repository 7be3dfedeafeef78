// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/types"
)

// method is a method of the old recorder.
type method string

const (
	event      method = "Event"
	eventf     method = "Eventf"
	annotatedf method = "AnnotatedEventf"
)

// typeName returns the object of a named type, through pointers and aliases.
func typeName(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

func isNamed(obj types.Object, path string, names ...string) bool {
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != path {
		return false
	}
	for _, name := range names {
		if obj.Name() == name {
			return true
		}
	}
	return false
}

// isOldRecorder says whether a type is one of client-go's old recorders.
func isOldRecorder(t types.Type) bool {
	name := typeName(t)
	return name != nil && isNamed(name, recordPath, "EventRecorder", "EventRecorderLogger", "FakeRecorder")
}

// isOld reports whether a type is one of client-go's old recorders, or its broadcaster.
func isOld(t types.Type) bool {
	name := typeName(t)
	return name != nil && (isOldRecorder(t) || isNamed(name, recordPath, "EventBroadcaster"))
}

// mentionsOld reports whether an old recorder or broadcaster is part of a type: an element, a parameter, a result.
func mentionsOld(t types.Type) bool { return mentions(t, 0) }

func mentions(t types.Type, depth int) bool {
	if t == nil || depth > 8 {
		return false
	}
	if isOld(t) {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return mentions(t.Elem(), depth+1)
	case *types.Slice:
		return mentions(t.Elem(), depth+1)
	case *types.Array:
		return mentions(t.Elem(), depth+1)
	case *types.Chan:
		return mentions(t.Elem(), depth+1)
	case *types.Map:
		return mentions(t.Key(), depth+1) || mentions(t.Elem(), depth+1)
	case *types.Signature:
		return mentions(t.Params(), depth+1) || mentions(t.Results(), depth+1)
	case *types.Tuple:
		for v := range t.Variables() {
			if mentions(v.Type(), depth+1) {
				return true
			}
		}
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if mentions(arg, depth+1) {
				return true
			}
		}
	}
	return false
}

// oldShape returns which method of the old recorder a function is by its name
// and signature, or "".
func oldShape(fn *types.Func) method {
	if fn == nil || fn.Signature().Recv() == nil {
		return ""
	}
	kinds := map[method]string{event: "osss", eventf: "osssv", annotatedf: "omsssv"}[method(fn.Name())]
	if kinds == "" || !hasKinds(fn.Signature(), kinds) || fn.Signature().Results().Len() > 0 {
		return ""
	}
	return method(fn.Name())
}

// hasKinds compares parameters with a word: o is a runtime.Object, m a
// map[string]string, s a string and v the variadic any.
func hasKinds(sig *types.Signature, kinds string) bool {
	params := sig.Params()
	if params.Len() != len(kinds) || sig.Variadic() != (kinds[len(kinds)-1] == 'v') {
		return false
	}
	for i := range kinds {
		if kindOf(params.At(i).Type()) != kinds[i] {
			return false
		}
	}
	return true
}

func kindOf(t types.Type) byte {
	if name := typeName(t); name != nil && types.IsInterface(t) && isNamed(name, runtimePath, "Object") {
		return 'o'
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.String {
			return 's'
		}
	case *types.Map:
		if kindOf(t.Key()) == 's' && kindOf(t.Elem()) == 's' {
			return 'm'
		}
	case *types.Slice:
		if i, ok := t.Elem().Underlying().(*types.Interface); ok && i.Empty() {
			return 'v'
		}
	}
	return '?'
}

// methodsOfOldShape are the methods of a type, also through a pointer to it,
// that have the name and signature of an old recorder's.
func methodsOfOldShape(t types.Type) map[method]*types.Func {
	if _, isPointer := types.Unalias(t).(*types.Pointer); !isPointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	found := map[method]*types.Func{}
	set := types.NewMethodSet(t)
	for _, name := range []method{event, eventf, annotatedf} {
		if sel := set.Lookup(nil, string(name)); sel != nil {
			if fn, ok := sel.Obj().(*types.Func); ok && oldShape(fn) != "" {
				found[name] = fn
			}
		}
	}
	return found
}
