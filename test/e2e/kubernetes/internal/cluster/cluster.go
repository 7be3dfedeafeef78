// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	_ "embed"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const readyTimeout = 3 * time.Minute

//go:embed audit.yaml
var auditPolicy []byte

// Options say what a cluster has.
type Options struct {
	Bin   string // directory of the programs
	Dir   string // empty at first; the logs stay in it
	Nodes int
	Alone bool // kubelets without controllers and a scheduler: pods name their node
}

// Cluster is a running cluster.
type Cluster struct {
	Options
	Client kubernetes.Interface // the administrator's

	plane      *envtest.Environment
	components []*component
}

// Start starts a cluster and waits until its nodes are ready. The caller must call Stop.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	c := &Cluster{Options: options}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.End(), c.Stop())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) (err error) {
	if err := errors.Join(c.write("audit.yaml", auditPolicy), c.writeServiceAccountKey()); err != nil {
		return err
	}
	log.SetLogger(klog.Background()) // or controller-runtime complains after half a minute
	plane := &envtest.Environment{}
	flags := plane.ControlPlane.GetAPIServer().Configure().
		Set("authorization-mode", "Node", "RBAC").
		Set("enable-admission-plugins", "NodeRestriction").
		Set("service-account-signing-key-file", c.file("sa.key")).
		Set("service-account-key-file", c.file("sa.key")).
		Set("default-not-ready-toleration-seconds", "10").
		Set("default-unreachable-toleration-seconds", "10").
		Set("event-ttl", "24h").
		Set("audit-policy-file", c.file("audit.yaml")).
		Set("audit-log-path", c.AuditLog()).
		Set("audit-log-maxsize", "100000")
	if !c.Alone {
		flags.Disable("disable-admission-plugins") // of service accounts, which controllers make
	}
	config, err := plane.Start()
	if err != nil {
		return err
	}
	c.plane = plane
	err = errors.Join(c.write("admin.kubeconfig", plane.KubeConfig), c.write("ca.crt", config.CAData))
	if err != nil {
		return err
	}
	if c.Client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if !c.Alone {
		if err := c.startControllers(); err != nil {
			return err
		}
	}
	for i := range c.Nodes {
		name := Node(i)
		err := c.startComponent(name, "system:node:"+name, []string{"system:nodes"}, "hollow-kubelet", "-name="+name, "-v=3")
		if err != nil {
			return err
		}
	}
	return c.await(ctx)
}

func (c *Cluster) startControllers() error {
	election := []string{"--leader-elect-lease-duration=6s", "--leader-elect-renew-deadline=4s",
		"--leader-elect-retry-period=1s", "--secure-port=0", "-v=3"}
	manager := append([]string{"--use-service-account-credentials", "--root-ca-file=" + c.file("ca.crt"),
		"--service-account-private-key-file=" + c.file("sa.key"), "--node-monitor-grace-period=20s",
		"--feature-gates=ControllerManagerReleaseLeaderElectionLockOnExit=true"}, election...) // without it a signal is no end in order
	if err := c.startComponent(Manager, "system:kube-controller-manager", nil, Manager, manager...); err != nil {
		return err
	}
	return c.startComponent(Scheduler, "system:kube-scheduler", nil, Scheduler, election...)
}

// Manager and Scheduler are the names of components.
const (
	Manager   = "kube-controller-manager"
	Scheduler = "kube-scheduler"
)

// Node returns the name of a node and of its kubelet.
func Node(i int) string { return fmt.Sprintf("node-%02d", i) }

// startComponent starts a component with the kubeconfig of a user.
func (c *Cluster) startComponent(name, user string, groups []string, program string, flags ...string) error {
	added, err := c.plane.AddUser(envtest.User{Name: user, Groups: groups}, nil)
	if err != nil {
		return err
	}
	kubeconfig, err := added.KubeConfig()
	if err != nil {
		return err
	}
	file := name + ".kubeconfig"
	if err := c.write(file, kubeconfig); err != nil {
		return err
	}
	args := append([]string{filepath.Join(c.Bin, program), "--kubeconfig=" + c.file(file)}, flags...)
	started, err := run(name, c.Dir, args...)
	if err != nil {
		return err
	}
	c.components = append(c.components, started)
	return nil
}

// await waits until all nodes are ready and pods can be made.
func (c *Cluster) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		ready := c.readyNodes(ctx)
		_, err := c.Client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		if ready == c.Nodes && (err == nil || c.Alone) {
			return nil
		}
		if err := c.Failure(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d nodes are ready (default service account: %w), see %s", ready, c.Nodes, err, c.Dir)
		case <-time.After(time.Second):
		}
	}
}

func (c *Cluster) readyNodes(ctx context.Context) (n int) {
	nodes, err := c.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0
	}
	for _, node := range nodes.Items {
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
				n++
			}
		}
	}
	return n
}

// AuditLog is the file with every write of an Event.
func (c *Cluster) AuditLog() string { return c.file("audit.log") }

// Log is the file with what a component printed.
func (c *Cluster) Log(component string) string { return c.file(component + ".log") }

// Signal sends a signal to a component.
func (c *Cluster) Signal(component string, signal os.Signal) error {
	for _, running := range c.components {
		if running.name == component {
			return running.signal(signal)
		}
	}
	return fmt.Errorf("no component %q", component)
}

// Kubectl runs kubectl as the administrator and returns what it printed.
func (c *Cluster) Kubectl(ctx context.Context, input string, args ...string) (string, error) {
	program := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	command := exec.CommandContext(ctx, program, append([]string{"--kubeconfig=" + c.file("admin.kubeconfig")}, args...)...)
	command.Env = append(os.Environ(), "HOME="+c.Dir) // it caches discovery there
	command.Stdin = strings.NewReader(input)
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// Failure says which component does not run any more.
func (c *Cluster) Failure() (err error) {
	for _, component := range c.components {
		err = errors.Join(err, component.failure())
	}
	return err
}

// End sends a SIGTERM to each component and waits until they have ended. The API server stays.
func (c *Cluster) End() error {
	errs := make([]error, len(c.components))
	var wait sync.WaitGroup
	for i, component := range c.components {
		wait.Go(func() { errs[i] = component.end() })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// Usage returns what each component needed. It is complete after End.
func (c *Cluster) Usage() map[string]Usage {
	all := map[string]Usage{}
	for _, component := range c.components {
		component.mu.Lock()
		all[component.name] = component.usage
		component.mu.Unlock()
	}
	return all
}

// Stop ends the API server. End comes first.
func (c *Cluster) Stop() error {
	if c.plane == nil {
		return nil
	}
	return c.plane.Stop()
}

func (c *Cluster) file(name string) string { return filepath.Join(c.Dir, name) }

func (c *Cluster) write(name string, content []byte) error {
	return os.WriteFile(c.file(name), content, 0o600)
}

// writeServiceAccountKey makes the key that signs the tokens of service accounts.
func (c *Cluster) writeServiceAccountKey() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return c.write("sa.key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
}
