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

	// develVersion is the version of a build from a working tree.
	develVersion = "devel"
	// unknownVersion is the version of a build without the go command's build information, such as
	// a build by Bazel.
	unknownVersion = "unknown"
)

// Version returns the version of this module in the running program, such as "v0.1.0" or a
// pseudo-version. It returns "devel" if the module was built from a directory, and "unknown" if the
// program has no build information. The version is read from the program itself, so it is always
// the version that was selected by the program's go.mod.
func Version() string { return ownVersion() }

var ownVersion = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownVersion
	}
	return versionIn(info)
})

// versionIn returns the version of this module according to a program's build information. If the
// module was replaced, it returns the version of the replacement, because the replacement is the
// code in the program.
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

// WithUserAgent returns a copy of a client's configuration whose User-Agent ends in "eventseries/"
// and the [Version]. So the audit log and the metrics of the API server distinguish the requests
// for Events from other requests of the component. The previous User-Agent, or client-go's default
// if there was none, stays in front. A second call with the result changes nothing.
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
