// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// childEnv marks the process that is the control plane.
const childEnv = "EVENTSERIES_E2E_CONTROL_PLANE"

// request asks the child for one thing.
type request struct {
	Do command `json:"do"`
	// User and Groups are for addUser.
	User   string   `json:"user,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Flags are for startServer.
	Flags []string `json:"flags,omitempty"`
	// Toxic is for addToxic.
	Toxic *Toxic `json:"toxic,omitempty"`
}

// command is what a request asks for.
type command string

const (
	addUser      command = "addUser"
	killServer   command = "killServer"
	startServer  command = "startServer"
	stopEtcd     command = "stopEtcd"
	continueEtcd command = "continueEtcd"
	openProxy    command = "openProxy"
	addToxic     command = "addToxic"
	removeToxics command = "removeToxics"
)

// answer is the child's answer to a request. The first one says that it is ready.
type answer struct {
	Kubeconfig []byte `json:"kubeconfig,omitempty"`
	Address    string `json:"address,omitempty"` // of the proxy
	Error      string `json:"error,omitempty"`
}

// Main must be the first call in TestMain. In the process that [Start] has started
// it runs the control plane and does not return. Elsewhere it does nothing.
func Main() {
	if os.Getenv(childEnv) == "" {
		return
	}
	// An interrupt at the terminal reaches the whole process group. This process ends
	// with its input, which ends soon after, so that it can clean up.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	if err := serve(os.Stdin, json.NewEncoder(os.Stdout), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve runs a control plane until the input ends. An error of the start is an
// answer; serve returns later ones.
func serve(in io.Reader, out *json.Encoder, flags []string) error {
	ctx := context.Background()
	h, err := startHost(flags)
	if err != nil {
		return errors.Join(out.Encode(answer{Error: fmt.Sprintf("controlplane: %v", err)}), h.stop())
	}
	err = out.Encode(answer{Kubeconfig: h.KubeConfig})
	for requests := json.NewDecoder(in); err == nil; {
		var r request
		if requests.Decode(&r) != nil {
			break // the test process has ended, or has called Stop
		}
		var a answer
		if a, err = h.handle(ctx, r); err != nil {
			a.Error = fmt.Sprintf("controlplane: %s: %v", r.Do, err)
		}
		err = out.Encode(a)
	}
	return errors.Join(err, h.stop())
}
