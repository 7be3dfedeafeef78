// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"strings"
	"testing"
)

// A patch of RBAC would make what is read wrong, so it is refused; other patches are of no interest.
// Caught: patchesJson6902 not looked at; a target that names the object as its base has it.
func TestPatchesOfRBACAreRefused(t *testing.T) {
	const clusterRole = "patches ClusterRole manager-role (k/rbac.yaml:2)"
	for _, r := range []struct{ name, kustomization, want string }{
		{"another kind", "patches: [{target: {kind: Deployment}, path: role.yaml}]", ""},
		{"another name", "patches: [{target: {name: worker}, patch: '[]'}]", ""},
		{"another group", "patches: [{target: {group: apps, name: manager-role}, patch: '[]'}]", ""},
		{"another namespace", "patches: [{target: {kind: ClusterRole, namespace: a}, patch: '[]'}]", ""},
		{"by kind", "patches: [{target: {kind: ClusterRole}, patch: '[]'}]", clusterRole},
		{"by name", "patches: [{target: {name: manager-.*}, patch: '[]'}]", clusterRole},
		{"by the name in a base", "patches: [{target: {name: base-role}, patch: '[]'}]",
			"patches Role base-role (base/rbac.yaml:2)"},
		{"by the name from a base", "patches: [{target: {name: b-base-role}, patch: '[]'}]",
			"patches Role base-role (base/rbac.yaml:2)"},
		{"everything", "patches: [{target: {labelSelector: a=b}, patch: '[]'}]", "patches Role base-role"},
		{"no expression", "patches: [{target: {kind: '('}, patch: '[]'}]", "patches Role base-role"},
		{"merged, a file", "patches: [{path: role.yaml}]", "patches ClusterRole manager-role"},
		{"merged, a text",
			"patches: [{patch: '{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: x}}'}]",
			"patches Role x"},
		{"merged, no RBAC", "patches: [{path: deployment.yaml}]", ""},
		{"old, a file", "patchesStrategicMerge: [deployment.yaml, role.yaml]", "patches ClusterRole manager-role"},
		{"old, a text",
			"patchesStrategicMerge:\n- |\n  apiVersion: rbac.authorization.k8s.io/v1\n  kind: ClusterRole\n",
			"patches ClusterRole "},
		{"old, JSON", "patchesJson6902: [{target: {version: v1, kind: ClusterRole, name: manager-role}, path: x}]",
			clusterRole},
		{"a broken patch", "patches: [{path: broken.yaml}]",
			"a patch: k/broken.yaml:1: Role : metadata: string in place of a mapping"},
		{"a replacement",
			"replacements: [{source: {kind: X}, targets: [{select: {kind: Deployment}}, {select: {kind: Role}}]}]",
			"replaces a part of Role base-role"},
		{"a replacement in a file", "replacements: [{path: replacement.yaml}]",
			"replaces a part of ClusterRole manager-role"},
		{"replacements in a file", "replacements: [{path: replacements.yaml}]",
			"replaces a part of ClusterRole manager-role"},
		{"another replacement", "replacements: [{path: missing.yaml}, {targets: [{select: {kind: Deployment}}]}]", ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			_, _, err := kustomize(project(`
-- base/kustomization.yaml --
namePrefix: b-
resources: [rbac.yaml]
-- base/rbac.yaml --
`+role("shop", "base-role")+`
-- k/rbac.yaml --
`+role("", "manager-role")+`
-- k/role.yaml --
`+role("", "manager-role")+`
-- k/broken.yaml --
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: none
-- k/deployment.yaml --
apiVersion: apps/v1
kind: Deployment
-- k/replacement.yaml --
targets: [{select: {kind: ClusterRole}}]
-- k/replacements.yaml --
- targets: [{select: {kind: Deployment}}, {select: {kind: ClusterRole}}]
-- k/kustomization.yaml --
resources: [../base, rbac.yaml]
`+r.kustomization), "k")
			switch {
			case r.want == "" && err != nil:
				t.Error(err)
			case r.want != "" && (err == nil || !strings.Contains(err.Error(), r.want)):
				t.Errorf("got %v, want %s", err, r.want)
			case strings.HasPrefix(r.want, "patches") && !strings.HasSuffix(err.Error(),
				"and patches are not applied here: render it with kustomize build k, and pass what that prints"):
				t.Errorf("no remedy in %v", err)
			}
		})
	}
}
