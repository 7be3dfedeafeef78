// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kubernetes/pkg/apis/core"
	kjson "sigs.k8s.io/json"
)

// server is an API server for Events without a network and a store: the decoders, conversions, defaults and validation
// are the real one's. It speaks HTTP because the encoding is part of what is tested.
type server struct {
	mu      sync.Mutex // guards the rest: one request at a time
	events  map[types.NamespacedName]*core.Event
	version int
	refused []error // answers other than 2xx, with what was asked
}

func newServer() *server { return &server{events: map[types.NamespacedName]*core.Event{}} }

var codecs = serializer.NewCodecFactory(scheme)

// RoundTrip answers a request.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	via, key, err := route(r.URL.Path)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	event, err := s.answer(r.Method, via, key, body)
	if err != nil {
		s.refused = append(s.refused, fmt.Errorf("%s %s %.3000q: %w", r.Method, r.URL.Path, body, err))
	}
	return respond(r, event, err)
}

// route reads /api/v1/namespaces/NS/events/NAME or /apis/GROUP/VERSION/namespaces/NS/events/NAME.
func route(path string) (via schema.GroupVersion, key types.NamespacedName, err error) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if via.Version = parts[1]; parts[0] == "apis" {
		via.Group, via.Version, parts = parts[1], parts[2], parts[1:]
	}
	if len(parts) < 5 || parts[2] != "namespaces" || parts[4] != "events" {
		return via, key, fmt.Errorf("no request for Events: %s", path)
	}
	if key.Namespace = parts[3]; len(parts) > 5 {
		key.Name = parts[5]
	}
	return via, key, nil
}

func (s *server) answer(
	method string, via schema.GroupVersion, key types.NamespacedName, body []byte,
) (runtime.Object, error) {
	var event *core.Event
	var err error
	if method == http.MethodPost {
		event, err = s.create(via, key.Namespace, body)
	} else {
		event, err = s.patch(via, key, body)
	}
	if err != nil {
		return nil, err
	}
	s.version++
	event.ResourceVersion = strconv.Itoa(s.version)
	s.events[types.NamespacedName{Namespace: event.Namespace, Name: event.Name}] = event
	return viewed(event, via)
}

// create decodes JSON and protobuf, by what the body begins with.
func (s *server) create(via schema.GroupVersion, namespace string, body []byte) (*core.Event, error) {
	view, gvk, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if *gvk != via.WithKind("Event") {
		return nil, apierrors.NewBadRequest("another kind than the path's: " + gvk.String())
	}
	scheme.Default(view)
	event, err := stored(view)
	if err != nil {
		return nil, err
	}
	if event.Namespace != namespace || event.ResourceVersion != "" {
		return nil, apierrors.NewBadRequest("another namespace than the path's, or a resourceVersion")
	}
	if err := create(event, via); err != nil {
		return nil, err
	}
	if s.events[types.NamespacedName{Namespace: namespace, Name: event.Name}] != nil {
		return nil, apierrors.NewAlreadyExists(schema.GroupResource{Resource: "events"}, event.Name)
	}
	return event, nil
}

func (s *server) patch(via schema.GroupVersion, key types.NamespacedName, patch []byte) (*core.Event, error) {
	old := s.events[key]
	if old == nil {
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "events"}, key.Name)
	}
	view, err := viewed(old, via)
	if err != nil {
		return nil, err
	}
	merged, err := merge(view, patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	event, err := stored(merged)
	if err != nil {
		return nil, err
	}
	if event.ResourceVersion != old.ResourceVersion {
		return nil, apierrors.NewConflict(schema.GroupResource{Resource: "events"}, key.Name, errors.New("modified"))
	}
	return event, update(event, old, via)
}

// merge takes the steps of the server's handler for strategic merge patches (k8s.io/apiserver
// pkg/endpoints/handlers/patch.go): the object becomes a map and no JSON, so that what is no UTF-8 stays as it is.
func merge(view runtime.Object, patch []byte) (runtime.Object, error) {
	before, err := runtime.DefaultUnstructuredConverter.ToUnstructured(view)
	if err != nil {
		return nil, err
	}
	changes := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(patch, &changes); err != nil {
		return nil, err
	}
	after, err := strategicpatch.StrategicMergeMapPatch(before, changes, view)
	if err != nil {
		return nil, err
	}
	merged, err := scheme.New(view.GetObjectKind().GroupVersionKind())
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(after, merged); err != nil {
		return nil, err
	}
	scheme.Default(merged)
	return merged, nil
}

func respond(r *http.Request, event runtime.Object, err error) (*http.Response, error) {
	code, object := http.StatusOK, any(event)
	if err != nil {
		var status apierrors.APIStatus
		if !errors.As(err, &status) {
			return nil, err
		}
		answer := status.Status()
		answer.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		code, object = int(answer.Code), &answer
	}
	body, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: code, Request: r, Header: http.Header{"Content-Type": {runtime.ContentTypeJSON}},
		Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}
