// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// The kinds that are read.
const (
	kindRole               = "Role"
	kindClusterRole        = "ClusterRole"
	kindRoleBinding        = "RoleBinding"
	kindClusterRoleBinding = "ClusterRoleBinding"
	kindServiceAccount     = "ServiceAccount"
)

// object is an RBAC object or a ServiceAccount: of each kind the fields that matter here.
type object struct {
	Kind            string
	Metadata        metadata
	Rules           []rbacv1.PolicyRule
	AggregationRule *rbacv1.AggregationRule
	RoleRef         rbacv1.RoleRef
	Subjects        []rbacv1.Subject

	at     position
	marker *marker // the marker it stands for, if it was not read from a manifest

	was                []identity // before each change by a kustomization, the first as in its file
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

// written is the name and namespace in the object's file.
func (o *object) written() identity {
	if len(o.was) > 0 {
		return o.was[0]
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
		return fmt.Sprintf("%s %s (%v)", o.Kind, o.written().Name, o.at)
	}
}

func (o *object) isRole() bool { return o.Kind == kindRole || o.Kind == kindClusterRole }

func (o *object) isBinding() bool {
	return o.Kind == kindRoleBinding || o.Kind == kindClusterRoleBinding
}

func (o *object) namespaced() bool { return !strings.HasPrefix(o.Kind, "Cluster") }

// selected reports whether an aggregated role takes its rules from o.
func (o *object) selected(by *rbacv1.AggregationRule) bool {
	return o.Kind == kindClusterRole && slices.ContainsFunc(by.ClusterRoleSelectors, func(s metav1.LabelSelector) bool {
		selector, err := metav1.LabelSelectorAsSelector(&s)
		return err == nil && selector.Matches(labels.Set(o.Metadata.Labels))
	})
}
