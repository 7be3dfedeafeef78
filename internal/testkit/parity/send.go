// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// methods are the HTTP methods of the requests about Events.
var methods = map[string]string{
	"create": http.MethodPost, "update": http.MethodPut, "patch": http.MethodPatch, "get": http.MethodGet,
	"list": http.MethodGet, "delete": http.MethodDelete, "deletecollection": http.MethodDelete,
}

// send sends a request. It returns the text of a successful answer, or an error if the server
// refuses the request.
func (s *run) send(ctx context.Context, r request) (string, error) {
	client := s.Client
	if r.asUser {
		client = s.User
	}
	switch r.verb {
	case "review":
		return review(ctx, client, r.group)
	case "discover":
		return discover(client, r.group)
	case "terminate":
		return "ok", s.Terminate(ctx, r.group)
	case "seen":
		return s.seen(ctx, r.group), nil
	case "watch":
		return "ok", s.startWatch(ctx, r)
	case "create", "update", "patch":
		return s.write(ctx, client, r)
	}
	name := s.current
	if r.verb == "list" || r.verb == "deletecollection" {
		name = ""
	}
	object, err := s.do(ctx, client, r, name, nil)
	switch {
	case err != nil:
		return "", err
	case r.verb == "get":
		return "ok " + shown(object.Object, strings.Fields(r.rest)), nil
	case r.verb == "list":
		return names(object)
	default:
		return "ok", nil
	}
}

// do sends one request about Events, in JSON. name is the name in the path of the request, or empty
// if the path contains no name.
func (s *run) do(
	ctx context.Context, client kubernetes.Interface, r request, name string, body map[string]any,
) (*unstructured.Unstructured, error) {
	group, namespace := s.route(r)
	path := []string{apis[group].path, "events"}
	if namespace != metav1.NamespaceAll {
		s.namespaces[namespace] = true
		path = []string{apis[group].path, "namespaces", namespace, "events"}
	}
	request := client.CoreV1().RESTClient().Verb(methods[r.verb]).AbsPath(append(path, name)...).
		SetHeader("Accept", "application/json").SetHeader("Content-Type", "application/json")
	if r.dry {
		request.Param("dryRun", metav1.DryRunAll)
	}
	switch r.verb {
	case "create", "update":
		body["kind"] = "Event"
		body["apiVersion"] = apis[group].version
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		request.Body(text)
	case "patch":
		request.SetHeader("Content-Type", string(patchTypes[r.next()])).Body([]byte(r.rest))
	case "list", "deletecollection":
		options := r.selectors()
		request.VersionedParams(&options, scheme.ParameterCodec)
	}
	return decoded(request.Do(ctx))
}

// decoded returns the object of an answer.
func decoded(result rest.Result) (*unstructured.Unstructured, error) {
	if err := result.Error(); err != nil {
		return nil, err
	}
	text, err := result.Raw()
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	return object, json.Unmarshal(text, &object.Object)
}

// apis are the two API groups of Events.
var apis = map[string]struct{ version, path string }{
	"core":   {"v1", "/api/v1"},
	"events": {"events.k8s.io/v1", "/apis/events.k8s.io/v1"},
}

var patchTypes = map[string]types.PatchType{
	"strategic": types.StrategicMergePatchType,
	"merge":     types.MergePatchType,
	"json":      types.JSONPatchType,
}

// route returns the group and the namespace of a request, which the table writes as GROUP or
// GROUP/NAMESPACE.
func (s *run) route(r request) (group, namespace string) {
	group, namespace, found := strings.Cut(r.group, "/")
	switch {
	case !found:
		return group, s.Namespace
	case namespace == "*":
		return group, metav1.NamespaceAll
	default:
		return group, namespace
	}
}

// write sends a create, an update or a patch. Later requests of the scene then refer to the written
// Event. The returned text says whether the Event has changed; write compares resource versions to
// find out.
func (s *run) write(ctx context.Context, client kubernetes.Interface, r request) (string, error) {
	group, namespace := s.route(r)
	before := s.version(ctx, namespace)
	name, body := s.current, map[string]any(nil)
	if r.verb != "patch" {
		var err error
		body, err = s.body(ctx, client, &r, group)
		if err != nil {
			return "", err
		}
		name = ""
		if r.verb == "update" {
			name = (&unstructured.Unstructured{Object: body}).GetName()
		}
	}
	written, err := s.do(ctx, client, r, name, body)
	if err != nil {
		return "", err
	}
	s.current = written.GetName()
	if s.first == "" {
		s.first = written.GetResourceVersion()
	}
	switch now := written.GetResourceVersion(); {
	case now == "":
		return "ok, not stored", nil
	case r.verb == "create":
		return "ok", nil
	case now == before:
		return "ok unchanged", nil
	default:
		return "ok changed", nil
	}
}

// body returns the body of a create or update: the base that the request names, with the edits of
// the request applied.
func (s *run) body(ctx context.Context, client kubernetes.Interface, r *request, group string) (map[string]any, error) {
	var base map[string]any
	if name := r.next(); name == "stored" {
		get := *r
		get.verb = "get"
		stored, err := s.do(ctx, client, get, s.current, nil)
		if err != nil {
			return nil, err
		}
		base = stored.Object
	} else {
		base = tree(s.placeholders().Replace(string(bases)))[group+" "+name].(map[string]any)
	}
	if r.rest != "" {
		base = edit(base, tree(r.rest))
	}
	return base, nil
}

// version returns the resource version of the current Event, or "" if there is none.
func (s *run) version(ctx context.Context, namespace string) string {
	stored, err := s.Client.CoreV1().Events(namespace).Get(ctx, s.current, metav1.GetOptions{})
	if err != nil {
		return ""
	}
	return stored.ResourceVersion
}

// names returns the names in a list. They are sorted, because the order of a list over several
// namespaces is not fixed.
func names(list *unstructured.Unstructured) (string, error) {
	var found []string
	all, err := list.ToList()
	if err != nil {
		return "", err
	}
	for i := range all.Items {
		found = append(found, all.Items[i].GetName())
	}
	slices.Sort(found)
	return strings.Join(append([]string{"ok"}, found...), " "), nil
}

// review returns the answer to a SelfSubjectAccessReview.
func review(ctx context.Context, client kubernetes.Interface, attributes string) (string, error) {
	asked := &authorizationv1.SelfSubjectAccessReview{}
	if err := json.Unmarshal([]byte(attributes), &asked.Spec.ResourceAttributes); err != nil {
		return "", err
	}
	answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, asked, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("ok allowed=%t denied=%t", answer.Status.Allowed, answer.Status.Denied), nil
}

// discover returns the entries about Events in the answer to a discovery request.
func discover(client kubernetes.Interface, version string) (string, error) {
	list, err := client.Discovery().ServerResourcesForGroupVersion(version)
	if err != nil {
		return "", err
	}
	words := []string{"ok", list.GroupVersion}
	for _, r := range list.APIResources {
		if r.Kind == "Event" {
			words = append(words, fmt.Sprintf("%s %s namespaced=%t %v %v",
				r.Name, r.Kind, r.Namespaced, r.Verbs, r.ShortNames))
		}
	}
	return strings.Join(words, " "), nil
}
