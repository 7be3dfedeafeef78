// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// core are the cases of test/e2e that each take part of the delivery of Events to a real server.
var core = []string{
	"TestFiftyIdenticalAreOneEvent",               // series
	"TestStatusWriteDoesNotSplitASeries",          //
	"TestDeletedEventIsRecreatedWithTheFullCount", //
	"TestClusterWithoutEventsV1",                  // fall back
	"TestAccessInOneNamespace",                    // RBAC
	"TestOddEventsAreAccepted",                    // repair
	"TestLiveSwitchInMidSeries",                   // switch
	"TestSinksConform",                            // conformance
	"TestTerminatingNamespaceIsQuiet",             // namespaces that end
	"TestAppliedCreateAnsweredWith500",            // an answer that lies
	"TestDrainAgainstASlowServer",                 // drain
	"TestManagerDrainsAfterItsControllers",        //
}

// current is the minor that test/controlplane's own go.mod pins.
const current = "1.36"

// testAPIServer runs the core cases against a minor of kube-apiserver.
func testAPIServer(ctx context.Context, r row, s *steps, res *result) error {
	script, assets := filepath.Join(root, "test", "controlplane", "build.sh"), "controlplane"
	build := exec.CommandContext(ctx, "sh", script)
	if r.release != current {
		build.Args = append(build.Args, r.release)
		assets += "-" + r.release
	}
	assets, err := filepath.Abs(filepath.Join(root, "bin", assets))
	if err != nil {
		return err
	}
	if err := s.run("build", build); err != nil {
		return err
	}
	version, err := exec.CommandContext(ctx, filepath.Join(assets, "kube-apiserver"), "--version").Output()
	if err != nil {
		return fmt.Errorf("kube-apiserver --version: %w", err)
	}
	res.Version = strings.TrimPrefix(strings.TrimSpace(string(version)), "Kubernetes ")
	if !strings.HasPrefix(res.Version, "v"+r.release+".") {
		return fmt.Errorf("the programs in %s are %s", assets, res.Version)
	}
	e2e := module{dir: filepath.Join(root, "test", "e2e")}
	test := e2e.command(ctx, "test", "-json", "-count=1", "-timeout=10m", "-run=^("+strings.Join(core, "|")+")$", ".")
	test.Env = append(test.Env, "KUBEBUILDER_ASSETS="+assets)
	if err := s.test(res, suiteE2E, test); err != nil {
		return err
	}
	if got := res.Suites[len(res.Suites)-1]; got.Failed == 0 && got.Passed+got.Skipped != len(core) {
		return fmt.Errorf("ran %d cases of %d: one was renamed", got.Passed+got.Skipped, len(core))
	}
	return nil
}
