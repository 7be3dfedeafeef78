// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/eventseries/eventseries/internal/testkit/rbacfile"
)

// The kinds that are read.
const (
	kindRole               = "Role"
	kindClusterRole        = "ClusterRole"
	kindRoleBinding        = "RoleBinding"
	kindClusterRoleBinding = "ClusterRoleBinding"
	kindServiceAccount     = "ServiceAccount"
)

// object is an RBAC object or a ServiceAccount, with the fields that are evaluated.
type object struct {
	Kind            string
	Metadata        metadata
	Rules           []rbacv1.PolicyRule
	AggregationRule *rbacv1.AggregationRule
	RoleRef         rbacv1.RoleRef
	Subjects        []rbacv1.Subject

	at     position
	marker *rbacfile.Marker // nil if the object is from a manifest

	earlier            []identity // before each change by a kustomization, the first as in its file
	prefixes, suffixes []string   // what kustomizations put around its name, innermost first
}

type metadata struct {
	identity
	Labels map[string]string
}

type identity struct{ Name, Namespace string }

// position is a line of a file.
type position struct {
	file string
	line int
}

func (p position) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

// inFile is the name and namespace in the object's file.
func (o *object) inFile() identity {
	if len(o.earlier) > 0 {
		return o.earlier[0]
	}
	return o.Metadata.identity
}

// String names the object by its file, where it can be changed.
func (o *object) String() string {
	switch {
	case o.marker != nil:
		return fmt.Sprintf("the marker at %v", o.at)
	case o.at.file == "":
		return fmt.Sprintf("%s %s", o.Kind, o.Metadata.Name)
	default:
		return fmt.Sprintf("%s %s (%v)", o.Kind, o.inFile().Name, o.at)
	}
}

func (o *object) isRole() bool { return o.Kind == kindRole || o.Kind == kindClusterRole }

func (o *object) isBinding() bool {
	return o.Kind == kindRoleBinding || o.Kind == kindClusterRoleBinding
}

func (o *object) isRBAC() bool { return o.isRole() || o.isBinding() }

func (o *object) namespaced() bool { return !strings.HasPrefix(o.Kind, "Cluster") }

// selectedBy reports whether an aggregated role takes its rules from o.
func (o *object) selectedBy(rule *rbacv1.AggregationRule) bool {
	matches := func(s metav1.LabelSelector) bool {
		selector, err := metav1.LabelSelectorAsSelector(&s)
		return err == nil && selector.Matches(labels.Set(o.Metadata.Labels))
	}
	return o.Kind == kindClusterRole && slices.ContainsFunc(rule.ClusterRoleSelectors, matches)
}

// markers returns the role that controller-gen makes of each marker in a Go file alone.
func markers(file, text string) ([]*object, error) {
	found, _ := rbacfile.Markers(text) // the syntax of the file is the compiler's business
	var objects []*object
	for _, m := range found {
		o := &object{Kind: kindClusterRole, at: position{file, m.Line}, marker: &m}
		if m.Namespace != "" {
			o.Kind, o.Metadata.Namespace = kindRole, m.Namespace
		}
		o.Rules = []rbacv1.PolicyRule{rbacv1.PolicyRule(m.Rule)}
		err := m.Err
		if err == nil && len(m.Rule.Verbs) == 0 {
			err = errors.New("no verbs")
		}
		if err != nil {
			return nil, fmt.Errorf("%v: marker %s%s: %w", o.at, rbacfile.MarkerPrefix, m.Text, err)
		}
		objects = append(objects, o)
	}
	return objects, nil
}

// errTemplate is about a file that is a template of manifests.
var errTemplate = errors.New("is a template: render it, as with helm template, and pass what that prints")

// mayHoldRBAC reports whether text can hold anything that decode returns. Nothing else is decoded, so no other YAML of
// a project can make reading its RBAC fail.
func mayHoldRBAC(text string) bool {
	return strings.Contains(text, rbacv1.GroupName) || strings.Contains(text, kindServiceAccount)
}

// decode returns the RBAC objects and ServiceAccounts in a YAML or JSON file. It returns none of a template, because
// each may depend on a condition.
func decode(file, text string) ([]*object, error) {
	if !mayHoldRBAC(text) {
		return nil, nil
	}
	var objects []*object
	for _, d := range rbacfile.Split(text) {
		doc := text[d.Start:d.End]
		braces := strings.Contains(doc, "{{")
		if !mayHoldRBAC(doc) && !braces {
			continue
		}
		found, err := decodeDocument(file, doc, d.Line)
		switch {
		case err != nil && braces:
			return nil, errTemplate
		case err != nil:
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}

// decodeDocument decodes the document that begins in line first. Its objects are said to be where its content begins.
func decodeDocument(file, text string, first int) ([]*object, error) {
	var body json.RawMessage
	if err := yaml.Unmarshal([]byte(text), &body); err != nil {
		return nil, syntaxError(file, err, first)
	}
	at := position{file, first}
	for line := range strings.Lines(text) {
		content := strings.TrimSpace(strings.TrimPrefix(line, "---"))
		if content != "" && content[0] != '#' {
			break
		}
		at.line++
	}
	return decodeJSON(body, header{}, at)
}

func syntaxError(file string, err error, first int) error {
	line, what := rbacfile.ErrorLine(err, first)
	return fmt.Errorf("%v: %s", position{file, line}, what)
}

// header has the kind of an object, and the items of a list.
type header struct {
	APIVersion, Kind string
	Items            []json.RawMessage
}

// decodeJSON returns the object in body, or those of the list that body is. An item of a typed list needs no kind.
func decodeJSON(body json.RawMessage, item header, at position) ([]*object, error) {
	head := item
	if err := json.Unmarshal(body, &head); err != nil {
		return nil, nil // a document that is no mapping is not Kubernetes'
	}
	if kind, isList := strings.CutSuffix(head.Kind, "List"); isList {
		var all []*object
		for _, one := range head.Items {
			objects, err := decodeJSON(one, header{APIVersion: head.APIVersion, Kind: kind}, at)
			if err != nil {
				return nil, err
			}
			all = append(all, objects...)
		}
		return all, nil
	}
	group, _, _ := strings.Cut(head.APIVersion, "/")
	o := &object{Kind: head.Kind, at: at}
	isAccount := head.APIVersion == "v1" && o.Kind == kindServiceAccount
	if !isAccount && (group != rbacv1.GroupName || !o.isRBAC()) {
		return nil, nil
	}
	if err := json.Unmarshal(body, o); err != nil {
		return nil, fmt.Errorf("%v: %s %s: %w", at, head.Kind, o.Metadata.Name, inYAMLWords(err))
	}
	o.Kind = head.Kind
	if o.hasTemplatedName() {
		return nil, errTemplate
	}
	return []*object{o}, nil
}

// inYAMLWords returns an error about a value of the wrong type that names the field and YAML's type.
func inYAMLWords(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
	want := map[reflect.Kind]string{
		reflect.Slice: "list", reflect.Struct: "mapping", reflect.Map: "mapping",
	}[wrong.Type.Kind()]
	name := strings.ToLower(field[:min(len(field), 1)]) + field[min(len(field), 1):]
	return fmt.Errorf("%s: %s in place of a %s", name, wrong.Value, cmp.Or(want, wrong.Type.Kind().String()))
}

// hasTemplatedName reports whether a name is filled in when a template is rendered.
func (o *object) hasTemplatedName() bool {
	names := []string{o.Metadata.Name, o.Metadata.Namespace, o.RoleRef.Name}
	for _, subject := range o.Subjects {
		names = append(names, subject.Name, subject.Namespace)
	}
	return strings.Contains(strings.Join(names, " "), "{{")
}
