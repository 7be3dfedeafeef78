// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package names

import (
	"fmt"
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const (
	toolsEvents = "k8s.io/client-go/tools/events"
	toolsRecord = "k8s.io/client-go/tools/record"
	ourEvents   = "github.com/eventseries/eventseries/clientgo/events"
	ourRecord   = "github.com/eventseries/eventseries/clientgo/record"
)

// Everything that client-go's packages export is there after the import has changed, with as many arguments and results.
// That the types go together is seen by what migrates in test/compat/dropin.
//
// Caught: a NewFakeRecorder that is gone; a method that is.
func TestNamesAreThere(t *testing.T) {
	loaded := load(t, toolsEvents, toolsRecord, ourEvents, ourRecord)
	for theirPath, ourPath := range map[string]string{toolsEvents: ourEvents, toolsRecord: ourRecord} {
		var missing []string
		theirs, ours := loaded[theirPath].Scope(), loaded[ourPath].Scope()
		for _, name := range theirs.Names() {
			if object := theirs.Lookup(name); object.Exported() {
				missing = append(missing, lacks(object, ours.Lookup(name))...)
			}
		}
		if len(missing) > 0 {
			t.Errorf("%s lacks of %s: %v", ourPath, theirPath, missing)
		}
	}
}

// lacks returns what of an object of client-go ours has not: itself, or methods.
func lacks(theirs, ours types.Object) (missing []string) {
	if ours == nil || fmt.Sprintf("%T", theirs) != fmt.Sprintf("%T", ours) {
		return []string{theirs.Name()}
	}
	switch theirs.(type) {
	case *types.Func:
		if !callable(theirs, ours) {
			missing = append(missing, theirs.Name())
		}
	case *types.TypeName:
		has := methods(ours.Type())
		for method := range methods(theirs.Type()).Methods() {
			name := method.Obj().Name()
			if found := has.Lookup(nil, name); method.Obj().Exported() && (found == nil || !callable(method.Obj(), found.Obj())) {
				missing = append(missing, theirs.Name()+"."+name)
			}
		}
	}
	return missing
}

func methods(t types.Type) *types.MethodSet {
	if types.IsInterface(t) {
		return types.NewMethodSet(t)
	}
	return types.NewMethodSet(types.NewPointer(t))
}

// callable reports whether a call of theirs could be one of ours, which may have options that theirs has not.
func callable(theirs, ours types.Object) bool {
	t, o := theirs.Type().(*types.Signature), ours.Type().(*types.Signature)
	more := o.Params().Len() - t.Params().Len()
	return t.Results().Len() == o.Results().Len() && (more == 0 || more == 1 && o.Variadic())
}

func load(t *testing.T, paths ...string) map[string]*types.Package {
	t.Helper()
	// The loader also asks go about things for which there is no module, and then -modfile is no flag.
	var flags, others []string
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if strings.HasPrefix(flag, "-modfile=") {
			flags = append(flags, flag)
		} else {
			others = append(others, flag)
		}
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes, BuildFlags: flags,
		Env: append(os.Environ(), "GOFLAGS="+strings.Join(others, " ")),
	}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*types.Package{}
	for _, p := range loaded {
		for _, err := range p.Errors {
			t.Error(err)
		}
		byPath[p.PkgPath] = p.Types
	}
	return byPath
}
