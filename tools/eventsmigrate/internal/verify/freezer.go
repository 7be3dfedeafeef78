// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
)

// Withdrawal is a file whose edits were withdrawn. Its place is in a file as it is on disk.
type Withdrawal struct {
	File  string
	Place token.Position // of the error, which may be in a file that needs this one
	Error string
}

// freezer decides which files keep their old types. A frozen file stays frozen.
type freezer struct {
	programs []*load.Program
	frozen   map[string]Withdrawal // by file
	level    map[string]int        // by package, how much was frozen because of its errors
}

// Levels of freezing because of a package in which errors remain.
const (
	declaring  = iota + 1 // files that declare what the line with the error uses
	tests                 // all its tests, if the error is in one
	itself                // all its files
	beneath               // also what it imports: an edited type may have no conversion
	altogether            // all packages
)

// has reports whether the file keeps its old types.
func (f *freezer) has(file string) bool {
	_, frozen := f.frozen[file]
	return frozen || !f.programs[0].Editable(file)
}

// freeze withdraws edits because of the problems, and reports whether there were any to withdraw. It looks at the
// problems in packages that import no other package with a problem, because the others often follow from them.
func (f *freezer) freeze(problems []problem) bool {
	var again []problem // in files that are frozen already
	grown := false
	for _, p := range f.nearest(problems) {
		if f.file(p.place.Filename, p) {
			grown = true
		} else {
			again = append(again, p)
		}
	}
	for _, p := range again {
		if grown {
			break // the next rewrite converts at the new border, which may be enough
		}
		for !grown && f.level[p.pkg.PkgPath] < altogether {
			f.level[p.pkg.PkgPath]++
			grown = f.escalate(p)
		}
	}
	return grown
}

// file freezes one file.
func (f *freezer) file(name string, because problem) bool {
	if f.has(name) {
		return false
	}
	f.frozen[name] = Withdrawal{File: name, Place: because.place, Error: because.message}
	return true
}

// escalate freezes what the level of the problem's package says.
func (f *freezer) escalate(p problem) bool {
	grown := false
	if f.level[p.pkg.PkgPath] == declaring {
		f.level[p.pkg.PkgPath] = 0 // another error there has other declarations
		for _, name := range f.declarations(p) {
			grown = f.file(name, p) || grown
		}
		if !grown {
			f.level[p.pkg.PkgPath] = declaring
		}
		return grown
	}
	for _, program := range f.programs {
		for _, pkg := range program.Nodes {
			for _, file := range pkg.Syntax {
				if name := program.Filename(file); f.concerned(pkg, name, p) {
					grown = f.file(name, p) || grown
				}
			}
		}
	}
	return grown
}

func (f *freezer) concerned(pkg *packages.Package, name string, p problem) bool {
	same := strings.TrimSuffix(pkg.PkgPath, "_test") == strings.TrimSuffix(p.pkg.PkgPath, "_test")
	switch f.level[p.pkg.PkgPath] {
	case tests:
		return same && isTest(name) && isTest(p.place.Filename)
	case itself:
		return same
	case beneath:
		return same || imports(p.pkg, pkg.ID, map[string]bool{})
	default:
		return true
	}
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// declarations are the files that declare what the line of the problem uses.
func (f *freezer) declarations(p problem) []string {
	var names []string
	for _, file := range p.pkg.Syntax {
		if p.program.Filename(file) != p.place.Filename {
			continue
		}
		uses := p.program.Info(p.pkg).Uses
		ast.Inspect(file, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok || p.program.Fset.PositionFor(name.Pos(), false).Line != p.place.Line {
				return true
			}
			if used := uses[name]; used != nil && used.Pos().IsValid() {
				names = append(names, p.program.Fset.PositionFor(used.Pos(), false).Filename)
			}
			return true
		})
	}
	return names
}

// everything freezes all that is left.
func (f *freezer) everything(because problem) {
	f.level[because.pkg.PkgPath] = altogether
	f.escalate(because)
}

// withdrawals are the frozen files in order, without those that an escalation froze but no edit concerned.
func (f *freezer) withdrawals(edited map[string]bool) []Withdrawal {
	var list []Withdrawal
	for name, withdrawal := range f.frozen {
		if edited[name] {
			list = append(list, withdrawal)
		}
	}
	slices.SortFunc(list, func(a, b Withdrawal) int { return cmp.Compare(a.File, b.File) })
	return list
}

// overlapping is the problem of a file with edits that exclude each other.
func (f *freezer) overlapping(name string, overlap conflict) problem {
	p := problem{program: f.programs[0], pkg: &packages.Package{}, place: overlap.place, message: overlap.Error()}
	for _, program := range f.programs {
		for _, pkg := range program.Nodes {
			for _, file := range pkg.Syntax {
				if program.Filename(file) == name {
					p.program, p.pkg = program, pkg
				}
			}
		}
	}
	return p
}

// nearest are the problems in packages that import no other package with a problem.
func (f *freezer) nearest(problems []problem) []problem {
	faulty := map[*packages.Package]bool{}
	for _, p := range problems {
		faulty[p.pkg] = true
	}
	above := map[*packages.Package]bool{}
	for _, program := range f.programs {
		for _, pkg := range program.Nodes { // what is imported comes first
			for _, imported := range pkg.Imports {
				above[pkg] = above[pkg] || faulty[imported] || above[imported]
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(problems), func(p problem) bool { return above[p.pkg] })
}

// imports reports whether the package imports the other one, directly or not.
func imports(pkg *packages.Package, id string, seen map[string]bool) bool {
	for _, imported := range pkg.Imports {
		if imported.ID == id {
			return true
		}
		if !seen[imported.ID] {
			seen[imported.ID] = true
			if imports(imported, id, seen) {
				return true
			}
		}
	}
	return false
}
