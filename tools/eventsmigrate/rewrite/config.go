// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import "fmt"

// Target is the API that rewritten code uses.
type Target string

const (
	// SDK is the eventseries SDK, the default.
	SDK Target = "sdk"
	// ClientGo is k8s.io/client-go/tools/events.
	ClientGo Target = "client-go"
	// ControllerRuntime is client-go's recorder as controller-runtime's manager hands it out.
	ControllerRuntime Target = "controller-runtime"
)

// ParseTarget returns the target of that name.
func ParseTarget(name string) (Target, error) {
	switch target := Target(name); target {
	case SDK, ClientGo, ControllerRuntime:
		return target, nil
	}
	return "", fmt.Errorf("unknown target %q: it is one of %s, %s, %s", name, SDK, ClientGo, ControllerRuntime)
}

// Config says what to rewrite, and to what. The zero value rewrites the packages
// of the pass's module to the SDK.
type Config struct {
	// Target is what rewritten code uses; empty means SDK.
	Target Target
	// Action finds the action of a call.
	Action Action
	// Ours says which packages are migrated together: their recorders all become
	// new. Nil means the packages of the pass's module.
	Ours func(pkgPath string) bool
	// Frozen says which files keep their old types, because their edits were
	// withdrawn. What crosses their border is bridged. Nil means none.
	Frozen func(filename string) bool
}

func (c *Config) target() Target {
	if c.Target == "" {
		return SDK
	}
	return c.Target
}

func (c *Config) frozen(filename string) bool { return c.Frozen != nil && c.Frozen(filename) }

// Kept is the category of diagnostics about what rightly stays with the old API,
// and needs nobody.
const Kept = "kept"

// Import paths of the old API and of what takes its place.
const (
	recordPath     = "k8s.io/client-go/tools/record"
	clientEvents   = "k8s.io/client-go/tools/events"
	sdkPath        = "github.com/eventseries/eventseries"
	sdkEvents      = sdkPath + "/events"
	sdkAdapter     = sdkPath + "/adapter"
	sdkKit         = sdkEvents + "/eventstest"
	sdkLegacy      = sdkPath + "/legacy"
	runtimePath    = "k8s.io/apimachinery/pkg/runtime"
	managerMethod  = "GetEventRecorderFor"
	managerReplace = "GetEventRecorder"
)

// eventsPath is the package that has EventRecorder.
func (c *Config) eventsPath() string {
	if c.target() == SDK {
		return sdkEvents
	}
	return clientEvents
}
