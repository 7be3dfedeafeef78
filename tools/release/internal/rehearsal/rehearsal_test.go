// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/release/internal/repotest"
)

// sdk is a repository that can be released. Its program writes one Event to the cluster of the kubeconfig, without any
// client.
const sdk = `
-- go.mod --
module example.com/sdk

go 1.25.0
-- go.sum --
 
-- LICENSE --
Free.
-- README.md --
# sdk

'''go
package main

import "example.com/sdk/store"

func main() { store.Write() }
'''
-- store/store.go --
package store

import (
	"net/http"
	"os"
	"regexp"
	"strings"
)

func Write() {
	config, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err != nil {
		panic(err)
	}
	server := regexp.MustCompile("http://[^\"]+").FindString(string(config))
	_, err = http.Post(server+"/apis/events.k8s.io/v1/namespaces/default/events", "text/plain", strings.NewReader("hi"))
	if err != nil {
		panic(err)
	}
}
-- store/testdata/project/go.mod --
module example.com/project
-- tools/eventsmigrate/go.mod --
module example.com/sdk/tools/eventsmigrate

go 1.25.0
-- tools/eventsmigrate/go.sum --
 
-- tools/eventsmigrate/README.md --
# eventsmigrate
-- tools/eventsmigrate/main.go --
package main

func main() {}
-- contrib/metrics/go.mod --
module example.com/sdk/contrib/metrics

go 1.25.0

require example.com/sdk v0.1.0

replace example.com/sdk => ../..
-- contrib/metrics/go.sum --
 
-- contrib/metrics/README.md --
# metrics

'''go
metrics.Count()
'''

'''go
package main

import "example.com/sdk/contrib/metrics"

func main() { metrics.Count() }
'''
-- contrib/metrics/metrics.go --
package metrics

import "example.com/sdk/store"

func Count() { store.Write() }
-- contrib/metrics/internal/page/go.mod --
module example.com/sdk/contrib/metrics/internal/page
-- tools/inner/go.mod --
module example.com/sdk/tools/inner

replace example.com/sdk => ../..
-- api/store.txt --
# The exported API of package store. Written by make api; VERSIONING.md says what a change means.
pkg store, func Write()
-- api/metrics.txt --
# The exported API of package contrib/metrics. Written by make api; VERSIONING.md says what a change means.
pkg contrib/metrics, func Count()
-- CHANGELOG.md --
# Changelog

## [Unreleased]

## [0.1.0] - 2026-11-21

- First.
`

// opened makes a repository of the sdk, changed by some replacements, and opens a rehearsal of it.
func opened(t *testing.T, replacements ...string) (*Rehearsal, *repotest.Repository) {
	t.Helper()
	files := strings.NewReplacer(append(replacements, "'''", "```")...).Replace(sdk)
	repository := repotest.New(t, files)
	r := &Rehearsal{Root: repository.Dir, Version: "v0.1.0", Out: &bytes.Buffer{}, work: t.TempDir()}
	if err := r.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, repository
}

var commit = regexp.MustCompile(`[0-9a-f]{40}`)

// failures returns the lines of the errors, cut off where they say what else there is.
func failures(err error) (lines []string) {
	if err == nil {
		return nil
	}
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		line, _, _ := strings.Cut(e.Error(), "\n")
		lines = append(lines, commit.ReplaceAllString(line, "COMMIT"))
	}
	return lines
}

// Caught: each of the four steps when it passes what it should refuse.
func TestPapers(t *testing.T) {
	for _, test := range []struct {
		name    string
		replace []string
		then    func(repository *repotest.Repository)
		want    []string
	}{
		{name: "all right"},
		{
			name: "files that are not committed",
			then: func(r *repotest.Repository) { r.Write("-- new --\n1\n") },
			want: []string{"the tree is clean: 1 files are not as in HEAD; commit or remove them"},
		},
		{
			name: "no section", replace: []string{"[0.1.0]", "[0.0.1]"},
			want: []string{"CHANGELOG.md has the version: no section for it; " +
				"add \"## [0.1.0] - 2006-01-02\" with the date of the release"},
		},
		{
			name: "an empty section", replace: []string{"- First.", ""},
			want: []string{"CHANGELOG.md has the version: the section [0.1.0] is empty; say what users notice"},
		},
		{
			name: "something unreleased", replace: []string{"[Unreleased]\n", "[Unreleased]\n\n- Second.\n"},
			want: []string{"CHANGELOG.md has the version: [Unreleased] has 1 entries, which HEAD would release; " +
				"move them to [0.1.0]"},
		},
		{name: "tagged", then: func(r *repotest.Repository) { r.Git("tag", "-a", "-m", "it", "v0.1.0") }},
		{
			name: "tagged elsewhere", then: func(r *repotest.Repository) {
				r.Git("switch", "--quiet", "--create", "other")
				r.Commit("-- a --\n1\n")
				r.Git("tag", "v0.1.0")
				r.Git("switch", "--quiet", "main")
			},
			want: []string{"the version is new: v0.1.0 is released, from COMMIT; take the next version"},
		},
		{
			name: "older than the last", then: func(r *repotest.Repository) { r.Git("tag", "v0.2.0") },
			want: []string{"the version is new: v0.1.0 is not newer than v0.2.0, which is released"},
		},
		{
			name: "another API", replace: []string{"func Write() {", "func Limit() {}\n\nfunc Write() {"},
			want: []string{"the API is as it was promised: the API is not what api/ says; " +
				"run make api, and say the change in CHANGELOG.md:"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, repository := opened(t, test.replace...)
			if test.then != nil {
				test.then(repository)
			}
			if diff := cmp.Diff(test.want, failures(r.all(t.Context(), r.papers()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A tree that is not clean can be rehearsed for tests of the rehearsal, and is called what it is.
func TestDirtyIsLoud(t *testing.T) {
	r, repository := opened(t)
	repository.Write("-- new --\n1\n")
	r.Dirty = true
	finding, err := r.clean(t.Context())
	if err != nil || !strings.HasPrefix(finding, "IGNORED, so this is no rehearsal") {
		t.Error(finding, err)
	}
}

// Caught: files that are not in HEAD; other modules in the zip; a license that is missing from a nested module's.
func TestPack(t *testing.T) {
	r, repository := opened(t)
	repository.Write("-- store/new.go --\npackage store\n-- README.md --\nchanged\n")
	for dir, want := range map[string][]string{
		"": {
			"CHANGELOG.md", "LICENSE", "README.md", "api/metrics.txt", "api/store.txt", "go.mod", "go.sum", "store/store.go",
		},
		"tools/eventsmigrate": {"README.md", "go.mod", "go.sum", "main.go", "LICENSE"},
		"contrib/metrics":     {"README.md", "go.mod", "go.sum", "metrics.go", "LICENSE"},
	} {
		p, err := r.packModule(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.files); diff != "" {
			t.Errorf("%q: %s", dir, diff)
		}
	}
	if tags := repository.Git("tag"); tags != "" {
		t.Errorf("it made the tags %s", tags)
	}
}

// Caught: a replacement that users do not see; a requirement of what is not released.
func TestPackRefuses(t *testing.T) {
	const nested = "module example.com/sdk/tools/eventsmigrate\n\ngo 1.25.0\n"
	for _, test := range []struct {
		name    string
		replace []string
		want    string
	}{
		{
			"a replacement", []string{nested, nested + "replace example.com/a => ../a\n"},
			"tools/eventsmigrate: go.mod replaces example.com/a, which users do not see; require a release of it",
		},
		{
			"an older SDK", []string{nested, nested + "require example.com/sdk v0.0.0\n"},
			"tools/eventsmigrate: go.mod requires example.com/sdk@v0.0.0, want v0.1.0",
		},
		{
			"a module in contrib for an older SDK", []string{"require example.com/sdk v0.1.0", "require example.com/sdk v0.0.9"},
			"contrib/metrics: go.mod requires example.com/sdk@v0.0.9, want v0.1.0",
		},
		{"no license", []string{"-- LICENSE --", "-- COPYING --"}, ".: the module zip has no LICENSE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, _ := opened(t, test.replace...)
			_, err := r.pack(t.Context())
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// A version that the module path cannot have is refused at once.
func TestVersion(t *testing.T) {
	for version, want := range map[string]string{
		"0.1.0":  "\"0.1.0\" is no version like v1.2.3",
		"v0.1":   "\"v0.1\" is no version like v1.2.3",
		"v2.0.0": "version \"v2.0.0\" invalid: should be v0 or v1, not v2",
	} {
		repository := repotest.New(t, strings.ReplaceAll(sdk, "'''", "```"))
		r := &Rehearsal{Root: repository.Dir, Version: version, Out: &bytes.Buffer{}}
		if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", version, err, want)
		}
	}
}
