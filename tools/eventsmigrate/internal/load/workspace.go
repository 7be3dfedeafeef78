// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// sdkOnly is the path of a module that only requires the SDK.
const sdkOnly = "eventsmigrate.invalid/sdk"

// Gather adds to the main modules those of the same repository that are built with them, and makes the SDK loadable. For
// that the go command runs with a temporary go.mod, or in a temporary workspace if there are several. The version is that
// of the SDK, or the directory of a checkout, for modules that do not require it. Without a version that is an error for the
// target sdk only.
func (p *Project) Gather(ctx context.Context, target, sdk string) error {
	w := &workspace{project: p, replaces: map[module.Version]string{}}
	if err := w.read(); err != nil {
		return err
	}
	before := len(w.modules)
	if err := w.related(); err != nil {
		return err
	}
	if err := w.replace(); err != nil {
		return err
	}
	requireSDK, err := w.requireSDK(ctx, target, sdk)
	if err != nil {
		return err
	}
	if len(w.modules) == before && !requireSDK && !p.Vendors() {
		return nil
	}
	if p.temporary, err = os.MkdirTemp("", "eventsmigrate-"); err != nil {
		return err
	}
	if len(w.modules) == 1 && p.Workspace == "" {
		return p.overlay()
	}
	if err := w.write(requireSDK); err != nil {
		return err
	}
	p.Modules, err = p.list(ctx)
	if err != nil {
		return fmt.Errorf("the modules of this repository cannot be built together: %w", err)
	}
	return nil
}

// workspace is a go.work file that is made.
type workspace struct {
	project  *Project
	modules  []*modfile.File
	replaces map[module.Version]string
}

func (w *workspace) read() error {
	for _, main := range w.project.Modules {
		file, err := readModule(main.GoMod)
		if err != nil {
			return err
		}
		w.modules = append(w.modules, file)
	}
	return nil
}

// related adds the modules of the repository that replace a main module by its directory and import it, and those with old
// API that a main module replaces by their directory, and so on.
func (w *workspace) related() error {
	var others []*modfile.File
	root := repository(w.project.Dir)
	err := Walk(root, func(dir string) bool { return ignored(filepath.Base(dir)) || filepath.Base(dir) == "third_party" }, func(name string) error {
		if filepath.Base(name) == "go.mod" {
			if file, err := readModule(name); err == nil && file.Module != nil {
				others = append(others, file)
			}
		}
		return nil
	})
	for i := 0; i < len(w.modules); i++ { // it grows
		main := w.modules[i]
		others = slices.DeleteFunc(others, func(other *modfile.File) bool {
			if w.uses(other.Module.Mod.Path) {
				return true
			}
			files := func() []string { return goFiles(filepath.Dir(other.Syntax.Name)) }
			add := replacesByDir(other, main) && mention(files(), slices.Concat(old, importsOf(main))...) ||
				replacesByDir(main, other) && mention(files(), old...)
			if add {
				w.modules = append(w.modules, other)
			}
			return add
		})
	}
	return err
}

// importsOf are signs of a file that imports a package of the module.
func importsOf(file *modfile.File) [][]byte {
	return [][]byte{[]byte(`"` + file.Module.Mod.Path + `/`), []byte(`"` + file.Module.Mod.Path + `"`)}
}

func (w *workspace) uses(path string) bool {
	return slices.ContainsFunc(w.modules, func(file *modfile.File) bool { return file.Module.Mod.Path == path })
}

// replacesByDir reports whether the first module replaces the second one by its directory.
func replacesByDir(file, by *modfile.File) bool {
	return slices.ContainsFunc(file.Replace, func(replace *modfile.Replace) bool {
		return replace.Old.Path == by.Module.Mod.Path && replacement(file.Syntax.Name, replace) == filepath.Dir(by.Syntax.Name)
	})
}

// replacement is what a replace directive of a go.mod or go.work names, with an absolute directory.
func replacement(in string, replace *modfile.Replace) string {
	switch dir := filepath.FromSlash(replace.New.Path); {
	case replace.New.Version != "":
		return replace.New.Path + " " + replace.New.Version
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	default:
		return filepath.Join(filepath.Dir(in), dir)
	}
}

// replace collects the replace directives, because those of two modules may differ. The first one counts.
func (w *workspace) replace() error {
	add := func(in string, all []*modfile.Replace) {
		for _, replace := range all {
			if _, found := w.replaces[replace.Old]; !found && !w.uses(replace.Old.Path) {
				w.replaces[replace.Old] = replacement(in, replace)
			}
		}
	}
	if w.project.Workspace != "" {
		text, err := os.ReadFile(w.project.Workspace)
		if err != nil {
			return err
		}
		file, err := modfile.ParseWork(w.project.Workspace, text, nil)
		if err != nil {
			return err
		}
		add(w.project.Workspace, file.Replace)
	}
	for _, file := range w.modules {
		add(file.Syntax.Name, file.Replace)
	}
	return nil
}

// requireSDK reports whether the workspace has to require the SDK.
func (w *workspace) requireSDK(ctx context.Context, target, sdk string) (bool, error) {
	p, usesOld := w.project, false
	for _, file := range w.modules {
		p.sdk = cmp.Or(p.sdk, required(file))
		usesOld = usesOld || mention(goFiles(filepath.Dir(file.Syntax.Name)), old...)
	}
	if !usesOld {
		return false, nil
	}
	versions, err := p.versions(ctx)
	if err != nil {
		return false, err
	}
	if err := check(target, versions); err != nil {
		return false, err
	}
	if p.sdk != "" || w.uses(SDK) || check("sdk", versions) != nil {
		return false, nil
	}
	_, replaced := w.replaces[module.Version{Path: SDK}]
	p.sdk = "v0.0.0"
	switch {
	case sdk != "" && exists(filepath.Join(sdk, "go.mod")): // a checkout
		p.checkout, err = filepath.Abs(sdk)
		w.replaces[module.Version{Path: SDK}] = p.checkout
	case replaced:
	case sdk != "":
		var found []Module
		if found, err = p.list(ctx, SDK+"@"+sdk); err == nil {
			p.sdk = found[0].Version
		}
	case target != "sdk":
		return false, nil
	default:
		err = fmt.Errorf("go.mod does not require the SDK: run go get %s@<version> first, or name a version, or the "+
			"directory of a checkout, with -sdk", SDK)
	}
	return true, err
}

// write writes go.work, and go.work.sum if the project has one.
func (w *workspace) write(requireSDK bool) error {
	p := w.project
	goVersion := p.goVersion
	for _, file := range w.modules {
		if file.Go != nil && version.Compare("go"+file.Go.Version, "go"+goVersion) > 0 {
			goVersion = file.Go.Version
		}
	}
	var work strings.Builder
	fmt.Fprintf(&work, "go %s\n", goVersion)
	for _, file := range w.modules {
		fmt.Fprintf(&work, "use %s\n", modfile.AutoQuote(filepath.Dir(file.Syntax.Name)))
	}
	for from, to := range w.replaces {
		if filepath.IsAbs(to) {
			to = modfile.AutoQuote(to)
		}
		fmt.Fprintf(&work, "replace %s %s => %s\n", from.Path, from.Version, to)
	}
	if requireSDK {
		dir := filepath.Join(p.temporary, "sdk")
		text := fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s %s\n", sdkOnly, goVersion, SDK, p.sdk)
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600)); err != nil {
			return err
		}
		fmt.Fprintf(&work, "use ./sdk\n")
	}
	if sum, err := os.ReadFile(p.Workspace + ".sum"); err == nil {
		if err := os.WriteFile(filepath.Join(p.temporary, "go.work.sum"), sum, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(p.temporary, "go.work"), []byte(work.String()), 0o600)
}

// overlay writes a go.mod that requires the SDK, to be used instead of that of the only main module. In a workspace the go
// command would load the go.mod of modules that nothing here imports, and a package may then be in two of them.
func (p *Project) overlay() error {
	_, text, err := p.Require(p.Modules[0])
	if err != nil {
		return err
	}
	p.modfile = filepath.Join(p.temporary, "go.mod")
	if sum, err := os.ReadFile(strings.TrimSuffix(p.Modules[0].GoMod, "mod") + "sum"); err == nil {
		if err := os.WriteFile(filepath.Join(p.temporary, "go.sum"), sum, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(p.modfile, text, 0o600)
}

// Require returns the go.mod of a main module, and with a requirement of the SDK.
func (p *Project) Require(main Module) (before, after []byte, err error) {
	if before, err = os.ReadFile(main.GoMod); err != nil {
		return nil, nil, err
	}
	file, err := modfile.Parse(main.GoMod, before, nil)
	if err != nil || required(file) != "" || main.Path == SDK {
		return before, before, err
	}
	if p.checkout != "" {
		if err := file.AddReplace(SDK, "", p.checkout, ""); err != nil {
			return nil, nil, err
		}
	}
	after, err = requiring(file, cmp.Or(p.sdk, "v0.0.0")).Format()
	return before, after, err
}

// requiring adds a requirement of the SDK where go mod tidy has it. By itself, modfile adds it to the last block.
func requiring(file *modfile.File, version string) *modfile.File {
	file.SetRequireSeparateIndirect(append(file.Require, &modfile.Require{Mod: module.Version{Path: SDK, Version: version}}))
	file.Cleanup()
	file.SortBlocks()
	return file
}

// required is the version of the SDK that a module requires, or "".
func required(file *modfile.File) string {
	for _, require := range file.Require {
		if require.Mod.Path == SDK {
			return require.Mod.Version
		}
	}
	return ""
}

// repository is the directory above that has a .git, or the directory itself.
func repository(dir string) string {
	for above := dir; ; above = filepath.Dir(above) {
		if exists(filepath.Join(above, ".git")) {
			return above
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
}

// goFiles are the Go files of the module in a directory. What cannot be read has none.
func goFiles(dir string) (files []string) {
	others := func(dir string) bool { return ignored(filepath.Base(dir)) || exists(filepath.Join(dir, "go.mod")) }
	_ = Walk(dir, others, func(name string) error {
		if strings.HasSuffix(name, ".go") && !ignored(filepath.Base(name)) {
			files = append(files, name)
		}
		return nil
	})
	return files
}

// Walk calls visit for the files below a directory, but for those in directories below it to skip.
func Walk(root string, skip func(dir string) bool, visit func(name string) error) error {
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && skip(name):
			return filepath.SkipDir
		case entry.Type().IsRegular():
			return visit(name)
		}
		return nil
	})
}

func readModule(path string) (*modfile.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(path, text, nil)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
