// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"
)

// projects are the modules of users.
//
//go:embed projects/*.txtar
var projects embed.FS

func project(name string) (*txtar.Archive, error) {
	content, err := projects.ReadFile("projects/" + name + ".txtar")
	return txtar.Parse(content), err
}

// uses are the steps that use the packed modules.
func (r *Rehearsal) uses() []step {
	return []step{
		{"the modules are small", r.size},
		{"go get it, build the README's program and run it", r.readme},
		{"the READMEs' programs of the modules in contrib", r.contribs},
		{"a test with eventstest in another module", r.test},
		{"the migration, by go run", r.migrate},
		{"what it adds to a module with client-go", r.adds},
	}
}

// get is the query for the rehearsed version.
func (r *Rehearsal) get() string { return r.gomod.Module.Mod.Path + "@" + r.Version }

// readme does what the README says first.
func (r *Rehearsal) readme(ctx context.Context) (string, error) {
	u, err := r.build(ctx, "")
	if err != nil {
		return "", err
	}
	const dependency = "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}"
	modules, err := u.run(ctx, "go", "list", "-deps", "-f", dependency, ".")
	if err != nil {
		return "", err
	}
	names := strings.Fields(modules)
	slices.Sort(names)
	names = slices.Compact(names)
	written, err := runOnCluster(ctx, u, "./hello.exe")
	if err != nil {
		return "", err
	}
	var over bounds
	over.most("modules in the program", len(names), maxModules)
	return fmt.Sprintf("%d modules in the program\nit wrote %s", len(names), written), over.err()
}

// build builds the first program in the README of a module.
func (r *Rehearsal) build(ctx context.Context, dir string) (*user, error) {
	readme := path.Join(dir, "README.md")
	text, err := r.repository.File(ctx, r.commit, readme)
	if err != nil {
		return nil, err
	}
	const main = "package main\n"
	_, rest, found := strings.Cut(string(text), "```go\n"+main)
	program, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		return nil, fmt.Errorf("%s has no program: a block of Go that begins with %q", readme, main)
	}
	files := &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: []byte(main + program)}}}
	u, err := r.user(ctx, "hello"+strings.ReplaceAll(dir, "/", "-"), files)
	if err != nil {
		return nil, err
	}
	get := path.Join(r.gomod.Module.Mod.Path, dir) + "@" + r.Version
	return u, u.each(ctx, []string{"mod", "init", "example.com/hello"}, []string{"get", get},
		[]string{"mod", "tidy"}, []string{"build", "-o", "hello.exe", "."})
}

// contribs builds what the READMEs of the modules in contrib show.
func (r *Rehearsal) contribs(ctx context.Context) (string, error) {
	for _, dir := range r.contrib {
		if _, err := r.build(ctx, dir); err != nil {
			return "", fmt.Errorf("%s: %w", dir, err)
		}
	}
	return strings.Join(r.contrib, ", "), nil
}

// test runs a test that imports the kit, with nothing of this repository around it.
func (r *Rehearsal) test(ctx context.Context) (string, error) {
	files, err := project("controller")
	if err != nil {
		return "", err
	}
	u, err := r.user(ctx, "controller", files)
	if err != nil {
		return "", err
	}
	if err := u.each(ctx, []string{"mod", "init", "example.com/controller"}, []string{"get", r.get()},
		[]string{"mod", "tidy"}); err != nil {
		return "", err
	}
	out, err := u.run(ctx, "go", "test", "-v", "./...")
	passed := strings.Count(out, "--- PASS: ")
	if err == nil && passed == 0 {
		err = fmt.Errorf("no test ran:\n%s", out)
	}
	return fmt.Sprintf("tests passed: %d", passed), err
}

// migrate runs the migration on a project that it has something to say about.
func (r *Rehearsal) migrate(ctx context.Context) (string, error) {
	files, err := project("record")
	if err != nil {
		return "", err
	}
	u, err := r.user(ctx, "record", files)
	if err != nil {
		return "", err
	}
	if err := u.each(ctx, []string{"mod", "init", "example.com/record"}, []string{"get", r.clientGo()},
		[]string{"mod", "tidy"}); err != nil {
		return "", err
	}
	command := r.gomod.Module.Mod.Path + "/tools/eventsmigrate@" + r.Version
	out, err := u.run(ctx, "go", "run", command, "-diff", "./...")
	if err == nil {
		return "", fmt.Errorf("it found nothing to do:\n%s", out)
	}
	if !failedAs(err, 1) || !strings.Contains(out, "+\t\""+r.gomod.Module.Mod.Path) {
		return "", err
	}
	return "it would edit the code, and wrote nothing", nil
}

// clientGo is the query for the oldest client-go that is supported.
func (r *Rehearsal) clientGo() string {
	for _, require := range r.gomod.Require {
		if require.Mod.Path == "k8s.io/client-go" {
			return require.Mod.Path + "@" + require.Mod.Version
		}
	}
	return "k8s.io/client-go@latest"
}

// adds compares the modules of a project before and after it uses the SDK.
func (r *Rehearsal) adds(ctx context.Context) (string, error) {
	files, err := project("clientgo")
	if err != nil {
		return "", err
	}
	u, err := r.user(ctx, "clientgo", files)
	if err != nil {
		return "", err
	}
	if err := u.each(ctx, []string{"mod", "init", "example.com/clientgo"}, []string{"get", r.clientGo()},
		[]string{"mod", "tidy"}); err != nil {
		return "", err
	}
	required, all, err := u.modules(ctx)
	if err != nil {
		return "", err
	}
	use := "package main\n\nimport _ \"" + r.gomod.Module.Mod.Path + "/adapter\"\n"
	if err := os.WriteFile(filepath.Join(u.dir, "use.go"), []byte(use), 0o644); err != nil {
		return "", err
	}
	if err := u.each(ctx, []string{"get", r.get()}, []string{"mod", "tidy"}); err != nil {
		return "", err
	}
	requiredNow, allNow, err := u.modules(ctx)
	if err != nil {
		return "", err
	}
	return r.added(required, requiredNow, all, allNow)
}

func (r *Rehearsal) added(required, requiredNow, all, allNow []string) (string, error) {
	old := slices.Concat(required, all, []string{r.get()})
	var more []string
	for _, m := range slices.Concat(requiredNow, allNow) {
		if !slices.Contains(old, m) && !slices.Contains(more, m) {
			more = append(more, m)
		}
	}
	if len(more) > 0 {
		return "", fmt.Errorf("it adds or raises %s; a project that uses client-go gets itself and nothing else",
			strings.Join(more, ", "))
	}
	const finding = "itself and nothing else: %d requirements in go.mod instead of %d, %d modules in all instead of %d"
	return fmt.Sprintf(finding, len(requiredNow), len(required), len(allNow), len(all)), nil
}

// modules returns what go.mod requires and what go list -m all shows, as path@version.
func (u *user) modules(ctx context.Context) (required, all []string, err error) {
	content, err := os.ReadFile(filepath.Join(u.dir, "go.mod"))
	if err != nil {
		return nil, nil, err
	}
	gomod, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, require := range gomod.Require {
		required = append(required, require.Mod.String())
	}
	out, err := u.run(ctx, "go", "list", "-m", "-f", "{{.Path}}{{with .Version}}@{{.}}{{end}}", "all")
	return required, strings.Fields(out), err
}
