// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package upstream stands in for what starts an API server in Kubernetes' integration tests.
package upstream

import (
	"testing"

	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// TestServer is a server that a test has started.
type TestServer struct {
	ClientConfig *rest.Config
	TearDownFn   func()
}

// StartTestServerOrDie returns a server in memory. It takes no flags and needs no storage.
func StartTestServerOrDie(_ *testing.T, _, _, _ any) TestServer {
	return TestServer{ClientConfig: apiserver.New().Config(), TearDownFn: func() {}}
}

// DefaultTestServerFlags returns no flags.
func DefaultTestServerFlags() any { return nil }

// SharedEtcd returns no storage.
func SharedEtcd() any { return nil }
