// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// Require makes the packages that edits import loadable. Where go.mod or the vendor directory lacks them, the run uses a
// go.mod of its own, which Modfile returns. Every target may need the SDK to bridge what stays old, but only for the
// target sdk is it an error that the SDK cannot be found.
func (p *Project) Require(ctx context.Context, scope *Scope, target, version string) error {
	missing, err := p.lacking()
	if err != nil {
		return err
	}
	optional := target != "sdk"
	if optional && (p.Workspace != "" || scope.Check("sdk") != nil || !p.obtainable(missing, version)) {
		missing = nil
	}
	vendor := p.vendorDir()
	if len(missing) == 0 && (vendor == "" || exists(filepath.Join(vendor, targetPackage(target)))) {
		return nil
	}
	if p.Workspace != "" {
		if len(missing) == 0 {
			return fmt.Errorf("%s lacks %s: run go get and go work vendor first", vendor, targetPackage(target))
		}
		return fmt.Errorf("a module of the workspace %s does not require the SDK: run go get %s@<version> in %s, then again",
			p.Workspace, SDK, missing[0].Dir)
	}
	module := p.Modules[0]
	if err := p.copyModule(module); err != nil {
		return err
	}
	if len(missing) == 0 {
		return nil
	}
	return p.requireSDK(ctx, module, version)
}

// obtainable reports whether it is known where the SDK comes from.
func (p *Project) obtainable(missing []Module, version string) bool {
	if version != "" || len(missing) == 0 {
		return true
	}
	file, err := readModule(missing[0].GoMod)
	return err == nil && replaced(file)
}

func targetPackage(target string) string {
	if target == "sdk" {
		return SDK + "/events"
	}
	return clientGo + "/tools/events"
}

// lacking returns the main modules that do not require the SDK.
func (p *Project) lacking() ([]Module, error) {
	var missing []Module
	for _, module := range p.Modules {
		if module.Path == SDK {
			return nil, nil // the workspace has the SDK itself
		}
		file, err := readModule(module.GoMod)
		if err != nil {
			return nil, err
		}
		found := false
		for _, require := range file.Require {
			found = found || require.Mod.Path == SDK
		}
		if !found {
			missing = append(missing, module)
		}
	}
	return missing, nil
}

// copyModule makes the temporary go.mod and go.sum.
func (p *Project) copyModule(module Module) error {
	dir, err := os.MkdirTemp("", "eventsmigrate-")
	if err != nil {
		return err
	}
	p.temporary = dir
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(module.GoMod), name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// requireSDK adds the SDK to the temporary go.mod.
func (p *Project) requireSDK(ctx context.Context, module Module, version string) error {
	file, err := readModule(module.GoMod)
	if err != nil {
		return err
	}
	p.requires = true
	temporary := filepath.Join(p.temporary, "go.mod")
	if version != "" && exists(filepath.Join(version, "go.mod")) { // a checkout
		dir, err := filepath.Abs(version)
		if err != nil {
			return err
		}
		if err := file.AddReplace(SDK, "", dir, ""); err != nil {
			return err
		}
	}
	if !replaced(file) {
		if version == "" {
			return fmt.Errorf("go.mod does not require the SDK: run go get %s@<version> first, or name a version, or the "+
				"directory of a checkout, with -sdk", SDK)
		}
		if _, err := p.run(ctx, "get", "-modfile="+temporary, SDK+"@"+version); err != nil {
			return err
		}
		if file, err = readModule(temporary); err != nil {
			return err
		}
	}
	return writeModule(temporary, requiring(file))
}

// replaced reports whether a directory stands for every version of the SDK.
func replaced(file *modfile.File) bool {
	for _, replace := range file.Replace {
		if replace.Old.Path == SDK && replace.Old.Version == "" && replace.New.Version == "" {
			return true
		}
	}
	return false
}

// requiring puts the SDK into the first block with direct requirements, in their order. By itself, modfile adds it to
// the last block, and the go command to the indirect ones, because the main module does not import it yet.
func requiring(file *modfile.File) *modfile.File {
	version := "v0.0.0"
	direct := map[*modfile.Line]bool{}
	var added *modfile.Line // by the go command
	for _, require := range file.Require {
		if require.Mod.Path == SDK {
			added, version = require.Syntax, require.Mod.Version
		} else if !require.Indirect {
			direct[require.Syntax] = true
		}
	}
	file.Syntax.Stmt = slices.DeleteFunc(file.Syntax.Stmt, func(s modfile.Expr) bool { return s == modfile.Expr(added) })
	var best *modfile.LineBlock
	for _, statement := range file.Syntax.Stmt {
		if block, ok := statement.(*modfile.LineBlock); ok {
			isDirect := func(line *modfile.Line) bool { return direct[line] }
			if best == nil && slices.ContainsFunc(block.Line, isDirect) {
				best = block
			}
			block.Line = slices.DeleteFunc(block.Line, func(line *modfile.Line) bool { return line == added })
		}
	}
	if best == nil {
		file.AddNewRequire(SDK, version, false)
		return file
	}
	at := slices.IndexFunc(best.Line, func(line *modfile.Line) bool { return line.Token[0] > SDK })
	if at < 0 {
		at = len(best.Line)
	}
	best.Line = slices.Insert(best.Line, at, &modfile.Line{Token: []string{SDK, version}, InBlock: true})
	return file
}

// Modfile returns the edited go.mod and go.sum by the path of the file that they replace. It returns none if go.mod
// stays as it is.
func (p *Project) Modfile() (map[string][]byte, error) {
	if !p.requires {
		return nil, nil
	}
	files := map[string][]byte{}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(p.temporary, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err == nil {
			files[filepath.Join(filepath.Dir(p.Modules[0].GoMod), name)] = text
		}
	}
	return files, nil
}

func readModule(path string) (*modfile.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(path, text, nil)
}

func writeModule(path string, file *modfile.File) error {
	text, err := file.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
