// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/semver"
)

const (
	clientGo          = "k8s.io/client-go"
	controllerRuntime = "sigs.k8s.io/controller-runtime"
)

// Check returns an error if the project's dependencies are too old for the target. It says what to raise.
func (s *Scope) Check(target string) error {
	switch target {
	case "controller-runtime":
		// GetEventRecorder of Manager and Cluster came with v0.23.0 (controller-runtime#3262).
		if _, found := s.versions[controllerRuntime]; !found {
			return fmt.Errorf("the module does not use %s: choose -target=sdk or -target=client-go", controllerRuntime)
		}
		return s.atLeast(controllerRuntime, "v0.23.0", target)
	case "client-go":
		if dir := s.versions[clientGo].dir; dir == "" || declares(dir, "EventRecorderLogger") {
			return nil
		}
		return fmt.Errorf("%s %s has no EventRecorderLogger in tools/events: %s",
			clientGo, s.versions[clientGo].version, s.raise(clientGo, "v0.35.0"))
	default:
		return s.atLeast(clientGo, "v0.35.0", "sdk")
	}
}

// atLeast compares releases. A directory that replaces the module has no version, so the compiler decides.
func (s *Scope) atLeast(module, minimum, target string) error {
	version := s.versions[module].version
	if !semver.IsValid(version) || semver.Compare(version, minimum) >= 0 {
		return nil
	}
	return fmt.Errorf("-target=%s needs %s %s, the module has %s: %s",
		target, module, minimum, version, s.raise(module, minimum))
}

// raise says how the module gets another version. Where it is replaced, go get has no effect.
func (s *Scope) raise(module, version string) string {
	if replace := s.versions[module].replace; replace != "" {
		return fmt.Sprintf("raise it first, in the line of go.mod or go.work that replaces it (%s)", replace)
	}
	return fmt.Sprintf("raise it first, go get %s@%s", module, version)
}

// declares reports whether the source of client-go's tools/events has the name.
func declares(dir, name string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "tools", "events", "*.go"))
	if err != nil || len(files) == 0 {
		return false
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	return false
}
