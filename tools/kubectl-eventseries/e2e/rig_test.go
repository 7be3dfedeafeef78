// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package e2e runs the commands against a real API server. `make controlplane` builds it.
package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/command"
)

var (
	plane = &envtest.Environment{}
	// binaries has kubectl-eventseries, for kubectl.
	binaries string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	// With a directory of its own, kube-apiserver has the same certificates after a restart.
	dir, err := os.MkdirTemp("", "kubectl-eventseries-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	plane.ControlPlane.GetAPIServer().CertDir = dir
	if _, err := plane.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = plane.Stop() }()
	if binaries, err = os.MkdirTemp("", "kubectl-eventseries-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(binaries) }()
	build := exec.Command("go", "build", "-o", binaries+string(filepath.Separator), "..")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// rig is what one test has: a namespace, and an administrator's client.
type rig struct {
	*testing.T
	namespace  string
	kubeconfig string
	config     *rest.Config
	admin      *kubernetes.Clientset
}

var serial atomic.Int64

func newRig(t *testing.T) *rig {
	r := &rig{T: t, namespace: fmt.Sprintf("hello-%d", serial.Add(1)), kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
	r.must(os.WriteFile(r.kubeconfig, plane.KubeConfig, 0o600))
	var err error
	r.config, err = clientcmd.RESTConfigFromKubeConfig(plane.KubeConfig)
	r.must(err)
	r.config.QPS = -1
	r.admin, err = kubernetes.NewForConfig(r.config)
	r.must(err)
	r.kubectl("create", "namespace", r.namespace)
	return r
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// shell runs a command as a user would who has the plugin, and returns what it printed.
func (r *rig) shell(script string) string {
	r.Helper()
	completion, err := filepath.Abs("..") // kubectl_complete-eventseries is there
	r.must(err)
	c := exec.CommandContext(context.WithoutCancel(r.Context()), "sh", "-c", script)
	c.Env = append(os.Environ(), "KUBECONFIG="+r.kubeconfig, "HOME="+filepath.Dir(r.kubeconfig),
		"PATH="+strings.Join([]string{os.Getenv("KUBEBUILDER_ASSETS"), binaries, completion, os.Getenv("PATH")}, ":"))
	out, err := c.CombinedOutput()
	if err != nil {
		r.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

func (r *rig) kubectl(args ...string) string {
	r.Helper()
	return r.shell("kubectl '" + strings.Join(args, "' '") + "'")
}

func (r *rig) apply(manifest string) {
	r.Helper()
	r.shell("kubectl apply -n " + r.namespace + " -f - <<'EOF'\n" + manifest + "\nEOF")
}

// eventseries runs the plugin in this process, in the test's namespace.
func (r *rig) eventseries(ctx context.Context, args ...string) (stdout, stderr string, code int) {
	var out, trouble bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &trouble}
	all := append([]string{"--kubeconfig", r.kubeconfig, "--cache-dir", filepath.Dir(r.kubeconfig), "-n", r.namespace}, args...)
	code = command.Run(ctx, all, streams)
	return out.String(), trouble.String(), code
}

// await polls the server until done, for what it does on its own.
func (r *rig) await(what string, done func() bool) {
	r.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			r.Fatalf("waited a minute for %s", what)
		}
	}
}

// role lets the service account record as the rules say, and returns when the server's authorizer knows.
func (r *rig) role(rules string, review authorizationv1.ResourceAttributes, allowed bool) {
	r.Helper()
	r.apply(fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: hello}
rules: %s
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: hello}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: hello}
subjects: [{kind: ServiceAccount, name: hello, namespace: %s}]`, rules, r.namespace))
	r.awaitAccess(review, allowed)
}

func (r *rig) awaitAccess(review authorizationv1.ResourceAttributes, allowed bool) {
	r.Helper()
	review.Namespace, review.Resource = r.namespace, "events"
	r.await("the authorizer", func() bool {
		answer, err := r.admin.AuthorizationV1().SubjectAccessReviews().Create(r.Context(), &authorizationv1.SubjectAccessReview{
			Spec: authorizationv1.SubjectAccessReviewSpec{
				User: "system:serviceaccount:" + r.namespace + ":hello", ResourceAttributes: &review,
			},
		}, metav1.CreateOptions{})
		r.must(err)
		return answer.Status.Allowed == allowed
	})
}
