// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nestedModules returns the directories of the modules beside the SDK's own, without those in testdata.
func nestedModules(t *testing.T) (dirs []string) {
	t.Helper()
	for _, file := range tree(t) {
		dir, name := path.Split(file)
		if name == "go.mod" && dir != "" && !strings.Contains("/"+dir, "/testdata/") {
			dirs = append(dirs, strings.TrimSuffix(dir, "/"))
		}
	}
	slices.Sort(dirs)
	return dirs
}

// Each nested module has its reason in CONTRIBUTING.md, and gets its updates.
//
// Caught: a new module without a reason; a module that Dependabot does not look at, or that is gone.
func TestNestedModulesHaveReasons(t *testing.T) {
	atRoot(t)
	modules := nestedModules(t)
	_, section, _ := strings.Cut(text(t, "CONTRIBUTING.md"), "\n## Modules\n")
	var reasons []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]*)` \\| [a-z].* \\|$").FindAllStringSubmatch(section, -1) {
		reasons = append(reasons, row[1])
	}
	if diff := cmp.Diff(modules, reasons); diff != "" {
		t.Errorf("CONTRIBUTING.md, Modules (-want +got):\n%s", diff)
	}
	var updated []string
	for _, dir := range regexp.MustCompile(`[ \[]/([\w./-]+)[\],\n]`).FindAllStringSubmatch(text(t, ".github/dependabot.yml"), -1) {
		updated = append(updated, dir[1])
	}
	slices.Sort(updated)
	if diff := cmp.Diff(modules, updated); diff != "" {
		t.Errorf("dependabot.yml (-want +got):\n%s", diff)
	}
}

// The comment of the root package and docs/README.md have a line for each package that users import.
//
// Caught: a new package that only one of them names; a package that was moved.
func TestPackagesAreListed(t *testing.T) {
	atRoot(t)
	page, root := text(t, "docs/README.md"), text(t, "doc.go")
	for _, dir := range publicPackages(t) {
		if line := "\n* [" + dir + "](https://pkg.go.dev/" + module + dir + ")"; !strings.Contains(page, line) {
			t.Errorf("docs/README.md has no line %q", line)
		}
		if line := "\n//   - [" + module + dir + "]"; !strings.Contains(root, line) {
			t.Errorf("doc.go has no line %q", line)
		}
	}
}

// publicPackages returns the directories of the packages that users import, without the root.
func publicPackages(t *testing.T) (dirs []string) {
	t.Helper()
	for _, file := range goFiles(t) {
		top, _, _ := strings.Cut(file.dir(), "/")
		ours := []string{".", "docs", "examples", "internal", "test", "tools"}
		if file.isTest() || file.Name.Name == "main" || slices.Contains(ours, top) || strings.Contains(file.dir(), "/internal") {
			continue
		}
		dirs = append(dirs, file.dir())
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// CI tests every package: those of the SDK's module in test-sdk, with the race detector or without, which are two lists by
// hand, because the race detector is slow where no goroutines meet; and those of the nested modules in test-nested or e2e.
//
// Caught: a package in no list; one whose tests are run by name only.
func TestEveryPackageIsTested(t *testing.T) {
	atRoot(t)
	makefile := text(t, "Makefile")
	patterns := map[string][]string{} // by the module's directory
	for _, list := range regexp.MustCompile(`(?m)^(?:RACED|UNRACED) *:= *(.*)$`).FindAllStringSubmatch(makefile, -1) {
		patterns["."] = append(patterns["."], strings.Fields(list[1])...)
	}
	for _, target := range []string{"test-nested", "e2e-sdk", "e2e-migrations"} {
		_, recipe, found := strings.Cut(makefile, "\n"+target+":")
		if !found {
			t.Fatalf("the Makefile has no target %s", target)
		}
		recipe, _, _ = strings.Cut(recipe, "\n\n")
		for line := range strings.Lines(recipe) {
			dir, commands, inModule := strings.Cut(strings.TrimPrefix(line, "\tcd "), " && ")
			if !inModule {
				continue
			}
			for command := range strings.SplitSeq(commands, " && ") {
				if !strings.HasPrefix(command, "$(GO) test ") || strings.Contains(command, " -run ") {
					continue
				}
				for _, argument := range strings.Fields(command) {
					if strings.HasPrefix(argument, ".") {
						patterns[dir] = append(patterns[dir], argument)
					}
				}
			}
		}
	}
	modules := nestedModules(t)
	seen := map[string]bool{}
	for _, file := range goFiles(t) {
		if !file.isTest() || seen[file.dir()] {
			continue
		}
		seen[file.dir()] = true
		module := "."
		for _, dir := range modules {
			if under(file.dir(), dir) && len(dir) > len(module) {
				module = dir
			}
		}
		pkg := path.Clean(strings.TrimPrefix(strings.TrimPrefix(file.dir(), module), "/"))
		if module == "." {
			pkg = file.dir()
		}
		if !slices.ContainsFunc(patterns[module], func(pattern string) bool { return matches(pattern, pkg) }) {
			t.Errorf("make check and make e2e do not test %s of the module %s: %v", pkg, module, patterns[module])
		}
	}
}

// .ci/steps is the one list of what CI runs: .ci/run runs all of it, and the workflow ci has a job for each line and system.
//
// Caught: a step that is no target; a step that the workflow runs beside the list; a part of make check that is no step.
func TestStepsAreInOneList(t *testing.T) {
	atRoot(t)
	makefile := text(t, "Makefile")
	var steps []string
	for line := range strings.Lines(text(t, ".ci/steps")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		step := strings.Fields(line)[0]
		steps = append(steps, step)
		if !strings.Contains(makefile, "\n"+step+":") {
			t.Errorf("the step %s is no target of the Makefile", step)
		}
	}
	check := regexp.MustCompile(`(?m)^check: ([^#]*)`).FindStringSubmatch(makefile)
	for _, target := range append(strings.Fields(check[1]), "e2e") {
		if !slices.Contains(steps, target) {
			t.Errorf("%s is no step: %v", target, steps)
		}
	}
	for _, file := range []string{".ci/run", ".github/workflows/ci.yml"} {
		for _, step := range steps {
			if named := regexp.MustCompile(`(make|step) "?` + step + `\b`); named.MatchString(text(t, file)) {
				t.Errorf("%s names the step %s beside the list", file, step)
			}
		}
	}
}

// matches reports whether the go command's pattern stands for the package in dir.
func matches(pattern, dir string) bool {
	if pattern == "." {
		return dir == "."
	}
	if pattern == "./..." {
		return true
	}
	parent, all := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
	return dir == parent || all && under(dir, parent)
}

// under reports whether dir is parent or below it.
func under(dir, parent string) bool { return strings.HasPrefix(dir+"/", parent+"/") }
