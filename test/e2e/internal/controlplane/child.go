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
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// childEnv marks the process that is the control plane.
const childEnv = "EVENTSERIES_E2E_CONTROL_PLANE"

// startTimeout is for a machine that has other things to do: alone, etcd and
// kube-apiserver take some six seconds.
const startTimeout = 2 * time.Minute

// request asks the child for a user.
type request struct {
	User   string   `json:"user"`
	Groups []string `json:"groups,omitempty"`
}

// answer is what the child has to say: to each request, and once when it is ready.
type answer struct {
	Kubeconfig []byte `json:"kubeconfig,omitempty"`
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
	env, err := environment(flags)
	if err != nil {
		return out.Encode(answer{Error: err.Error()})
	}
	if _, err := env.Start(); err != nil {
		return errors.Join(out.Encode(answer{Error: "controlplane: " + err.Error()}), env.Stop())
	}
	err = out.Encode(answer{Kubeconfig: env.KubeConfig})
	for requests := json.NewDecoder(in); err == nil; {
		var r request
		if requests.Decode(&r) != nil {
			break // the test process is done with us
		}
		err = out.Encode(addUser(env, r))
	}
	return errors.Join(err, env.Stop())
}

func addUser(env *envtest.Environment, r request) answer {
	user, err := env.AddUser(envtest.User{Name: r.User, Groups: r.Groups}, nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	kubeconfig, err := user.KubeConfig()
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Kubeconfig: kubeconfig}
}

// environment is envtest's default but for flags, each "--name=value". The default
// has the RBAC authorizer, and not the admission plugin ServiceAccount, which
// would want a controller to make service accounts.
func environment(flags []string) (*envtest.Environment, error) {
	env := &envtest.Environment{ControlPlaneStartTimeout: startTimeout, ControlPlaneStopTimeout: startTimeout}
	etcd, etcdErr := Program("etcd")
	kubectl, kubectlErr := Program("kubectl")
	server := env.ControlPlane.GetAPIServer()
	var err error
	if server.Path, err = Program("kube-apiserver"); err != nil || etcdErr != nil || kubectlErr != nil {
		return nil, errors.Join(etcdErr, kubectlErr, err)
	}
	env.ControlPlane.Etcd = &envtest.Etcd{Path: etcd}
	env.ControlPlane.KubectlPath = kubectl
	for _, flag := range flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		server.Configure().Append(name, value)
	}
	return env, nil
}
