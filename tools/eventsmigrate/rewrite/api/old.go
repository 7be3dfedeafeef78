// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"go/types"
	"slices"
)

// Method is a method of the old recorder.
type Method string

// The methods that record.
const (
	Event           Method = "Event"
	Eventf          Method = "Eventf"
	AnnotatedEventf Method = "AnnotatedEventf"
)

// Methods are all of them.
var Methods = []Method{Event, Eventf, AnnotatedEventf}

// TypeName returns the object of a named type, through pointers and aliases.
func TypeName(t types.Type) *types.TypeName {
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

// IsNamed reports whether an object has one of the names in a package.
func IsNamed(obj types.Object, path string, names ...string) bool {
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == path && slices.Contains(names, obj.Name())
}

// IsTopLevel reports whether an object is declared at the top of the old package. Its methods and fields come with
// values of its types.
func IsTopLevel(obj types.Object) bool {
	return obj != nil && IsNamed(obj, Record, obj.Name()) && obj.Parent() == obj.Pkg().Scope()
}

// IsType reports whether a type is one of the named types of a package, or a pointer to one.
func IsType(t types.Type, path string, names ...string) bool {
	name := TypeName(t)
	return name != nil && IsNamed(name, path, names...)
}

// IsOldRecorder reports whether a type is one of client-go's old recorders.
func IsOldRecorder(t types.Type) bool {
	return IsType(t, Record, "EventRecorder", "EventRecorderLogger", "FakeRecorder")
}

// IsOld reports whether a type is one of client-go's old recorders, or its broadcaster.
func IsOld(t types.Type) bool { return IsOldRecorder(t) || IsType(t, Record, "EventBroadcaster") }

// MentionsOld reports whether an old recorder or broadcaster is part of a type: an element, a parameter, a result.
func MentionsOld(t types.Type) bool { return mentions(t, 0) }

func mentions(t types.Type, depth int) bool {
	if t == nil || depth > 8 {
		return false
	}
	if IsOld(t) {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Map:
		return mentions(t.Key(), depth+1) || mentions(t.Elem(), depth+1)
	case interface{ Elem() types.Type }: // a pointer, a slice, an array, a channel
		return mentions(t.Elem(), depth+1)
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

// OldShape returns which method of the old recorder a function is by its name and signature, or "".
func OldShape(fn *types.Func) Method {
	if fn == nil || fn.Signature().Recv() == nil || fn.Signature().Results().Len() > 0 {
		return ""
	}
	method := Method(fn.Name())
	kinds := map[Method]string{Event: "osss", Eventf: "osssv", AnnotatedEventf: "omsssv"}[method]
	if kinds == "" || Kinds(fn.Signature()) != kinds {
		return ""
	}
	return method
}

// RecordsByItself reports whether a function takes an object, a reason and a message, as one of a package does that keeps a
// recorder in a variable.
func RecordsByItself(fn *types.Func) bool {
	if fn.Signature().Recv() != nil {
		return false
	}
	kinds := Kinds(fn.Signature())
	return kinds == "oss" || kinds == "ossv"
}

// Kinds has a letter for each parameter: o for a runtime.Object, m for a map[string]string, s for a string, v for the
// variadic any, and a question mark for another one.
func Kinds(sig *types.Signature) string {
	var kinds []byte
	for v := range sig.Params().Variables() {
		kinds = append(kinds, kindOf(v.Type()))
	}
	if last := len(kinds) - 1; sig.Variadic() {
		kinds[last] = '?'
		elem := sig.Params().At(last).Type().(interface{ Elem() types.Type }).Elem()
		if i, ok := elem.Underlying().(*types.Interface); ok && i.Empty() {
			kinds[last] = 'v'
		}
	}
	return string(kinds)
}

func kindOf(t types.Type) byte {
	switch {
	case types.IsInterface(t) && IsType(t, "k8s.io/apimachinery/pkg/runtime", "Object"):
		return 'o'
	case types.Identical(t, types.Typ[types.String]):
		return 's'
	case types.Identical(t, types.NewMap(types.Typ[types.String], types.Typ[types.String])):
		return 'm'
	}
	return '?'
}

// MethodsOfOldShape are the methods of a type, also through a pointer to it,
// that have the name and signature of an old recorder's.
func MethodsOfOldShape(t types.Type) map[Method]*types.Func {
	if _, isPointer := types.Unalias(t).(*types.Pointer); !isPointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	found := map[Method]*types.Func{}
	for _, name := range Methods {
		if fn := method(t, string(name)); fn != nil && OldShape(fn) != "" {
			found[name] = fn
		}
	}
	return found
}

// HasMethods reports whether a type has methods of these names, whatever their signatures.
func HasMethods(t types.Type, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return method(t, name) == nil })
}

// method returns an exported method of a type, or nil. The whole method set of every expression's type would take half of
// the time of a rewrite.
func method(t types.Type, name string) *types.Func {
	found, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	fn, _ := found.(*types.Func)
	return fn
}
