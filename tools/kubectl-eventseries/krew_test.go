// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"sigs.k8s.io/yaml"
)

// manifest is krew's index.Plugin. Its module requires client-go of 2018, so its rules are written down here.
type manifest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string `json:"version"`
		Homepage         string `json:"homepage"`
		ShortDescription string `json:"shortDescription"`
		Description      string `json:"description"`
		Platforms        []struct {
			URI      string `json:"uri"`
			Sha256   string `json:"sha256"`
			Bin      string `json:"bin"`
			Selector struct {
				MatchLabels map[string]string `json:"matchLabels"`
			} `json:"selector"`
		} `json:"platforms"`
	} `json:"spec"`
}

// render does what krew-release-bot does with the template.
func render(t *testing.T, tag string) []byte {
	t.Helper()
	text, err := os.ReadFile(".krew.yaml")
	if err != nil {
		t.Fatal(err)
	}
	execute := func(text string) (string, error) {
		var b bytes.Buffer
		parsed, err := template.New("").Funcs(template.FuncMap{"addURIAndSha": func(url, tag string) string {
			return fmt.Sprintf("uri: %s\n    sha256: %s", strings.ReplaceAll(url, "{{.TagName}}", tag), strings.Repeat("0f", 32))
		}}).Parse(text)
		if err == nil {
			err = parsed.Execute(&b, map[string]string{"TagName": tag})
		}
		return b.String(), err
	}
	rendered, err := execute(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(rendered)
}

// The rules are those of internal/index/validation in krew v0.4.3, and of the index for names and descriptions.
//
// Caught: a platform that tools/release/binaries.sh does not build; two platforms of one system.
func TestKrewManifest(t *testing.T) {
	var m manifest
	if err := yaml.UnmarshalStrict(render(t, "v1.2.3"), &m); err != nil {
		t.Fatal(err)
	}
	s := m.Spec
	if m.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || m.Kind != "Plugin" || m.Metadata.Name != "eventseries" ||
		s.Version != "v1.2.3" || s.Homepage == "" || s.Description == "" {
		t.Errorf("manifest %+v", m)
	}
	if s.ShortDescription == "" || len(s.ShortDescription) > 50 || strings.ContainsAny(s.ShortDescription, "\r\n") {
		t.Errorf("short description %q, want a line of at most 50 characters", s.ShortDescription)
	}
	var got []string
	for _, p := range s.Platforms {
		system, arch := p.Selector.MatchLabels["os"], p.Selector.MatchLabels["arch"]
		name := "kubectl-eventseries-" + system + "-" + arch + ".tar.gz"
		if want := "https://github.com/eventseries/eventseries/releases/download/v1.2.3/" + name; p.URI != want {
			t.Errorf("uri %s, want %s", p.URI, want)
		}
		if len(p.Selector.MatchLabels) != 2 || !regexp.MustCompile(`^[a-f0-9]{64}$`).MatchString(p.Sha256) ||
			p.Bin == "" || strings.HasSuffix(p.Bin, ".exe") != (system == "windows") {
			t.Errorf("platform %+v", p)
		}
		got = append(got, system+"/"+arch)
	}
	script, err := os.ReadFile("../release/binaries.sh")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(regexp.MustCompile(`(?m)^platforms='(.*)'$`).FindSubmatch(script)[1]))
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("platforms %v, want those of binaries.sh: %v", got, want)
	}
}
