// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// The resources that are known.
const (
	events        = "events"
	accessReviews = "selfsubjectaccessreviews"
	selfReviews   = "selfsubjectreviews"
)

// maxBody is how much a server reads of a request.
const maxBody = 3 << 20

// ask is what a request asks. It never changes, but for line, which is completed when the request is parked.
type ask struct {
	component, verb, group, resource, namespace, name string

	known  bool // the path is one that the server has
	event  *corev1.Event
	patch  []byte
	review *authorizationv1.SelfSubjectAccessReview
	err    error // the refusal of a body that cannot be read

	count       int32
	legacy      bool
	conditional bool // names a resource version
	line        string
}

// newAsk reads a request. The error is one of the transport.
func newAsk(component string, asked *http.Request) (*ask, error) {
	a := &ask{component: component, verb: verbs[asked.Method]}
	a.route(strings.Split(strings.Trim(asked.URL.Path, "/"), "/"))
	if asked.Body == nil {
		return a, nil
	}
	body, err := io.ReadAll(asked.Body)
	if closing := asked.Body.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	a.err = a.decode(asked.Header.Get("Content-Type"), body)
	return a, nil
}

var verbs = map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPatch: "patch"}

// route understands the path.
func (a *ask) route(path []string) {
	if len(path) > 1 && path[0] == "api" {
		path = append([]string{"apis", corev1.GroupName}, path[1:]...)
	}
	if len(path) < 3 || path[0] != "apis" || path[2] != "v1" {
		return
	}
	a.group, path = path[1], path[3:]
	if len(path) > 1 && path[0] == "namespaces" {
		a.namespace, path = path[1], path[2:]
	}
	if len(path) > 0 {
		a.resource = path[0]
	}
	if len(path) > 1 {
		a.name = path[1]
	}
	switch (schema.GroupResource{Group: a.group, Resource: a.resource}) {
	case eventsv1.Resource(""):
		a.known = a.verb == "get"
	case corev1.Resource(events), eventsv1.Resource(events):
		a.known = a.verb == "create" && a.name == "" || a.verb == "patch" && a.name != ""
	case authorizationv1.Resource(accessReviews), authenticationv1.Resource(selfReviews):
		a.known = a.verb == "create"
	}
}

// decode reads the body.
func (a *ask) decode(contentType string, body []byte) error {
	want := "application/json"
	if a.verb == "patch" {
		want = string(types.StrategicMergePatchType)
	}
	if got, _, err := mime.ParseMediaType(contentType); err != nil || got != want {
		return unsupportedMediaType(contentType, want)
	}
	if len(body) > maxBody {
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	switch {
	case a.resource == accessReviews:
		a.review = &authorizationv1.SelfSubjectAccessReview{}
		return a.decodeReview(body)
	case a.resource != events:
		return nil
	case a.verb == "patch":
		a.patch = body
		return a.decodePatch()
	case a.group == eventsv1.GroupName:
		return a.decodeEvent(body, &eventsv1.Event{})
	default:
		return a.decodeEvent(body, &corev1.Event{})
	}
}

func (a *ask) decodeReview(body []byte) error {
	if err := unmarshal(body, a.review); err != nil {
		return err
	}
	if a.review.Spec.ResourceAttributes == nil {
		return apierrors.NewBadRequest("exactly one of nonResourceAttributes or resourceAttributes must be specified")
	}
	a.namespace = a.review.Spec.ResourceAttributes.Namespace
	return nil
}

func (a *ask) decodeEvent(body []byte, into metav1.Object) error {
	if err := unmarshal(body, into); err != nil {
		return err
	}
	switch event := into.(type) {
	case *corev1.Event:
		a.event = event
	case *eventsv1.Event:
		a.event = eventconv.ToCore(event)
	}
	a.name, a.count, a.legacy = a.event.Name, countOf(a.event), a.event.EventTime.IsZero()
	return nil
}

// decodePatch reads what the model wants to know of a patch. Whether it fits is the storage's to say.
func (a *ask) decodePatch() error {
	var body struct {
		Metadata metav1.ObjectMeta     `json:"metadata"`
		Series   *eventsv1.EventSeries `json:"series"`
		Count    int32                 `json:"count"`
	}
	if err := unmarshal(a.patch, &body); err != nil {
		return err
	}
	a.count, a.legacy = body.Count, a.group == corev1.GroupName && body.Series == nil
	if body.Series != nil {
		a.count = body.Series.Count
	}
	a.conditional = body.Metadata.ResourceVersion != ""
	return nil
}

func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}

// countOf is how many occurrences an event stands for.
func countOf(event *corev1.Event) int32 {
	if event.Series != nil {
		return event.Series.Count
	}
	return max(event.Count, 1)
}

func (a *ask) key() types.NamespacedName {
	return types.NamespacedName{Namespace: a.namespace, Name: a.name}
}

func (a *ask) via() schema.GroupVersion { return schema.GroupVersion{Group: a.group, Version: "v1"} }
