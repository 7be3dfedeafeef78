// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

const (
	clientGo          = "k8s.io/client-go"
	controllerRuntime = "sigs.k8s.io/controller-runtime"
)

// shared are the modules whose types are those of both the project and the SDK.
var shared = []string{"k8s.io/api", "k8s.io/apimachinery", clientGo, controllerRuntime}

// dependency is a module that the main modules use.
type dependency struct {
	version  string
	replaces string // what go.mod says of it, and of all that move with it, or empty
}

// versions finds the modules that a target depends on. One that is not used is not found.
func (p *Project) versions(ctx context.Context) (map[string]dependency, error) {
	mod := "-mod=readonly"
	if p.Vendors() && p.vendored(ctx, p.Dir) {
		mod = "-mod=vendor"
	}
	used, err := p.list(ctx, p.Dir, mod, "-e", clientGo, controllerRuntime)
	found := map[string]dependency{}
	for _, module := range used {
		switch {
		case module.Replace != nil:
			d := dependency{version: module.Replace.Version}
			for _, main := range p.Modules {
				if file, err := readModule(main.GoMod); err == nil {
					d.replaces = cmp.Or(d.replaces, block(file, module.Path))
				}
			}
			found[module.Path] = d
		case module.Version != "":
			found[module.Path] = dependency{version: module.Version}
		}
	}
	return found, err
}

// block names the lines of the replace directives of a module and of those that name the same version, because they move
// together.
func block(file *modfile.File, path string) string {
	i := slices.IndexFunc(file.Replace, func(replace *modfile.Replace) bool { return replace.Old.Path == path })
	if i < 0 {
		return ""
	}
	first, last := file.Replace[i].Syntax.Start.Line, 0
	for _, replace := range file.Replace {
		if replace == file.Replace[i] || replace.New.Version == file.Replace[i].New.Version && replace.New.Version != "" {
			first, last = min(first, replace.Syntax.Start.Line), replace.Syntax.Start.Line
		}
	}
	return fmt.Sprintf("in %s, whose lines %d to %d replace it and what moves with it", filepath.Base(file.Syntax.Name), first, last)
}

// check returns an error if dependencies are too old for the target. It says what to raise.
func check(target string, versions map[string]dependency) error {
	switch target {
	case "controller-runtime":
		// GetEventRecorder of Manager and Cluster came with v0.23.0 (controller-runtime#3262).
		if _, found := versions[controllerRuntime]; !found {
			return fmt.Errorf("the module does not use %s: choose -target=sdk or -target=client-go", controllerRuntime)
		}
		return atLeast(versions[controllerRuntime], controllerRuntime, "v0.23.0", target)
	case "client-go":
		return atLeast(versions[clientGo], clientGo, "v0.29.0", target) // EventRecorderLogger of tools/events
	default:
		// A controller-runtime that fits this client-go is raised instead, because it raises client-go, too.
		const fitting = "v0.23.0"
		d := versions[controllerRuntime]
		err := atLeast(versions[clientGo], clientGo, "v0.35.0", "sdk")
		if err == nil || !olderThan(d, fitting) {
			return err
		}
		return fmt.Errorf("-target=sdk needs %s v0.35.0, the module has %s, and %s %s with it: %s",
			clientGo, versions[clientGo].version, controllerRuntime, d.version, d.raise(controllerRuntime, fitting))
	}
}

// olderThan compares releases. A directory that replaces the module has no version, so the compiler decides.
func olderThan(d dependency, minimum string) bool {
	return semver.IsValid(d.version) && semver.Compare(d.version, minimum) < 0
}

// atLeast returns an error if a release is older than a target needs.
func atLeast(d dependency, path, minimum, target string) error {
	if !olderThan(d, minimum) {
		return nil
	}
	return fmt.Errorf("-target=%s needs %s %s, the module has %s: %s", target, path, minimum, d.version, d.raise(path, minimum))
}

// raise says how a module gets another version. Where it is replaced, go get has no effect.
func (d dependency) raise(path, version string) string {
	if d.replaces != "" {
		return fmt.Sprintf("raise it to %s or newer first, %s", version, d.replaces)
	}
	return fmt.Sprintf("raise it first, go get %s@%s", path, version)
}
