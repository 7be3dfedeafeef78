// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package promise holds a module to its VERSIONING.md: what may change from one release to the next, and what its
// CHANGELOG.md has to say about it.
package promise

import (
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/release/internal/golden"
	"github.com/eventseries/eventseries/tools/release/internal/surface"
)

// Change is one difference between two states of a module.
type Change struct {
	// Words are what an entry of the changelog has to name.
	Words []string
	// What is the change in a few words.
	What       string
	Compatible bool
	// Grown is set for a method more in an interface that users implement.
	Grown bool
}

// Name is what the change is to users: a symbol, a message, a name.
func (c Change) Name() string { return strings.Join(c.Words, ".") }

func (c Change) String() string { return c.Name() + ": " + c.What }

// Between returns what differs in the exported API of two states of a module.
func Between(old, now *surface.Module) []Change {
	var changes []Change
	left := byName(now)
	for _, p := range old.Public {
		name := old.Name(p.PkgPath)
		successor := left[name]
		delete(left, name)
		if successor == nil {
			changes = append(changes, Change{Words: []string{path.Base(name)}, What: "the package is removed"})
			continue
		}
		changes = append(changes, exported(path.Base(name), p.Types, successor.Types)...)
	}
	for name := range left {
		changes = append(changes, Change{Words: []string{path.Base(name)}, What: "a new package", Compatible: true})
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.String(), b.String()) })
	return changes
}

// byName returns the packages that export something.
func byName(m *surface.Module) map[string]*packages.Package {
	all := map[string]*packages.Package{}
	for _, p := range m.Public {
		all[m.Name(p.PkgPath)] = p
	}
	return all
}

func exported(name string, old, now *types.Package) []Change {
	var changes []Change
	more := grown(old, now)
	for _, method := range more {
		changes = append(changes, Change{Words: []string{name, method}, What: "a method more", Grown: true})
	}
	for _, c := range apidiff.Changes(old, now).Changes {
		symbol, what, _ := strings.Cut(c.Message, ": ")
		symbol, _, _ = strings.Cut(symbol, ",") // a method set is said of its type
		symbol = strings.NewReplacer("(*", "", ")", "").Replace(symbol)
		if !slices.Contains(more, symbol) {
			changes = append(changes, Change{Words: []string{name, symbol}, What: what, Compatible: c.Compatible})
		}
	}
	return changes
}

// grown returns the methods that an interface has gained which users can implement: an exported one, declared in a
// public package, without unexported methods.
func grown(old, now *types.Package) []string {
	var methods []string
	for _, name := range old.Scope().Names() {
		before, after := open(old.Scope().Lookup(name)), open(now.Scope().Lookup(name))
		if before == nil || unexported(before) || after == nil {
			continue
		}
		had := types.NewMethodSet(before)
		for m := range after.Methods() {
			if m.Exported() && had.Lookup(m.Pkg(), m.Name()) == nil || !m.Exported() {
				methods = append(methods, name+"."+m.Name())
			}
		}
	}
	return methods
}

// open returns the interface of an exported type that is declared as one, nil for anything else. An alias is somebody
// else's.
func open(object types.Object) *types.Interface {
	name, ok := object.(*types.TypeName)
	if !ok || !name.Exported() || name.IsAlias() {
		return nil
	}
	i, ok := name.Type().Underlying().(*types.Interface)
	if !ok || !i.IsMethodSet() {
		return nil
	}
	return i
}

func unexported(i *types.Interface) bool {
	for m := range i.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}

// Said returns what differs between two states of a golden file that is not about Go: log lines and names. A log line
// may gain keys at its end.
func Said(old, now []string) []Change {
	var changes []Change
	fresh := golden.Gone(now, old)
	for _, line := range golden.Gone(old, now) {
		longer := slices.IndexFunc(fresh, func(l string) bool { return strings.HasPrefix(l, line+" ") })
		if longer >= 0 {
			changes = append(changes, Change{Words: said(line), What: "more keys", Compatible: true})
			fresh = slices.Delete(fresh, longer, longer+1)
			continue
		}
		changes = append(changes, Change{Words: said(line), What: "gone, " + line})
	}
	for _, line := range fresh {
		changes = append(changes, Change{Words: said(line), What: "new, " + line, Compatible: true})
	}
	return changes
}

// said is what users know of a line: the message, or the name.
func said(line string) []string {
	if at := strings.Index(line, `"`); at >= 0 {
		if quoted, err := strconv.QuotedPrefix(line[at:]); err == nil {
			message, _ := strconv.Unquote(quoted)
			return []string{message}
		}
	}
	return []string{line[strings.LastIndex(line, " ")+1:]}
}
