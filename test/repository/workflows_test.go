// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	uses     = regexp.MustCompile(`(?m)^ *-? *uses: *(.*)$`)
	pinned   = regexp.MustCompile(`^([\w.-]+/[\w./-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	job      = regexp.MustCompile(`(?m)^  ([a-z0-9-]+):\n((?:    .*\n|\n)+)`)
	makes    = regexp.MustCompile(`\bmake ([a-z0-9-]+)`)
	targeted = regexp.MustCompile(`target: ([a-z0-9-]+)`)
	stepped  = regexp.MustCompile(`(?m)^step ([a-z0-9-]+)`)
	runs     = regexp.MustCompile(`(?m)^ *-? *run: .*$`)
)

// workflows returns the texts of the workflows by path.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, file := range tree(t) {
		if strings.HasPrefix(file, ".github/workflows/") {
			all[file] = text(t, file)
		}
	}
	if len(all) == 0 {
		t.Fatal("there are no workflows")
	}
	return all
}

// Actions are pinned by digest, because whoever takes over an action can move its tags. All workflows use the same digest.
//
// Caught: an action by its tag; a digest without its version; two digests of one action.
func TestActionsArePinned(t *testing.T) {
	atRoot(t)
	first := map[string]string{}
	for file, content := range workflows(t) {
		for _, action := range firsts(uses, content) {
			match := pinned.FindStringSubmatch(action)
			if match == nil {
				t.Errorf("%s: %s, want owner/name@ forty hex digits # v1.2.3", file, action)
				continue
			}
			if known := first[match[1]]; known != "" && known != action {
				t.Errorf("%s: %s, another workflow has %s", file, action, known)
			}
			first[match[1]] = action
		}
	}
}

// A workflow has no permissions, and each job only its own. A checkout leaves no token on disk, and each job has a time
// limit. No expression is part of a shell command, because others choose the names of branches and titles.
//
// Caught: a workflow with the default permissions; a job without its own; a checkout that keeps its token; a job
// without a time limit; a title in a run line.
func TestWorkflowsHaveLeastRights(t *testing.T) {
	atRoot(t)
	for file, content := range workflows(t) {
		top, jobs, _ := strings.Cut(content, "\njobs:\n")
		for _, want := range []string{"\npermissions: {}\n", "\nconcurrency:\n"} {
			if !strings.Contains(top, want) {
				t.Errorf("%s: no top-level %q", file, strings.TrimSpace(want))
			}
		}
		if strings.Contains(content, "pull_request_target") {
			t.Errorf("%s: pull_request_target runs what strangers send with our rights", file)
		}
		all := job.FindAllStringSubmatch(jobs, -1)
		if len(all) == 0 {
			t.Errorf("%s: no jobs", file)
		}
		for _, match := range all {
			for _, want := range []string{"permissions: {", "timeout-minutes: "} {
				if !strings.Contains(match[2], "\n    "+want) && !strings.HasPrefix(match[2], "    "+want) {
					t.Errorf("%s: job %s has no %s", file, match[1], want)
				}
			}
		}
		if strings.Count(content, "actions/checkout@") != strings.Count(content, "with: {persist-credentials: false") {
			t.Errorf("%s: a checkout without persist-credentials: false", file)
		}
		for _, line := range runs.FindAllString(content, -1) {
			if strings.Contains(line, "${{") {
				t.Errorf("%s: %s: pass it by env", file, strings.TrimSpace(line))
			}
		}
	}
}

// The workflows and .ci/run call only targets of the Makefile. ci.yml and .ci/run call make e2e and all that make check
// consists of.
//
// Caught: a target that was renamed; a workflow without make static; a part of make check that .ci/run leaves out.
func TestWorkflowsCallTargets(t *testing.T) {
	atRoot(t)
	targets := readMakefile(t).targets
	all := workflows(t)
	all[".ci/run"] = text(t, ".ci/run")
	for _, file := range slices.Sorted(maps.Keys(all)) {
		var called []string
		for _, line := range strings.Split(all[file], "\n") {
			line, _, _ = strings.Cut(line, "# ")
			called = slices.Concat(called, firsts(makes, line), firsts(targeted, line), firsts(stepped, line))
		}
		for _, name := range called {
			if !slices.Contains(targets, name) {
				t.Errorf("%s calls make %s, which the Makefile does not have", file, name)
			}
		}
		if file != ".ci/run" && file != ".github/workflows/ci.yml" {
			continue
		}
		for _, name := range append(prerequisites(t, "check"), "e2e") {
			if !slices.Contains(called, name) {
				t.Errorf("%s does not call make %s", file, name)
			}
		}
	}
}
