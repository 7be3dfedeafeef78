// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cluster reads Events and the objects that they are about. It writes nothing.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"
	"k8s.io/utils/ptr"

	"github.com/eventseries/eventseries/eventview"
)

// Client reads from one API server.
type Client struct {
	kubernetes.Interface
	Config *rest.Config
	// Getter resolves the resource types that users name.
	Getter genericclioptions.RESTClientGetter
	// Namespace is the one that the user has chosen, or that of the context.
	Namespace string
	// Stderr gets warnings, and the progress of what takes longer than a second.
	Stderr io.Writer
}

// Connect returns a client for what the flags say. It sends nothing.
func Connect(flags *genericclioptions.ConfigFlags, stderr io.Writer) (c *Client, err error) {
	c = &Client{Getter: flags, Stderr: stderr}
	if c.Namespace, _, err = flags.ToRawKubeConfigLoader().Namespace(); err != nil {
		return nil, err
	}
	if c.Config, err = flags.ToRESTConfig(); err != nil {
		return nil, err
	}
	c.Config.QPS, c.Config.UserAgent = -1, "kubectl-eventseries" // one request at a time needs no limit
	c.Interface, err = kubernetes.NewForConfig(c.Config)
	return c, err
}

// Warn tells the user what could not be read.
func (c *Client) Warn(format string, args ...any) {
	fmt.Fprintf(c.Stderr, "warning: "+format+"\n", args...)
}

// Event is an Event as it was read.
type Event struct {
	eventview.Event
	// Bytes is about what it takes in etcd, without its history.
	Bytes int64
	// Written is the time of the last write.
	Written time.Time
}

func newEvent(e *corev1.Event) Event {
	const envelope = int64(len("/registry/events//") + 24) // the key, and the kind before the object
	written := e.CreationTimestamp.Time
	for _, f := range e.ManagedFields {
		if f.Time != nil && f.Time.After(written) {
			written = f.Time.Time
		}
	}
	return Event{eventview.FromCoreV1(e), envelope + int64(len(e.Namespace)+len(e.Name)+e.Size()), written}
}

// Query says which Events to read, through core/v1: every server has it, and the ClusterRole view allows it.
type Query struct {
	// Namespace is empty for all.
	Namespace string
	// Since is the earliest last occurrence, or zero.
	Since time.Time
	// Types and Reasons are empty for all.
	Types, Reasons []string
	// Object is the only one, if the server shall select it.
	Object *Object
	// About reports whether to keep an Event, by what it is about. Nil keeps all.
	About func(*eventview.Event) bool
}

// Matches reports whether the query asks for an Event.
func (q *Query) Matches(e *eventview.Event) bool {
	return !e.Last.Before(q.Since) &&
		(len(q.Types) == 0 || slices.Contains(q.Types, e.Type)) &&
		(len(q.Reasons) == 0 || slices.Contains(q.Reasons, e.Reason)) &&
		(q.About == nil || q.About(e))
}

// options select on the server what it can.
func (q *Query) options() metav1.ListOptions {
	set := fields.Set{}
	if len(q.Types) == 1 {
		set["type"] = q.Types[0]
	}
	if len(q.Reasons) == 1 {
		set["reason"] = q.Reasons[0]
	}
	if o := q.Object; o != nil {
		set["involvedObject.kind"] = o.Kind
		set["involvedObject.name"] = o.Name
		if o.Namespace != "" { // writers put any namespace into references to cluster-scoped objects
			set["involvedObject.namespace"] = o.Namespace
		}
	}
	return metav1.ListOptions{FieldSelector: set.AsSelector().String()}
}

// List reads Events in pages of 500. If the server forgets the version of the first page meanwhile, the rest of the
// list is of a newer one.
func (c *Client) List(ctx context.Context, q *Query) (events []Event, err error) {
	client, read, reported := c.CoreV1().Events(q.Namespace), 0, time.Now()
	p := pager.New(func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
		list, err := client.List(ctx, opts)
		if token := restOf(err); token != "" && opts.Continue != "" {
			opts.Continue = token
			list, err = client.List(ctx, opts)
		}
		if err != nil {
			return nil, err
		}
		return list, nil
	})
	err = p.EachListItemWithAlloc(ctx, q.options(), func(object runtime.Object) error {
		if read++; time.Since(reported) > time.Second {
			fmt.Fprintf(c.Stderr, "reading Events: %d so far\n", read)
			reported = time.Now()
		}
		if e := newEvent(object.(*corev1.Event)); q.Matches(&e.Event) {
			events = append(events, e)
		}
		return nil
	})
	return events, err
}

// restOf returns the token for the rest of a list with which the server answers that it has forgotten the version of the
// first page, or nothing.
func restOf(err error) (token string) {
	var status apierrors.APIStatus
	if apierrors.IsResourceExpired(err) && errors.As(err, &status) {
		return status.Status().Continue
	}
	return ""
}

// Watch passes on the Events that come or go on after these were read, until ctx ends. What can be tried again is.
func (c *Client) Watch(ctx context.Context, q *Query, known []Event, change func(*eventview.Event) error) error {
	tracker := eventview.NewTracker(time.Now(), 0)
	for i := range known {
		tracker.Seed(&known[i].Event)
	}
	for read, err := range eventview.Watch(ctx, c.CoreV1().Events(q.Namespace), q.options(), tracker) {
		switch {
		case apierrors.IsForbidden(err):
			return err
		case err != nil:
			c.Warn("%v; trying again", err)
		case !read.Deleted && read.Delta != eventview.Delta{} && q.Matches(&read.Event):
			if err := change(&read.Event); err != nil {
				return err
			}
		}
	}
	return nil
}

// Gone returns Events that were deleted, or have expired, since one of these was written four minutes ago or later: etcd
// keeps five minutes. It takes a second.
func (c *Client) Gone(ctx context.Context, namespace string, events []Event) (gone []Event, err error) {
	oldest := Event{Written: time.Now()}
	for i := range events {
		if w := events[i].Written; time.Since(w) < 4*time.Minute && w.Before(oldest.Written) {
			oldest = events[i]
		}
	}
	if oldest.ResourceVersion == "" {
		return nil, nil
	}
	opts := metav1.ListOptions{ResourceVersion: oldest.ResourceVersion, TimeoutSeconds: ptr.To[int64](1)}
	w, err := c.CoreV1().Events(namespace).Watch(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer w.Stop()
	for change := range w.ResultChan() {
		if change.Type == watch.Error { // a short TTL leaves the version behind what etcd keeps
			return gone, fmt.Errorf("cannot see which Events have gone: %w", apierrors.FromObject(change.Object))
		}
		if e, ok := change.Object.(*corev1.Event); ok && change.Type == watch.Deleted {
			gone = append(gone, newEvent(e))
		}
	}
	return gone, nil
}
