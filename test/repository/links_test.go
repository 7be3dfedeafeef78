// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const repository = "https://" + "github.com/eventseries/eventseries/"

// Each link leads to a file of the repository, a heading of a page, a symbol or an Example of this module on pkg.go.dev, or
// an address of the right form. The test asks no server.
//
// Caught: a link to a file that was renamed; one to a heading that was; an image that nobody made; a symbol on pkg.go.dev
// that is not exported; an Example that is not shown there; "http:" and "https:/".
func TestDocsLinksLeadSomewhere(t *testing.T) {
	atRoot(t)
	all, api := pages(t), exported(t)
	for _, dir := range documented(t) {
		for _, e := range examplesOf(t, dir) {
			api[dir+"."+e.anchor] = true
		}
	}
	anchors := map[string][]string{}
	for _, p := range all {
		anchors[p.path] = p.anchors
	}
	for _, p := range all {
		for _, l := range p.links {
			if err := checkLink(p.path, l.target, anchors, api); err != nil {
				t.Errorf("%s:%d: link to %q: %v", p.path, l.line, l.target, err)
			}
		}
	}
}

func checkLink(from, target string, anchors map[string][]string, api map[string]bool) error {
	address, err := url.Parse(target)
	switch {
	case err != nil:
		return err
	case address.Scheme == "mailto":
		return nil
	case address.Scheme != "" || address.Host != "":
		return checkAddress(address, anchors, api)
	}
	file := from
	if address.Path != "" {
		file = path.Join(path.Dir(from), address.Path)
	}
	return checkFile(file, address.Fragment, anchors)
}

// checkFile checks that a file exists, and if it is a page, that it has the heading. Other files have lines.
func checkFile(file, fragment string, anchors map[string][]string) error {
	info, err := os.Stat(filepath.FromSlash(file))
	if err != nil {
		return err
	}
	if info.IsDir() && fragment != "" {
		return fmt.Errorf("%s is a directory, and has no #%s", file, fragment)
	}
	if path.Ext(file) == ".md" && fragment != "" && !slices.Contains(anchors[file], fragment) {
		return fmt.Errorf("%s has no heading #%s, but %v", file, fragment, anchors[file])
	}
	return nil
}

var hostname = regexp.MustCompile(`^([a-z0-9-]+\.)+[a-z]{2,}$`)

func checkAddress(address *url.URL, anchors map[string][]string, api map[string]bool) error {
	if address.Scheme != "https" || !hostname.MatchString(address.Host) || strings.HasSuffix(address.Path, ".") {
		return fmt.Errorf("is no address of the form https://example.com/path")
	}
	whole := address.String()
	if name, ours := strings.CutPrefix(whole, "https://pkg.go.dev/"+strings.TrimSuffix(module, "/")); ours {
		dir, symbol, _ := strings.Cut(strings.TrimPrefix(name, "/"), "#")
		dir, _, _ = strings.Cut(dir, "@")
		dir = path.Clean(dir)
		if files, _ := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go")); len(files) == 0 {
			return fmt.Errorf("%q is no package", dir)
		}
		if symbol != "" && !strings.HasPrefix(symbol, "hdr-") && !strings.HasPrefix(symbol, "pkg-") && !api[dir+"."+symbol] {
			return fmt.Errorf("pkg.go.dev shows no %s of package %s", symbol, dir)
		}
		return nil
	}
	if rest, ours := strings.CutPrefix(whole, repository); ours {
		kind, rest, _ := strings.Cut(rest, "/")
		if kind != "blob" && kind != "tree" && kind != "raw" {
			return nil // issues, actions, releases and so on are not files
		}
		_, file, _ := strings.Cut(rest, "/")
		file, fragment, _ := strings.Cut(file, "#")
		return checkFile(file, fragment, anchors)
	}
	return nil
}
