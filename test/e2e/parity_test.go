// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/internal/testkit/parity"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

var update = flag.Bool("update", false, "TestParity and TestCorpus write what the server answers into internal/testkit/parity and eventview/corpus")

// TestParity sends the table of internal/testkit/parity to a real server. The answers are the ones that the clientset of
// events/eventstest is held to. With -update the table gets the server's. Caught: an answer changed by hand.
func TestParity(t *testing.T) {
	for _, file := range parity.Load() {
		t.Run(file.Name, func(t *testing.T) {
			cluster := realCluster(t)
			for _, scene := range file.Scenes {
				for i, answer := range parityAnswers(t, cluster, scene) {
					row := &scene.Rows[i]
					if *update {
						row.Answer = answer
					} else {
						checkAnswer(t, file, row, row.Answer, answer)
					}
				}
			}
			if *update {
				rewrite(t, file)
			}
		})
	}
}

func parityAnswers(t *testing.T, cluster *parity.Cluster, scene parity.Scene) []string {
	t.Helper()
	answers, err := cluster.Run(t.Context(), scene)
	if err != nil {
		t.Fatalf("%s: %v", scene.Title, err)
	}
	return answers
}

func checkAnswer(t *testing.T, file parity.File, row *parity.Row, want, got string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:%d: %s (-want +got):\n%s", file.Name, row.Line, row.Request, diff)
	}
}

// rewrite puts the answers of file into the table.
func rewrite(t *testing.T, file parity.File) {
	path := filepath.Join("..", "..", "internal", "testkit", "parity", "table", file.Name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[int]string{}
	for _, scene := range file.Scenes {
		for _, row := range scene.Rows {
			answers[row.Line] = parity.Indent + row.Answer
		}
	}
	var lines []string
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, parity.Indent) || strings.HasPrefix(line, parity.Indent+parity.Kit) {
			lines = append(lines, line)
		}
		if answer, ok := answers[i+1]; ok {
			lines = append(lines, answer)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// realCluster is the shared control plane, with namespaces and a user that no other test has.
func realCluster(t *testing.T) *parity.Cluster {
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1)
	user, err := shared.User(env.User, "components")
	if err != nil {
		t.Fatal(err)
	}
	admin := jsonClient(t, shared.Kubeconfig)
	return &parity.Cluster{
		Client: admin, Watches: admin, User: jsonClient(t, user),
		Namespace: env.Namespace, Terminating: env.NewNamespace(),
		Terminate: func(ctx context.Context, namespace string) error {
			return admin.CoreV1().Namespaces().Delete(ctx, namespace, metav1.DeleteOptions{})
		},
	}
}

// jsonClient speaks JSON, which the clientset does too; client-go's own choice is protobuf.
func jsonClient(t *testing.T, kubeconfig []byte) *kubernetes.Clientset {
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	tls, err := rest.TLSConfigFor(config)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: tls}
	t.Cleanup(transport.CloseIdleConnections)
	bare := &rest.Config{
		Host: config.Host, QPS: -1, WarningHandler: rest.NoWarnings{},
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON},
	}
	client, err := kubernetes.NewForConfigAndClient(bare, &http.Client{Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return client
}
