// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// SDK is the module path of the SDK.
const SDK = "github.com/eventseries/eventseries"

// Module is a module. The packages of the main modules are edited.
type Module struct {
	Path, Version, Dir, GoMod string
	Replace                   *Module

	modfile string // the run's own go.mod, or empty
	outside string // of a module with a vendor directory: that of a module that has what is not in there, or empty
}

// Project is one main module or several.
type Project struct {
	Dir       string // where the go command runs
	Workspace string // the project's own go.work file, if it has one
	Modules   []Module
	Left      []Module // of the repository, with recorders: they require one of Modules, and are not built with it

	sizes     types.Sizes
	goVersion string // of the go command
	temporary string // the directory of the run's own go.work or go.mod files, if it has one
	sdk       string // the version to require
	checkout  string // the directory of the SDK to require, or empty
	relative  bool   // it was named by a relative path
	outside   string // as that of a module, for a workspace
}

// Open finds the main modules that the go command works on in dir.
func Open(ctx context.Context, dir string) (*Project, error) {
	p := &Project{Dir: dir}
	out, err := p.run(ctx, "env", "-json", "GOMOD", "GOWORK", "GOARCH", "GOVERSION")
	if err != nil {
		return nil, err
	}
	var env struct{ GOMOD, GOWORK, GOARCH, GOVERSION string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	p.sizes = types.SizesFor("gc", env.GOARCH)
	p.goVersion, _, _ = strings.Cut(strings.TrimPrefix(env.GOVERSION, "go"), " ")
	if env.GOWORK != "off" {
		p.Workspace = env.GOWORK
	}
	if p.Workspace == "" && (env.GOMOD == "" || env.GOMOD == os.DevNull) {
		return nil, fmt.Errorf("no go.mod in %s or above: run eventsmigrate inside a module", dir)
	}
	p.Modules, err = p.list(ctx, p.Dir, "-mod=readonly")
	return p, err
}

// list lists modules: the main ones, unless others are named.
func (p *Project) list(ctx context.Context, dir string, args ...string) ([]Module, error) {
	out, err := p.runIn(ctx, dir, append([]string{"list", "-m", "-json"}, args...)...)
	if err != nil {
		return nil, err
	}
	var modules []Module
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module Module
		if err := decoder.Decode(&module); errors.Is(err, io.EOF) {
			return modules, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		if module.Path != sdkOnly {
			modules = append(modules, module)
		}
	}
}

// Close removes the temporary files of the run.
func (p *Project) Close() error {
	if p.temporary == "" {
		return nil
	}
	return os.RemoveAll(p.temporary)
}

// Main reports whether a package is of one of the main modules.
func (p *Project) Main(path string) bool {
	return slices.ContainsFunc(p.Modules, func(module Module) bool { return within(path, module.Path) })
}

// Owner is the main module that a file is in, or none.
func (p *Project) Owner(file string) (owner Module) {
	for _, module := range p.Modules {
		if strings.HasPrefix(file, module.Dir+string(filepath.Separator)) && len(module.Dir) > len(owner.Dir) {
			owner = module
		}
	}
	return owner
}

// Outside reports whether a file is in no repository of the project, such as one in the module cache.
func (p *Project) Outside(file string) bool {
	root := repository(p.Dir)
	return p.Owner(file) == Module{} && file != root && !strings.HasPrefix(file, root+string(filepath.Separator))
}

// Vendors reports whether there is a vendor directory, which has to get new imports.
func (p *Project) Vendors() bool {
	root := filepath.Dir(p.Workspace)
	if p.Workspace == "" {
		root = p.Modules[0].Dir
	}
	return exists(modulesTxt(root))
}

func modulesTxt(dir string) string { return filepath.Join(dir, "vendor", "modules.txt") }

// vendored reports whether the go command builds a module or a workspace with its vendor directory. It does not build
// if go.mod has changed since that was made.
func (p *Project) vendored(ctx context.Context, dir string) bool {
	if !exists(modulesTxt(dir)) {
		return false
	}
	_, err := p.runIn(ctx, dir, "list", "unsafe")
	return err == nil
}

// run runs the go command in the project and returns what it prints.
func (p *Project) run(ctx context.Context, args ...string) ([]byte, error) {
	return p.runIn(ctx, p.Dir, args...)
}

// runIn runs the go command in a directory and returns what it prints.
func (p *Project) runIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "PWD="+dir)
	if dir != p.Dir {
		command.Env = append(command.Env, "GOWORK="+cmp.Or(p.Workspace, "off")) // one beside it is not the user's
	}
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
