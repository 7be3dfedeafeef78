// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventseries

import (
	"runtime/debug"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
)

const (
	modulePath = "github.com/eventseries/eventseries"
	product    = "eventseries"

	// develVersion is what a build from a working tree reports, unknownVersion
	// what one without the go command's build information does (Bazel's, say).
	develVersion   = "devel"
	unknownVersion = "unknown"
)

// Version is the version of this module in the running program: "v0.1.0", a
// pseudo-version, "devel" where it was built from a directory, "unknown" where
// the program has no build information. It is read from the program itself, so
// it cannot differ from what go.mod selected.
func Version() string { return ownVersion() }

var ownVersion = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownVersion
	}
	return versionIn(info)
})

// versionIn finds the module in a program's build information. A replacement is
// what was compiled, so its version is the answer.
func versionIn(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != modulePath {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version == "" || m.Version == "(devel)" {
			return develVersion
		}
		return m.Version
	}
	return unknownVersion
}

// WithUserAgent returns a copy of a client's configuration whose User-Agent
// ends in "eventseries/" and the [Version], so that the audit log and the
// metrics of the API server tell the recorder's requests from the component's
// others. What the User-Agent was before stays in front; where it was empty,
// client-go's default does. Doing it twice changes nothing more.
//
//	client, err := kubernetes.NewForConfig(eventseries.WithUserAgent(config))
func WithUserAgent(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	// RFC 9110, section 10.1.5: products are separated by blanks.
	if suffix := " " + product + "/" + Version(); !strings.HasSuffix(config.UserAgent, suffix) {
		config.UserAgent += suffix
	}
	return config
}
