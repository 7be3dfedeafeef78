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

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
)

// Withdrawal is a file whose edits were withdrawn. Its place is in a file as it is on disk.
type Withdrawal struct {
	File  string
	Place token.Position // of the error, which may be in a file that needs this one
	In    string         // the path of the package that the place is in
	Error string
}

// freezer decides which files keep their old types. A frozen file stays frozen.
type freezer struct {
	programs []*load.Program
	first    []analyze.Finding     // of the first round
	frozen   map[string]Withdrawal // by file
}

// Levels of freezing because of a problem: the next one is for where the one before has frozen all already.
const (
	own        = iota // the file with the error
	declaring         // files that declare what the line with the error uses
	itself            // all files of the package, or all of its tests if the error is in one
	beneath           // the package and what it imports: an edited type may have no conversion
	altogether        // all packages
)

// has reports whether the file keeps its old types.
func (f *freezer) has(file string) bool {
	_, frozen := f.frozen[file]
	return frozen || !f.programs[0].Editable(file)
}

// freeze withdraws edits because of the problems, and reports whether there were any to withdraw. It looks at the
// problems in packages that import no other package with a problem, because the others often follow from them. The next
// rewrite converts at the new border, which may be enough for more than one, so but for their own files one is chosen.
func (f *freezer) freeze(problems []problem) bool {
	nearest := f.nearest(problems)
	grown := false
	for level := own; level <= altogether && !grown; level++ {
		for _, p := range nearest {
			if level == own || !grown {
				grown = f.all(level, p) || grown
			}
		}
	}
	return grown
}

// all freezes what a level says of a problem.
func (f *freezer) all(level int, p problem) bool {
	grown := false
	for _, name := range f.files(level, p) {
		grown = f.file(name, p) || grown
	}
	return grown
}

// file freezes one file.
func (f *freezer) file(name string, because problem) bool {
	if f.has(name) {
		return false
	}
	in := ""
	if because.pkg != nil {
		in = strings.TrimSuffix(because.pkg.PkgPath, "_test")
	}
	f.frozen[name] = Withdrawal{File: name, Place: because.place, In: in, Error: because.message}
	return true
}

func (f *freezer) files(level int, p problem) (names []string) {
	switch level {
	case own:
		return []string{p.place.Filename}
	case declaring:
		return f.declarations(p)
	}
	for _, program := range f.programs {
		for _, pkg := range program.Nodes {
			same := strings.TrimSuffix(pkg.PkgPath, "_test") == strings.TrimSuffix(p.pkg.PkgPath, "_test")
			concerned := same || level == beneath && imports(p.pkg, pkg.ID) || level == altogether
			for _, file := range pkg.Syntax {
				name := program.Filename(file)
				if concerned && (level > itself || load.IsTest(name) || !load.IsTest(p.place.Filename)) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

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
func imports(pkg *packages.Package, id string) (found bool) {
	packages.Visit([]*packages.Package{pkg}, func(imported *packages.Package) bool {
		found = found || imported.ID == id
		return !found
	}, nil)
	return found
}
