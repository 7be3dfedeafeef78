// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// patch is one of upstream/, for the source of Kubernetes.
type patch struct {
	name    string // as 01-series-key
	text    string
	changes []string // the files that it changes, and not those that it adds
	tests   []string // the files of tests that it changes or adds
	lines   int      // that it adds without tests
}

func upstreamPatches(t *testing.T) (all []patch) {
	t.Helper()
	for _, file := range tree(t) {
		name, isPatch := strings.CutSuffix(file, ".patch")
		if path.Dir(file) != "upstream" || !isPatch {
			continue
		}
		p := patch{name: path.Base(name), text: text(t, file)}
		inTest := false
		for line := range strings.Lines(p.text) {
			line = strings.TrimSuffix(line, "\n")
			if changed, found := strings.CutPrefix(line, "--- a/"); found {
				p.changes = append(p.changes, changed)
				continue
			}
			if to, found := strings.CutPrefix(line, "+++ b/"); found {
				inTest = strings.HasSuffix(to, "_test.go")
				if inTest {
					p.tests = append(p.tests, to)
				}
				continue
			}
			if strings.HasPrefix(line, "+") && !inTest {
				p.lines++
			}
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("%d patches were found, want all of upstream", len(all))
	}
	return all
}

// isOfKubernetes reports whether the patch is for Kubernetes, and not for a repository of texts.
func (p *patch) isOfKubernetes() bool {
	return slices.ContainsFunc(p.changes, func(file string) bool { return path.Ext(file) == ".go" })
}

// The headings of the template of pull requests in Kubernetes v1.37.2, .github/PULL_REQUEST_TEMPLATE.md.
var pullRequestHeadings = []string{
	"What type of PR is this?",
	"What this PR does / why we need it:",
	"Which issue(s) this PR is related to:",
	"Special notes for your reviewer:",
	"Does this PR introduce a user-facing change?",
	"Additional documentation e.g., KEPs (Kubernetes Enhancement Proposals), usage docs, etc.:",
}

// Each patch is small, has a test, has the text of its pull request in Kubernetes' template, and is in the table of the
// README with its number of lines.
//
// Caught: a text without a heading; an empty section; a patch without a test; a patch that has grown; a missing row.
func TestUpstreamPatchesHaveTexts(t *testing.T) {
	atRoot(t)
	readme := text(t, "upstream/README.md")
	for _, p := range upstreamPatches(t) {
		if err := checkPullRequest(text(t, "upstream/"+p.name+".md")); err != nil {
			t.Errorf("upstream/%s.md: %v", p.name, err)
		}
		if p.lines >= 50 {
			t.Errorf("upstream/%s.patch adds %d lines without tests, want less than 50", p.name, p.lines)
		}
		if p.isOfKubernetes() && len(p.tests) == 0 {
			t.Errorf("upstream/%s.patch has no test", p.name)
		}
		number, _, _ := strings.Cut(p.name, "-")
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| \[%s\]\(%[2]s\.md\) \| .*\(%[2]s\.patch\).* \| %d \|`,
			number, regexp.QuoteMeta(p.name), p.lines))
		if !row.MatchString(readme) {
			t.Errorf("upstream/README.md has no row of %s with %d lines", p.name, p.lines)
		}
	}
}

// checkPullRequest checks that a text has a title, and then the headings, with something below each. The documentation
// may be empty.
func checkPullRequest(text string) error {
	title, rest, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(title, "# ") {
		return fmt.Errorf("the first line is no title: %q", title)
	}
	sections := strings.Split(rest, "\n#### ")[1:]
	for i, want := range pullRequestHeadings {
		if i >= len(sections) {
			return fmt.Errorf("there is no heading %q", want)
		}
		got, body, _ := strings.Cut(sections[i], "\n")
		if got != want {
			return fmt.Errorf("heading %d is %q, want %q", i+1, got, want)
		}
		if strings.TrimSpace(body) == "" {
			return fmt.Errorf("there is nothing below %q", want)
		}
	}
	return nil
}

// The patches apply to the source of Kubernetes, if it is in the module cache: each alone, so that it can be taken back
// alone, and all in their order. upstream/check.sh also runs their tests.
//
// Caught: a line of context that Kubernetes does not have; two patches that change the same line.
func TestUpstreamPatchesApply(t *testing.T) {
	atRoot(t)
	source := kubernetesSource(t)
	all := upstreamPatches(t)
	all = slices.DeleteFunc(all, func(p patch) bool { return !p.isOfKubernetes() })
	together := t.TempDir()
	for _, p := range all {
		alone := t.TempDir()
		source.copy(t, alone, p.changes)
		source.copy(t, together, p.changes)
		for _, args := range [][]string{{}, {"--reverse"}} {
			if err := gitApply(t, alone, p.text, args...); err != nil {
				t.Errorf("upstream/%s.patch %v: %v", p.name, args, err)
			}
		}
		for _, file := range p.changes {
			if got, err := read(filepath.Join(alone, filepath.FromSlash(file))); err != nil || got != source.read(t, file) {
				t.Errorf("upstream/%s.patch: %s is not as before after the patch was taken back: %v", p.name, file, err)
			}
		}
		if err := gitApply(t, together, p.text); err != nil {
			t.Errorf("upstream/%s.patch after those before it: %v", p.name, err)
		}
	}
}

// gitApply applies a patch in a directory that is no git repository, nor in one.
func gitApply(t *testing.T, dir, patch string, args ...string) error {
	t.Helper()
	command := exec.CommandContext(t.Context(), "git", append([]string{"apply"}, args...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	command.Stdin = strings.NewReader(patch)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// moduleCache has the source of a version of Kubernetes.
type moduleCache struct{ dir, version string }

// kubernetesSource returns the source of the version that upstream/check.sh takes. It skips the test if the module cache
// does not have it, because the download is large.
func kubernetesSource(t *testing.T) moduleCache {
	t.Helper()
	match := regexp.MustCompile(`\$\{KUBERNETES:-v1\.([\d.]+)\}`).FindStringSubmatch(text(t, "upstream/check.sh"))
	if match == nil {
		t.Fatal("upstream/check.sh names no version of Kubernetes")
	}
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	m := moduleCache{strings.TrimSpace(string(out)), match[1]}
	for _, module := range []string{"kubernetes@v1.", "client-go@v0.", "kubectl@v0."} {
		if dir := filepath.Join(m.dir, "k8s.io", module+m.version); !isDir(dir) {
			t.Skipf("%s is not in the module cache", dir)
		}
	}
	return m
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// read returns a file of the repository kubernetes/kubernetes. What is in staging there is a module of its own.
func (m moduleCache) read(t *testing.T, file string) string {
	t.Helper()
	module := "kubernetes@v1." + m.version
	if inStaging, found := strings.CutPrefix(file, "staging/src/k8s.io/"); found {
		name, rest, _ := strings.Cut(inStaging, "/")
		module = name + "@v0." + m.version
		file = rest
	}
	return text(t, path.Join(filepath.ToSlash(m.dir), "k8s.io", module, file))
}

// copy copies files that are not there yet.
func (m moduleCache) copy(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, file := range files {
		to := filepath.Join(dir, filepath.FromSlash(file))
		if _, err := os.Stat(to); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(m.read(t, file)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
