// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"fmt"
	"net"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// trial is one contender's turn in one round.
type trial struct {
	client     kubernetes.Interface
	meter      *meter
	namespaces []string
	pods       []*corev1.Pod // what the events are about, one each
	writers    int
	close      func()
}

// numNamespaces is more than one, as a scheduler has it: of a single namespace the
// SDK would keep a worker away, whose writes must not hold up all the others.
const numNamespaces = 4

// newTrial opens a connection of its own, by making the namespaces.
func newTrial(ctx context.Context, config *rest.Config, name string, size, writers int) (*trial, error) {
	t := &trial{meter: &meter{}, writers: writers}
	for i := range numNamespaces {
		t.namespaces = append(t.namespaces, fmt.Sprintf("%s-%d", name, i))
	}
	t.pods = pods(t.namespaces, size)
	own := rest.CopyConfig(config)
	own.Dial = (&net.Dialer{}).DialContext // client-go shares connections between equal configurations
	own.Wrap(func(next http.RoundTripper) http.RoundTripper {
		t.meter.next = next
		return t.meter
	})
	connection, err := rest.HTTPClientFor(own)
	if err != nil {
		return nil, err
	}
	t.close = func() { utilnet.CloseIdleConnectionsFor(connection.Transport) }
	if t.client, err = kubernetes.NewForConfigAndClient(own, connection); err != nil {
		return nil, err
	}
	return t, t.makeNamespaces(ctx)
}

func (t *trial) makeNamespaces(ctx context.Context) error {
	for _, name := range t.namespaces {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := t.client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// pageSize is what kubectl asks for at a time.
const pageSize = 500

// delivered lists the namespaces and says about how many pods there is an Event of
// count occurrences. Pod names differ across namespaces.
func (t *trial) delivered(ctx context.Context, count int64) (n int, err error) {
	seen := make(map[string]bool, len(t.pods))
	for _, namespace := range t.namespaces {
		err := t.eachStored(ctx, namespace, func(e *eventsv1.Event) error {
			if seen[e.Regarding.Name] {
				return fmt.Errorf("there are two Events about pod %s", e.Regarding.Name)
			}
			seen[e.Regarding.Name] = true
			if countOf(e) == count {
				n++
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

func (t *trial) eachStored(ctx context.Context, namespace string, visit func(*eventsv1.Event) error) error {
	for options := (metav1.ListOptions{Limit: pageSize}); ; {
		page, err := t.client.EventsV1().Events(namespace).List(ctx, options)
		if err != nil {
			return err
		}
		for i := range page.Items {
			if err := visit(&page.Items[i]); err != nil {
				return err
			}
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return nil
		}
	}
}

func countOf(e *eventsv1.Event) int64 {
	if e.Series == nil {
		return 1
	}
	return int64(e.Series.Count)
}
