// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manager is a stub for the analyzers' tests.
package manager

import (
	"context"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
)

type Runnable interface {
}

type Manager interface {
	cluster.Cluster
	Add(Runnable) error
	Start(ctx context.Context) error
}

type Options struct {
	LeaderElection   bool
	EventBroadcaster record.EventBroadcaster
}

func New(config *rest.Config, options Options) (Manager, error) { return nil, nil }
