// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	projects  = flag.String("projects", "", "a directory with checkouts of projects to migrate")
	typesOnly = flag.Bool("types-only", false, "with -projects: build and test nothing, and check types by a second run")
)

// Projects that this tool was not made for are migrated as its README says, and a row of docs/evidence/projects.md is
// written for each; the patch is left beside the checkout. What a maintainer says of the diff stands below the table, and
// no test can say it. It takes minutes for each project, and half an hour where the build cache is empty, so it runs when
// -projects says where they are.
func TestProjects(t *testing.T) {
	if *projects == "" {
		t.Skip("no -projects")
	}
	found, _ := filepath.Glob(filepath.Join(*projects, "*", "go.mod")) // the patterns are well formed
	deeper, _ := filepath.Glob(filepath.Join(*projects, "*", "*", "go.mod"))
	for _, mod := range deeper {
		if parent := filepath.Join(filepath.Dir(filepath.Dir(mod)), "go.mod"); !slices.Contains(found, parent) {
			found = append(found, mod)
		}
	}
	for _, mod := range found {
		dir, err := filepath.Rel(*projects, filepath.Dir(mod))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.ReplaceAll(dir, "/", "."), func(t *testing.T) { migrateProject(t, dir) })
	}
}

func migrateProject(t *testing.T, dir string) {
	repository, within, _ := strings.Cut(dir, "/")
	clone := func() *module {
		m := &module{t: t, dir: t.TempDir()}
		m.run("git", "clone", "-q", filepath.Join(*projects, repository), ".")
		m.dir = filepath.Join(m.dir, within)
		return m
	}
	before, after := clone(), clone()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	command := []string{tool, "-json", "-sdk", root, "-force"}
	if !*typesOnly {
		before.measure(append(command, "./...")) // downloads modules
	}
	out, wall, memory := before.measure(append(command, "-diff", "./..."))
	r := &report{}
	before.must(json.Unmarshal(out, r))
	file := filepath.Join(*projects, strings.ReplaceAll(dir, "/", ".")+".patch")
	after.must(os.WriteFile(file, []byte(r.Diff), 0o600))
	after.run("git", "apply", file)
	left := leftOf(r)
	for _, line := range left {
		t.Log("left: ", line)
	}
	changed := strings.Fields(after.run("git", "diff", "--name-only", "--relative"))
	stat := strings.Fields(after.run("git", "diff", "--shortstat", "--relative") + " 0 0 0 0 0 0 0")
	after.checkGenerated(before)
	builds, tests, passed, lost := true, "types only", 0, []string{}
	for _, mod := range after.edited(changed) {
		b, a := &module{t, filepath.Join(before.dir, mod.dir)}, &module{t, filepath.Join(after.dir, mod.dir)}
		if out, code := a.exec("go", "mod", "tidy"); code != 0 {
			t.Log(out)
		}
		if _, err := os.Stat(filepath.Join(a.dir, "vendor")); err == nil {
			a.run("go", "mod", "vendor")
		}
		if *typesOnly {
			continue
		}
		if out, code := a.exec("go", "build", "./..."); code != 0 {
			t.Log(out)
			was, _ := b.exec("go", "build", "./...") // a plugin has no main
			builds = builds && out == was
		}
		was, is := b.results(mod.packages), a.results(mod.packages)
		for _, name := range slices.Sorted(maps.Keys(was)) {
			if is[name] == was[name] {
				passed++
			} else {
				lost = append(lost, name)
			}
		}
		if tests = fmt.Sprint(passed); len(lost) > 0 {
			tests = fmt.Sprintf("%d of %d", passed, passed+len(lost))
		}
	}
	for _, name := range lost {
		t.Error("passed before and does not after: ", name)
	}
	lints := after.lints()
	for finding, n := range before.lints() {
		lints[finding] = max(0, lints[finding]-n)
	}
	found := 0
	for finding, n := range lints {
		found += n
		if n > 0 {
			t.Logf("new, of the lints, %d times: %s", n, finding)
		}
	}
	files := after.files()
	out, _, _ = after.measure(append(command, "-fix", "./..."))
	second := &report{}
	after.must(json.Unmarshal(out, second))
	if lost := second.broken(); len(lost) > len(r.broken()) {
		t.Errorf("does not compile after: %q", lost)
		builds = false
	}
	if diff := cmp.Diff(files, after.files()); diff != "" {
		t.Errorf("a second run changes files (-before +after):\n%s", diff)
	}
	if !builds {
		t.Error("does not build")
		tests = "**does not build**"
	}
	t.Logf("the tool takes %.1f GiB", memory)
	writeRow(t, dir, fmt.Sprintf("| %s | %d | %d | %s, +%s −%s | %s | %d | %.0f |", dir,
		rewritten(r), len(left), stat[0], stat[3], stat[5], tests, found, wall.Seconds()))
}

// measure returns what a command prints, which may exit with 1 because it has found something, its time, and its most
// memory in GiB.
func (m *module) measure(args []string) (out []byte, wall time.Duration, memory float64) {
	m.t.Helper()
	command, begun := m.command(args...), time.Now()
	out, err := command.Output()
	if command.ProcessState.ExitCode() > 1 || !command.ProcessState.Exited() {
		m.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return out, time.Since(begun), float64(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / (1 << 20)
}

// lints counts what the lints say, by file and message.
func (m *module) lints() map[string]int {
	m.t.Helper()
	report, _ := m.tool("lint")
	count := map[string]int{}
	for _, p := range report.Places {
		count[p.File+": "+p.Message]++
	}
	return count
}

// broken are the places that do not compile.
func (r *report) broken() (messages []string) {
	for _, p := range r.Places {
		if p.Rule == "broken" {
			messages = append(messages, p.String())
		}
	}
	return messages
}

// rewritten counts the calls that the tool has rewritten.
func rewritten(r *report) (n int) {
	for _, p := range r.Places {
		if p.Rule == "call" && p.Status == "rewritten" {
			n++
		}
	}
	return n
}

// edited is a module with packages that were edited.
type edited struct {
	dir      string
	packages []string
}

// edited returns the modules with Go files among those that were changed.
func (m *module) edited(changed []string) (all []edited) {
	packages := map[string][]string{}
	for _, file := range changed {
		if !strings.HasSuffix(file, ".go") {
			continue
		}
		mod := filepath.Dir(file)
		for mod != "." {
			if _, err := os.Stat(filepath.Join(m.dir, mod, "go.mod")); err == nil {
				break
			}
			mod = filepath.Dir(mod)
		}
		pkg, err := filepath.Rel(mod, filepath.Dir(file))
		m.must(err)
		packages[mod] = append(packages[mod], "./"+pkg)
	}
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		slices.Sort(packages[dir])
		all = append(all, edited{dir, slices.Compact(packages[dir])})
	}
	return all
}

// seed is a number in the name of a subtest that is another at each run, as in cluster-api's rollouts.
var seed = regexp.MustCompile(`\d{10,}`)

// results are the tests of packages that pass, and the packages that go vet has nothing to say of. Tests that want a
// cluster fail before, too.
func (m *module) results(packages []string) map[string]bool {
	m.t.Helper()
	passed := map[string]bool{}
	test := m.command(append([]string{"go", "test", "-json", "-timeout=5m"}, packages...)...)
	test.Env = append(test.Env, "GOFLAGS=") // some find their files by the paths in the program
	out, _ := test.Output()                 // it fails if a test does
	for lines := json.NewDecoder(bytes.NewReader(out)); lines.More(); {
		var line struct{ Action, Package, Test string }
		m.must(lines.Decode(&line))
		if line.Action == "pass" {
			passed[line.Package+" "+seed.ReplaceAllString(line.Test, "N")] = true
		}
	}
	return passed
}

var roleName = regexp.MustCompile(`rbac:roleName=([\w-]+)`)

// checkGenerated checks that controller-gen makes the role that the tool has written, if it has made the one before.
func (m *module) checkGenerated(before *module) {
	name := "manager-role"
	makefile, _ := os.ReadFile(filepath.Join(m.dir, "Makefile")) // empty if there is none
	if match := roleName.FindSubmatch(makefile); match != nil {
		name = string(match[1])
	}
	if _, code := before.exec("git", "grep", "-q", "+kubebuilder:rbac:"); code != 0 {
		return
	}
	generate := func(m *module) []byte {
		dir := m.t.TempDir()
		cmd := m.command("go", "run", "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0",
			"rbac:roleName="+name, "paths=./...", "output:rbac:dir="+dir)
		_ = cmd.Run() // it fails on types that have nothing to do with roles
		text, _ := os.ReadFile(filepath.Join(dir, "role.yaml"))
		return bytes.TrimSpace(text)
	}
	was := generate(before)
	if len(was) == 0 {
		return
	}
	named, _ := before.exec("git", "grep", "-l", "--", "name: "+name) // exit code 1: none
	for _, file := range strings.Fields(named) {
		if text, err := os.ReadFile(filepath.Join(before.dir, file)); err == nil && bytes.Equal(bytes.TrimSpace(text), was) {
			now, err := os.ReadFile(filepath.Join(m.dir, file))
			m.must(err)
			if bytes.Equal(bytes.TrimSpace(now), generate(m)) {
				m.t.Log("what controller-gen makes: ", file)
			} else {
				m.t.Error("not what controller-gen makes: ", file)
			}
			return
		}
	}
}

// writeRow replaces the row of a project in the table of the page that is measured, or adds one.
func writeRow(t *testing.T, name, row string) {
	page := filepath.Join("..", "..", "..", "docs", "evidence", "projects.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, table, found := strings.Cut(string(text), "\n|---|--:|")
	if !found {
		t.Fatal("projects.md has no table of measurements")
	}
	lines := strings.Split(table, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "| "+name+" |") })
	if i < 0 {
		i = 1
		lines = slices.Insert(lines, i, "")
	}
	lines[i] = row
	text = []byte(head + "\n|---|--:|" + strings.Join(lines, "\n"))
	if err := os.WriteFile(page, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
