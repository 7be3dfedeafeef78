// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Scenario drives all controllers of the operator through their lives, with objects in memory, and sends their Events
// to a server. It ends with its standard input.
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	ledgerv1 "example.com/ledger-operator/api/v1"
	"example.com/ledger-operator/internal/controller"
)

func main() {
	server := flag.String("server", "", "the URL of the API server that gets the Events")
	flag.Parse()
	ctrl.SetLogger(klog.Background())
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	config := &rest.Config{Host: *server, QPS: -1}
	config.ContentType = "application/json"
	if err := run(ctx, config); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, config *rest.Config) error {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(ledgerv1.AddToScheme(scheme))
	objects := newClient(scheme)
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		NewCache: func(*rest.Config, cache.Options) (cache.Cache, error) {
			return &noCache{FakeInformers: informertest.FakeInformers{Scheme: scheme}}, nil
		},
		NewClient: func(*rest.Config, client.Options) (client.Client, error) { return objects, nil },
	})
	if err != nil {
		return err
	}
	s, err := newScenario(mgr)
	if err != nil {
		return err
	}
	if err := mgr.Add(manager.RunnableFunc(s.play)); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

// noCache has nothing. It runs until the end, as the manager's recorders end with their cache.
type noCache struct{ informertest.FakeInformers }

// Start waits for the end.
func (*noCache) Start(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// newScenario sets the controllers up, as the operator does.
func newScenario(mgr ctrl.Manager) (*scenario, error) {
	recorder := mgr.GetEventRecorderFor("database-controller")
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	backups := &controller.BackupReconciler{Client: mgr.GetClient()}
	if err := backups.SetupWithManager(mgr); err != nil {
		return nil, err
	}
	nodes := &controller.NodeReconciler{Client: mgr.GetClient()}
	if err := nodes.SetupWithManager(mgr); err != nil {
		return nil, err
	}
	return &scenario{
		Client:   mgr.GetClient(),
		clock:    clock,
		accounts: controller.NewAccountReconciler(mgr.GetClient(), mgr.GetEventRecorderFor("account-controller"), clock),
		backups:  backups,
		nodes:    nodes,
		databases: &controller.DatabaseReconciler{
			Client: mgr.GetClient(), Scheme: mgr.GetScheme(), Recorder: recorder,
		},
	}, nil
}
