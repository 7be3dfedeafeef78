// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package golangci reads the configuration of golangci-lint, as far as it says how code has to look that the tool writes.
package golangci

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Config is a configuration of golangci-lint, in version 2 or in version 1. The zero Config says nothing.
type Config struct {
	Linters struct {
		Enable   []string `yaml:"enable"`
		Disable  []string `yaml:"disable"`
		Settings settings `yaml:"settings"`
	} `yaml:"linters"`
	Formatters struct {
		Enable   []string `yaml:"enable"`
		Settings settings `yaml:"settings"`
	} `yaml:"formatters"`
	Settings settings `yaml:"linters-settings"`
}

type settings struct {
	LLL struct {
		Length int `yaml:"line-length"`
	} `yaml:"lll"`
	Golines struct {
		Length int `yaml:"max-len"`
	} `yaml:"golines"`
	Depguard struct {
		Rules map[string]depguard `yaml:"rules"`
	} `yaml:"depguard"`
}

// depguard is a list of the imports that some files may have.
type depguard struct {
	Mode  string   `yaml:"list-mode"`
	Files []string `yaml:"files"`
	Allow []string `yaml:"allow"`
}

// Near returns the configuration in a directory or the nearest one above it, and the name of its file. The name is empty if
// there is none. A configuration that cannot be read says nothing.
func Near(dir string) (name string, config Config) {
	for {
		for _, base := range []string{".golangci.yml", ".golangci.yaml"} {
			name := filepath.Join(dir, base)
			if text, err := os.ReadFile(name); err == nil {
				_ = yaml.Unmarshal(text, &config) // what could be read before an error is kept
				return name, config
			}
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", Config{}
		}
		dir = above
	}
}

// Columns is the least limit of a line among the linters and formatters that are enabled, or 0 if none has one.
func (c Config) Columns() (least int) {
	if slices.Contains(c.Linters.Enable, "lll") {
		least = cmp.Or(c.Linters.Settings.LLL.Length, c.Settings.LLL.Length, 120)
	}
	if slices.Contains(c.Formatters.Enable, "golines") {
		golines := cmp.Or(c.Formatters.Settings.Golines.Length, 100)
		least = min(cmp.Or(least, golines), golines)
	}
	return least
}

// Refuses reports whether depguard has a list of allowed imports without this one, for files that are not only tests.
func (c Config) Refuses(path string) bool {
	if slices.Contains(c.Linters.Disable, "depguard") {
		return false
	}
	for _, s := range []settings{c.Linters.Settings, c.Settings} {
		for _, rule := range s.Depguard.Rules {
			ofTests := len(rule.Files) > 0 && !slices.ContainsFunc(rule.Files, func(glob string) bool { return glob != "$test" })
			allowed := slices.ContainsFunc(rule.Allow, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
			if len(rule.Allow) > 0 && rule.Mode != "lax" && !ofTests && !allowed {
				return true
			}
		}
	}
	return false
}
