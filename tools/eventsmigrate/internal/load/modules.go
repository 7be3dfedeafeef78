// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// sdkOnly is the path of a module that only requires the SDK.
const sdkOnly = "eventsmigrate.invalid/sdk"

// Gather adds to the main modules those of the same repository that are built with them, and makes the SDK loadable. For
// that the go command runs with temporary go.mod files, or a temporary go.work if the project has one. The version is that
// of the SDK, or the directory of a checkout, for modules that do not require it. Without a version that is an error for the
// target sdk only.
func (p *Project) Gather(ctx context.Context, target, sdk string) error {
	var files []*modfile.File
	for _, main := range p.Modules {
		file, err := readModule(main.GoMod)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	if p.Workspace == "" {
		all, left, err := related(repository(p.Dir), files)
		if err != nil {
			return err
		}
		files = all
		for _, file := range files[len(p.Modules):] {
			p.Modules = append(p.Modules, moduleOf(file))
		}
		for _, file := range left {
			p.Left = append(p.Left, moduleOf(file))
		}
	}
	requireSDK, err := p.requireSDK(ctx, files, target, sdk)
	if err != nil || !requireSDK && !p.Vendors() {
		return err
	}
	if p.temporary, err = os.MkdirTemp("", "eventsmigrate-"); err != nil {
		return err
	}
	if p.Workspace != "" {
		if p.vendored(ctx, filepath.Dir(p.Workspace)) {
			work, err := readWorkspace(p.Workspace)
			if err == nil {
				p.outside, err = p.writeOutside(ctx, p.Workspace, work.Replace)
			}
			return err
		}
		return p.writeWorkspace(requireSDK)
	}
	for i := range p.Modules {
		main := &p.Modules[i]
		if p.vendored(ctx, main.Dir) {
			main.outside, err = p.writeOutside(ctx, main.GoMod, files[i].Replace)
		} else {
			err = p.overlay(main, filepath.Join(p.temporary, strconv.Itoa(i)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func moduleOf(file *modfile.File) Module {
	return Module{
		Path:  file.Module.Mod.Path,
		Dir:   filepath.Dir(file.Syntax.Name),
		GoMod: file.Syntax.Name,
	}
}

// related adds to modules those of the repository that replace one of them by its directory and record, and those with old
// API that one of them replaces by their directory, and so on. Left are those with recorders that only require one of them.
func related(root string, modules []*modfile.File) (all, left []*modfile.File, err error) {
	var others []*modfile.File
	err = Walk(root, func(dir string) bool { return ignored(filepath.Base(dir)) || filepath.Base(dir) == "third_party" }, func(name string) error {
		if filepath.Base(name) == "go.mod" {
			if file, err := readModule(name); err == nil && file.Module != nil {
				others = append(others, file)
			}
		}
		return nil
	})
	files := func(of *modfile.File) []string { return goFiles(filepath.Dir(of.Syntax.Name)) }
	hasRecorders := func(file string) bool { return UsesOld(file) || Records(file) }
	for i := 0; i < len(modules); i++ { // it grows
		main := modules[i]
		others = slices.DeleteFunc(others, func(other *modfile.File) bool {
			if isOneOf(modules, other.Module.Mod.Path) {
				return true
			}
			add := replacesByDir(other, main) && slices.ContainsFunc(files(other), hasRecorders) ||
				replacesByDir(main, other) && slices.ContainsFunc(files(other), UsesOld)
			if add {
				modules = append(modules, other)
			}
			return add
		})
	}
	for _, other := range others {
		requires := func(require *modfile.Require) bool { return isOneOf(modules, require.Mod.Path) }
		if slices.ContainsFunc(other.Require, requires) && slices.ContainsFunc(files(other), hasRecorders) {
			left = append(left, other)
		}
	}
	return modules, left, err
}

func isOneOf(modules []*modfile.File, path string) bool {
	return slices.ContainsFunc(modules, func(file *modfile.File) bool { return file.Module.Mod.Path == path })
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

// requireSDK reports whether a module has to require the SDK that does not yet.
func (p *Project) requireSDK(ctx context.Context, files []*modfile.File, target, sdk string) (bool, error) {
	changes, lacking, replaced := false, false, false
	for _, file := range files {
		version := required(file)
		p.sdk = cmp.Or(p.sdk, version)
		lacking = lacking || version == ""
		names := goFiles(filepath.Dir(file.Syntax.Name))
		changes = changes || slices.ContainsFunc(names, UsesOld) || target == "sdk" && slices.ContainsFunc(names, MakesEvents)
		replaced = replaced || block(file, SDK) != ""
	}
	if p.Workspace != "" {
		work, err := readWorkspace(p.Workspace)
		if err != nil {
			return false, err
		}
		replaced = replaced || slices.ContainsFunc(work.Replace, func(replace *modfile.Replace) bool { return replace.Old.Path == SDK })
	}
	if !changes {
		return false, nil
	}
	versions, err := p.versions(ctx)
	if err != nil {
		return false, err
	}
	if err := check(target, versions); err != nil {
		return false, err
	}
	if !lacking || isOneOf(files, SDK) || check("sdk", versions) != nil {
		return false, nil
	}
	switch {
	case p.sdk != "": // another module requires it
	case sdk != "" && exists(filepath.Join(sdk, "go.mod")): // a checkout
		p.sdk = "v0.0.0"
		p.checkout, err = filepath.Abs(sdk)
		p.relative = !filepath.IsAbs(sdk)
	case replaced:
		p.sdk = "v0.0.0"
	case sdk != "":
		var found []Module
		if found, err = p.list(ctx, p.Dir, "-mod=readonly", SDK+"@"+sdk); err != nil {
			return false, fmt.Errorf("find version %s of the SDK: %w", sdk, err)
		}
		p.sdk = found[0].Version
	case target != "sdk":
		return false, nil
	default:
		err = fmt.Errorf("go.mod does not require the SDK: run go get %s@<version> first, or name a version, or the "+
			"directory of a checkout, with -sdk", SDK)
	}
	return true, err
}

// writeWorkspace writes the project's go.work, with absolute directories, and a module that requires the SDK.
func (p *Project) writeWorkspace(requireSDK bool) error {
	project, err := readWorkspace(p.Workspace)
	if err != nil {
		return err
	}
	var work strings.Builder
	fmt.Fprintf(&work, "go %s\n", p.goVersion)
	for _, module := range p.Modules {
		fmt.Fprintf(&work, "use %s\n", modfile.AutoQuote(module.Dir))
	}
	for _, replace := range project.Replace {
		work.WriteString(replaceLine(p.Workspace, replace))
	}
	if p.checkout != "" {
		fmt.Fprintf(&work, "replace %s => %s\n", SDK, modfile.AutoQuote(p.checkout))
	}
	if requireSDK {
		dir := filepath.Join(p.temporary, "sdk")
		text := fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s %s\n", sdkOnly, p.goVersion, SDK, p.sdk)
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600)); err != nil {
			return err
		}
		fmt.Fprintf(&work, "use ./sdk\n")
	}
	if err := copyIfThere(sumOf(p.Workspace), filepath.Join(p.temporary, "go.work.sum")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.temporary, "go.work"), []byte(work.String()), 0o600)
}

// replaceLine is a replace directive of a go.mod or go.work as another one has it.
func replaceLine(in string, replace *modfile.Replace) string {
	to := replacement(in, replace)
	if replace.New.Version == "" {
		to = modfile.AutoQuote(to)
	}
	return fmt.Sprintf("replace %s %s => %s\n", replace.Old.Path, replace.Old.Version, to)
}

// writeOutside writes a module that requires the SDK, and what it shares with the project in the same versions, and
// returns its directory. What a vendor directory lacks is found from there. The project itself builds without a
// network, and may need modules that nobody can download, so it cannot require the SDK.
func (p *Project) writeOutside(ctx context.Context, in string, replaces []*modfile.Replace) (dir string, err error) {
	used, err := p.list(ctx, filepath.Dir(in), append([]string{"-mod=vendor", "-e"}, shared...)...)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "module %s\n\ngo %s\n", sdkOnly, p.goVersion)
	if p.sdk != "" {
		fmt.Fprintf(&text, "require %s %s\n", SDK, p.sdk)
	}
	for _, module := range used {
		if module.Version != "" {
			fmt.Fprintf(&text, "require %s %s\n", module.Path, module.Version)
		}
	}
	for _, replace := range replaces {
		if replace.Old.Path == SDK || slices.Contains(shared, replace.Old.Path) {
			text.WriteString(replaceLine(in, replace))
		}
	}
	if p.checkout != "" {
		fmt.Fprintf(&text, "replace %s => %s\n", SDK, modfile.AutoQuote(p.checkout))
	}
	var sums []byte
	for _, name := range []string{sumOf(in), filepath.Join(p.checkout, "go.sum")} {
		sum, _ := os.ReadFile(name) // the go command says what it lacks
		sums = append(sums, sum...)
	}
	if dir, err = os.MkdirTemp(p.temporary, "outside-"); err != nil {
		return "", err
	}
	return dir, errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text.String()), 0o600),
		os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
}

// sumOf is the file beside a go.mod or go.work that has the checksums.
func sumOf(name string) string {
	if filepath.Base(name) == "go.mod" {
		return strings.TrimSuffix(name, "mod") + "sum"
	}
	return name + ".sum"
}

// overlay writes a go.mod that requires the SDK, to be used instead of that of a main module. In a workspace the go command
// would load the go.mod of modules that nothing here imports, and a package may then be in two of them.
func (p *Project) overlay(main *Module, dir string) error {
	_, text, err := p.Require(*main)
	if err != nil {
		return err
	}
	main.modfile = filepath.Join(dir, "go.mod")
	return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(main.modfile, text, 0o600),
		copyIfThere(sumOf(main.GoMod), filepath.Join(dir, "go.sum")))
}

func copyIfThere(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return nil // the go command says what it lacks
	}
	return os.WriteFile(to, text, 0o600)
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
		if err := file.AddReplace(SDK, "", p.checkoutFrom(main.Dir), ""); err != nil {
			return nil, nil, err
		}
	}
	after, err = requiring(file, cmp.Or(p.sdk, "v0.0.0")).Format()
	return before, after, err
}

// checkoutFrom returns the path of the checkout that the go.mod in a directory has: relative if it was named so.
func (p *Project) checkoutFrom(dir string) string {
	if !p.relative {
		return p.checkout
	}
	from, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return p.checkout
	}
	to, err := filepath.EvalSymlinks(p.checkout)
	if err != nil {
		return p.checkout
	}
	path, err := filepath.Rel(from, to)
	if err != nil {
		return p.checkout
	}
	if path = filepath.ToSlash(path); !modfile.IsDirectoryPath(path) {
		path = "./" + path
	}
	return path
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

func readWorkspace(path string) (*modfile.WorkFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.ParseWork(path, text, nil)
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
