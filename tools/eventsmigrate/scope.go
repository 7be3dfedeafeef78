// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// noteScope notes the objects without a namespace that Events are about, if all roles are for one namespace: such Events are
// written to the namespace default.
func (m *migration) noteScope(roles []*manifest.Role, facts *facts) error {
	wide := func(role *manifest.Role) bool { return !role.OfNamespace() || role.Namespace == "default" }
	if len(roles) == 0 || slices.ContainsFunc(roles, wide) {
		return nil
	}
	kinds, err := m.clusterScoped(facts)
	if err != nil || len(kinds) == 0 {
		return err
	}
	m.note("%s: these kinds have no namespace, so their Events are written to the namespace default, and no role here may do so "+
		"(%s). Give the program a ClusterRole with the rule %s, or a Role with it in the namespace default",
		joinSome(kinds), m.locatedSome(roles), manifest.NewRule)
	return nil
}

// clusterScoped returns the kinds without a namespace that the programs record Events about, as far as the types of the arguments
// say so, sorted.
func (m *migration) clusterScoped(facts *facts) (kinds []string, err error) {
	for _, program := range m.programs {
		_, surveys, err := analyze.Run(program.Fset, program.Selected, []*analysis.Analyzer{recording.Surveyor})
		if err != nil {
			return nil, err
		}
		known := map[*types.TypeName]bool{}
		for _, result := range surveys {
			survey := result.(*recording.Survey)
			for call, regarding := range survey.Args(recording.Regarding) {
				object := objectOf(survey.Info.TypeOf(regarding))
				if object == nil || !facts.mayRecord(program.Fset.Position(call.Pos()).Filename) {
					continue
				}
				if _, seen := known[object]; !seen {
					known[object] = isClusterScoped(object) || isMarked(object, program.Fset.Position(object.Pos()).Filename)
				}
				if known[object] {
					kinds = append(kinds, object.Name())
				}
			}
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}

// objectOf returns the type that a type or a pointer names, or nil.
func objectOf(t types.Type) *types.TypeName {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj()
	}
	return nil
}

// clusterKinds are the kinds of Kubernetes that have no namespace.
var clusterKinds = []string{
	"APIService", "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
	"CustomResourceDefinition", "DeviceClass", "FlowSchema", "IPAddress", "IngressClass", "MutatingAdmissionPolicy",
	"MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node", "PersistentVolume", "PriorityClass",
	"PriorityLevelConfiguration", "ResourceSlice", "RuntimeClass", "ServiceCIDR", "StorageClass", "ValidatingAdmissionPolicy",
	"ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass",
}

// isClusterScoped reports whether a type is one of Kubernetes' own kinds without a namespace.
func isClusterScoped(object *types.TypeName) bool {
	return strings.HasPrefix(object.Pkg().Path(), "k8s.io/") && slices.Contains(clusterKinds, object.Name())
}

// clusterMarker matches what says of a type that its kind has no namespace.
var clusterMarker = regexp.MustCompile(`\+kubebuilder:resource:(.*,)?scope="?Cluster\b|\+genclient:nonNamespaced`)

// isMarked reports whether a comment above the declaration of a type, in a file, has the marker.
func isMarked(object *types.TypeName, name string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return false // it has compiled, so somebody has edited it since
	}
	above := file.Name.End()
	for _, decl := range file.Decls {
		declares := func(spec ast.Spec) bool {
			named, ok := spec.(*ast.TypeSpec)
			return ok && named.Name.Name == object.Name()
		}
		if decl, ok := decl.(*ast.GenDecl); ok && slices.ContainsFunc(decl.Specs, declares) {
			return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
				return above <= group.Pos() && group.Pos() < decl.Pos() && slices.ContainsFunc(group.List, isClusterMarker)
			})
		}
		above = decl.End()
	}
	return false
}

func isClusterMarker(comment *ast.Comment) bool { return clusterMarker.MatchString(comment.Text) }
