// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cluster is a stub for the analyzers' tests.
package cluster

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

type Cluster interface {
	recorder.Provider
	GetCache() Cache
	GetConfig() *rest.Config
	GetScheme() *runtime.Scheme
}

// Cache stands for the type of package cache.
type Cache interface{ WaitForCacheSync() bool }
