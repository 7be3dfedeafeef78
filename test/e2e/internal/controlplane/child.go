// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// childEnv marks the process that is the control plane.
const childEnv = "EVENTSERIES_E2E_CONTROL_PLANE"

// request asks the child for one thing.
type request struct {
	Do order `json:"do"`
	// User and Groups are for addUser.
	User   string   `json:"user,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Flags are for startServer.
	Flags []string `json:"flags,omitempty"`
	// Toxic is for spoil.
	Toxic *Toxic `json:"toxic,omitempty"`
}

// order is what a request asks for.
type order string

const (
	addUser      order = "addUser"
	killServer   order = "killServer"
	startServer  order = "startServer"
	stopEtcd     order = "stopEtcd"
	continueEtcd order = "continueEtcd"
	openProxy    order = "openProxy"
	spoil        order = "spoil"
	heal         order = "heal"
)

// answer is what the child has to say: to each request, and once when it is ready.
type answer struct {
	Kubeconfig []byte `json:"kubeconfig,omitempty"`
	Address    string `json:"address,omitempty"` // of the proxy
	Error      string `json:"error,omitempty"`
}

// Main is to be called first thing in TestMain. In the process that [Start] has
// started it is the control plane and does not return; elsewhere it does nothing.
func Main() {
	if os.Getenv(childEnv) == "" {
		return
	}
	// Ctrl-C reaches the whole process group. The end of the input, which follows,
	// is what ends this process, so that it can clean up.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	ctrllog.SetLogger(logr.Discard())
	if err := serve(os.Stdin, json.NewEncoder(os.Stdout), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve runs a control plane until the input ends. What keeps it from starting is
// an answer; the error is about what comes later.
func serve(in io.Reader, out *json.Encoder, flags []string) error {
	h, err := newHost(flags)
	if err != nil {
		return out.Encode(answer{Error: err.Error()})
	}
	if _, err := h.env.Start(); err != nil {
		return errors.Join(out.Encode(answer{Error: "controlplane: " + err.Error()}), h.stop())
	}
	err = out.Encode(answer{Kubeconfig: h.env.KubeConfig})
	for requests := json.NewDecoder(in); err == nil; {
		var r request
		if requests.Decode(&r) != nil {
			break // the test process is done with us
		}
		var a answer
		if a, err = h.handle(r); err != nil {
			a.Error = fmt.Sprintf("controlplane: %s: %v", r.Do, err)
		}
		err = out.Encode(a)
	}
	return errors.Join(err, h.stop())
}

func (h *host) handle(r request) (a answer, err error) {
	switch r.Do {
	case addUser:
		a.Kubeconfig, err = h.addUser(r.User, r.Groups)
	case killServer:
		err = h.server.kill()
	case startServer:
		err = h.startServer(r.Flags)
	case stopEtcd:
		err = h.etcd.signal(syscall.SIGSTOP)
	case continueEtcd:
		err = h.etcd.signal(syscall.SIGCONT)
	case openProxy:
		a.Address, err = h.openProxy()
	case spoil:
		err = h.spoil(r.Toxic)
	case heal:
		err = h.heal()
	default:
		err = errors.New("no such order")
	}
	return a, err
}
