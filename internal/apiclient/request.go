// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiclient writes events to the API server, each with exactly one
// request: client-go's own retries (up to 11 requests for one Create) would hide
// Retry-After and turn a definite 429 into a timeout whose outcome nobody knows.
package apiclient

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

const resource = "events"

// errNoNamespace is what a caller gets who bypasses the recorder. It is of the
// kind that is not tried again.
var errNoNamespace = &rest.RequestConstructionError{Err: errors.New("sinks: the event has no namespace, set one")}

// usable returns the client behind a typed one, or nil where there is none: the
// fakes answer RESTClient() with a nil pointer in an interface.
func usable(client rest.Interface) rest.Interface {
	if c, ok := client.(*rest.RESTClient); ok && c == nil {
		return nil
	}
	return client
}

// object is an Event of either API group.
type object interface {
	runtime.Object
	metav1.Object
}

// create posts obj once. The client's rate limiter stays in force, and so does the
// encoding that its configuration asks for; the default is protobuf, as it is of
// client-go's typed clients, and costs the client less than JSON.
func create(ctx context.Context, client rest.Interface, namespace string, obj, into object) error {
	err := client.Post().UseProtobufAsDefault().Namespace(namespace).Resource(resource).Body(obj).
		MaxRetries(0).Do(ctx).Into(into)
	return checkAnswer(err, into, obj)
}

// patch sends a strategic merge patch once. Patches are JSON, the answer need not be.
func patch(
	ctx context.Context, client rest.Interface, key types.NamespacedName, data []byte, into object,
) error {
	err := client.Patch(types.StrategicMergePatchType).UseProtobufAsDefault().
		Namespace(key.Namespace).Resource(resource).Name(key.Name).Body(data).
		MaxRetries(0).Do(ctx).Into(into)
	return checkAnswer(err, into, &metav1.ObjectMeta{Name: key.Name})
}

// checkAnswer tells whether a 2xx has the Event that was written. client-go decodes
// whatever came and leaves alone what it should have filled in: a Status, or what a
// proxy serves in the server's place. That is no proper answer, and nobody knows
// whether the write was applied.
func checkAnswer(err error, answer, written metav1.Object) error {
	got, want := answer.GetName(), written.GetName()
	if err != nil || got == want || got == "" && answer.GetResourceVersion() != "" {
		return err
	}
	return fmt.Errorf("sinks: the server said yes and answered with another object than the Event %q; "+
		"look for a proxy in between", want)
}
