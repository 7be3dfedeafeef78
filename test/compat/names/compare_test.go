// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package names

import (
	"errors"
	"fmt"
	"go/types"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

// comparison is of one package of client-go, theirs, with one of the SDK, ours.
type comparison struct{ theirs, ours *types.Package }

// compare returns what code that is written against the package at theirs misses in the one at ours: name by name,
// why.
func compare(loaded map[string]*types.Package, theirs, ours string) map[string]string {
	c := comparison{loaded[theirs], loaded[ours]}
	missing := map[string]string{}
	for _, name := range c.theirs.Scope().Names() {
		object := c.theirs.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		if why := c.lacks(object); why != "" {
			missing[name] = why
		}
	}
	return missing
}

// load returns the packages at paths.
func load(paths ...string) (map[string]*types.Package, error) {
	const mode = packages.NeedName | packages.NeedTypes
	// The loader also asks go about things for which there is no module, and then -modfile is no flag.
	var flags, others []string
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if strings.HasPrefix(flag, "-modfile=") {
			flags = append(flags, flag)
		} else {
			others = append(others, flag)
		}
	}
	env := append(os.Environ(), "GOFLAGS="+strings.Join(others, " "))
	loaded, err := packages.Load(&packages.Config{Mode: mode, BuildFlags: flags, Env: env}, paths...)
	if err != nil {
		return nil, err
	}
	byPath := map[string]*types.Package{}
	for _, p := range loaded {
		for _, e := range p.Errors {
			err = errors.Join(err, e)
		}
		byPath[p.PkgPath] = p.Types
	}
	return byPath, err
}

// lacks says how the SDK's object of that name cannot stand for theirs; empty if it can.
func (c comparison) lacks(theirs types.Object) string {
	ours := c.ours.Scope().Lookup(theirs.Name())
	if ours == nil {
		return "missing"
	}
	switch theirs.(type) {
	case *types.Func:
		if ours, ok := ours.(*types.Func); ok {
			return c.callable(theirs.Type().(*types.Signature), ours.Type().(*types.Signature))
		}
	case *types.TypeName:
		if ours, ok := ours.(*types.TypeName); ok {
			return c.usable(theirs.Type(), ours.Type())
		}
	}
	return fmt.Sprintf("theirs is %s, ours is %s", theirs, ours)
}

// usable says whether ours has what theirs has: by being the same type, or by its methods.
func (c comparison) usable(theirs, ours types.Type) string {
	if types.Identical(theirs, ours) {
		return ""
	}
	if theirs, ok := theirs.Underlying().(*types.Interface); ok && types.AssignableTo(ours, theirs) {
		return ""
	}
	methods := types.NewMethodSet(types.NewPointer(ours))
	for method := range types.NewMethodSet(types.NewPointer(theirs)).Methods() {
		name := method.Obj().Name()
		if !method.Obj().Exported() {
			continue
		}
		found := methods.Lookup(nil, name)
		if found == nil {
			return "no method " + name
		}
		why := c.callable(method.Type().(*types.Signature), found.Type().(*types.Signature))
		if why != "" {
			return fmt.Sprintf("method %s: %s", name, why)
		}
	}
	if fields, ok := theirs.Underlying().(*types.Struct); ok {
		for field := range fields.Fields() {
			if field.Exported() {
				return "another type, and theirs has the field " + field.Name()
			}
		}
	}
	return ""
}

// callable says whether what is passed to theirs can be passed to ours, and what ours returns can be used as theirs.
func (c comparison) callable(theirs, ours *types.Signature) string {
	switch {
	case theirs.Variadic() && !ours.Variadic(),
		theirs.Params().Len() > ours.Params().Len(),
		theirs.Params().Len() < ours.Params().Len()-1,
		theirs.Params().Len() < ours.Params().Len() && !ours.Variadic(),
		theirs.Results().Len() != ours.Results().Len():
		return fmt.Sprintf("theirs is %s, ours is %s", theirs, ours)
	}
	for i := range theirs.Params().Len() {
		from, to := theirs.Params().At(i).Type(), ours.Params().At(i).Type()
		if !c.assignable(c.translated(from), to) {
			return fmt.Sprintf("takes %s, theirs %s", to, from)
		}
	}
	for i := range theirs.Results().Len() {
		from, to := ours.Results().At(i).Type(), theirs.Results().At(i).Type()
		if !c.assignable(from, c.translated(to)) {
			return fmt.Sprintf("returns %s, theirs %s", from, to)
		}
	}
	return ""
}

func (c comparison) assignable(from, to types.Type) bool {
	if f, ok := from.(*types.Slice); ok {
		if t, ok := to.(*types.Slice); ok {
			return c.assignable(c.translated(f.Elem()), t.Elem())
		}
	}
	return types.AssignableTo(from, to)
}

// translated is what code names that named a type of theirs: the SDK's type of the same name.
func (c comparison) translated(theirs types.Type) types.Type {
	if pointer, ok := theirs.(*types.Pointer); ok {
		return types.NewPointer(c.translated(pointer.Elem()))
	}
	named, ok := theirs.(*types.Named)
	if !ok || named.Obj().Pkg() != c.theirs {
		return theirs
	}
	ours, ok := c.ours.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if !ok {
		return theirs
	}
	return ours.Type()
}
