// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// account is a service account.
type account struct{ namespace, name string }

// user is how the API server names it.
func (a account) user() string { return "system:serviceaccount:" + a.namespace + ":" + a.name }

// kubeconfig returns a file with which to be the account.
func (a account) kubeconfig(t *testing.T, env *harness.Env) string {
	t.Helper()
	config, err := clientcmd.Load(plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	token, err := env.Admin.CoreV1().ServiceAccounts(a.namespace).
		CreateToken(t.Context(), a.name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name := range config.AuthInfos {
		config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token.Status.Token}
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// process is a program that runs.
type process struct {
	cmd *exec.Cmd
	out *output
}

// start starts a program, with environment on top of this one's.
func start(t *testing.T, environment []string, program string, args ...string) *process {
	t.Helper()
	out := &output{}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd, out: out}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the program said:\n%s", out)
		}
		_ = cmd.Process.Kill() // unless it was stopped
		_ = cmd.Wait()
	})
	return p
}

// stop ends it as a kubelet would.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// output is what a program says. It is safe for concurrent use.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
