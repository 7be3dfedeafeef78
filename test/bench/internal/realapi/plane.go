// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// assetsEnv is envtest's own variable for the directory with the programs.
const assetsEnv = "KUBEBUILDER_ASSETS"

// startTimeout is for a machine that has other things to do.
const startTimeout = 2 * time.Minute

// plane is a running control plane.
type plane struct {
	env    *envtest.Environment
	config *rest.Config // a cluster administrator's, exempt from priority and fairness
}

// startPlane runs etcd, without fsync, and kube-apiserver as envtest does.
func startPlane() (*plane, error) {
	dir, err := programs()
	if err != nil {
		return nil, err
	}
	ctrllog.SetLogger(logr.Discard())
	env := &envtest.Environment{
		BinaryAssetsDirectory:    dir,
		ControlPlaneStartTimeout: startTimeout,
		ControlPlaneStopTimeout:  startTimeout,
	}
	config, err := env.Start()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("realapi: %w", err), env.Stop())
	}
	config.QPS = -1 // no limit on the client's side
	return &plane{env: env, config: config}, nil
}

func (p *plane) stop() error { return p.env.Stop() }

// programs finds the directory with etcd and kube-apiserver: what the variable
// says, or where `make controlplane` puts them, here or in a directory above.
func programs() (string, error) {
	const built = "bin/controlplane"
	dir := cmp.Or(os.Getenv(assetsEnv), built)
	for range 8 { // more than the repository is deep
		path, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(filepath.Join(path, "kube-apiserver")); err == nil {
			return path, nil
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join("..", dir)
		}
	}
	return "", fmt.Errorf("realapi: no kube-apiserver: run `make controlplane` at the root of the repository, "+
		"or let %s name a directory with etcd and kube-apiserver", assetsEnv)
}
