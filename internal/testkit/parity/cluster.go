// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// Cluster is the server to which the requests of the table are sent. Besides Namespace and
// Terminating, the namespaces default, kube-system and kube-public must exist.
type Cluster struct {
	// Client is a client with all permissions. Its requests must go over HTTP.
	Client kubernetes.Interface
	// Watches is a client with all permissions that is used for watches. It may differ from Client,
	// because a fake server without a socket cannot stream.
	Watches kubernetes.Interface
	// User is a client that is allowed to create and patch Events of events.k8s.io in Namespace,
	// and nothing else.
	User kubernetes.Interface
	// Namespace and Terminating are the namespaces for the Events of the scenes. Neither is being
	// deleted when Run begins. The request "terminate" in a scene deletes Terminating by calling
	// Terminate.
	Namespace, Terminating string
	// Terminate deletes a namespace, which must stay Terminating.
	Terminate func(ctx context.Context, namespace string) error

	scenes atomic.Int64
}

// run is one run of a scene.
type run struct {
	*Cluster
	// name is the name of the scene's Events, and current is the name that the next request refers
	// to.
	name, current string
	// first is the resource version in the answer to the first write.
	first string
	// namespaces are the namespaces of the requests so far.
	namespaces map[string]bool
	// watch is the watch of the scene, or nil.
	watch watch.Interface
}

// Run sends the requests of a scene one after the other and returns the answer to each. It deletes
// the Events of the scene before it returns. A refusal by the server is an answer. An error means
// that the server could not be reached. Run panics if the table contains a mistake.
func (c *Cluster) Run(ctx context.Context, scene Scene) (answers []string, err error) {
	name := fmt.Sprintf("sample-%d", c.scenes.Add(1))
	s := &run{
		Cluster:    c,
		name:       name,
		current:    name,
		namespaces: map[string]bool{},
	}
	defer func() {
		s.stopWatch()
		err = errors.Join(err, s.clean(ctx))
	}()
	for _, row := range scene.Rows {
		answer, err := s.answer(ctx, row.Request)
		if err != nil {
			return answers, fmt.Errorf("%s: %w", row.Request, err)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// answer sends one request and returns the answer as it is written in the table.
func (s *run) answer(ctx context.Context, row string) (string, error) {
	r := read(s.placeholders().Replace(row))
	answer, err := s.send(ctx, r)
	if unreachable(err) {
		return "", err
	}
	if err != nil {
		answer = refused(err)
	}
	return abbreviated(s.hide(answer), strings.Contains(row, "generateName")), nil
}

// placeholders returns a replacer that replaces the placeholders in a request with the values of
// this run.
func (s *run) placeholders() *strings.Replacer {
	return strings.NewReplacer("$name", s.name, "$ns", s.Namespace, "$gone", s.Terminating, "$first", s.first)
}

// hide replaces the values of this run with the placeholders.
func (s *run) hide(answer string) string {
	return strings.NewReplacer(s.name, "$name", s.Namespace, "$ns", s.Terminating, "$gone").Replace(answer)
}

// clean deletes the Events of the scene, including Events with finalizers.
func (s *run) clean(ctx context.Context) error {
	var errs []error
	for namespace := range s.namespaces {
		list, err := s.Client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{})
		errs = append(errs, err)
		for i := range list.Items {
			if event := &list.Items[i]; namespace == s.Namespace || strings.HasPrefix(event.Name, s.name) {
				errs = append(errs, s.remove(ctx, event))
			}
		}
	}
	return errors.Join(errs...)
}

// remove deletes an Event, after removing its finalizers.
func (s *run) remove(ctx context.Context, event *corev1.Event) error {
	events := s.Client.CoreV1().Events(event.Namespace)
	if len(event.Finalizers) > 0 {
		patch := []byte(`{"metadata":{"finalizers":null}}`)
		_, err := events.Patch(ctx, event.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
		if err != nil || event.DeletionTimestamp != nil {
			return err
		}
	}
	return events.Delete(ctx, event.Name, metav1.DeleteOptions{})
}
