// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rbac evaluates the RBAC objects in rendered manifests and determines whether they allow a
// component to record Events.
//
//	fs.FS ─▶ Read ─▶ grants ─▶ Verify: the missing permissions, the existing rules, and the YAML to add
//	                        ─▶ Rules: the rules in force, for a fake API server
package rbac

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Manifests lists the RBAC objects of a project, followed by ClusterRoles that exist in every
// cluster.
type Manifests []*object

// object is a role, a binding or a list of these, with the fields that this package evaluates.
type object struct {
	APIVersion, Kind string
	Items            []json.RawMessage
	Metadata         metav1.ObjectMeta
	Rules            []rbacv1.PolicyRule
	AggregationRule  *rbacv1.AggregationRule
	RoleRef          rbacv1.RoleRef
	Subjects         []rbacv1.Subject

	// file is the name of the file that contains the object. It is "" for an object that exists in
	// every cluster.
	file string
}

func (o *object) String() string { return fmt.Sprintf("%s %s (%s)", o.Kind, o.Metadata.Name, o.file) }

// isBinding reports whether the object is a RoleBinding or a ClusterRoleBinding.
func (o *object) isBinding() bool { return strings.HasSuffix(o.Kind, "Binding") }

// Read reads all *.yaml, *.yml and *.json files below the root of fsys, except in hidden
// directories. It returns an error if there is a kustomization or a template, which must be
// rendered first; the error says how. It also returns an error if it finds no RBAC objects.
func Read(fsys fs.FS) (Manifests, error) {
	var m Manifests
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		base, extension := path.Base(file), path.Ext(file)
		switch {
		case err != nil:
			return err
		case d.IsDir() && base[0] == '.' && file != ".":
			return fs.SkipDir
		case d.IsDir():
			return nil
		case strings.EqualFold(strings.TrimSuffix(base, extension), "kustomization"):
			return unrendered(file, "kustomization: render the one that is applied", "kustomize build DIRECTORY")
		case slices.Contains([]string{".yaml", ".yml", ".json"}, extension):
			return m.readFile(fsys, file)
		}
		return nil
	})
	if err == nil && len(m) == 0 {
		err = errors.New("there is no RBAC in *.yaml, *.yml and *.json files: " +
			"pass a directory with what kustomize build, helm template or controller-gen prints")
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read manifests: %w", err)
	}
	m.aggregate()
	return append(m, builtin...), nil
}

// unrendered returns an error that tells the user to render file, which is a kustomization or a
// template. The parameter advice names the kind of the file and says what to render; in the error
// it follows the words "is a". The parameter command is a command that prints the rendered result.
func unrendered(file, advice, command string) error {
	return fmt.Errorf("%s is a %s, as with\n    %s > rendered/manifests.yaml\n  and pass the directory with the result",
		file, advice, command)
}

// readFile adds the objects in a file. It skips files that do not mention the RBAC API group, so
// that unrelated YAML cannot cause an error.
func (m *Manifests) readFile(fsys fs.FS, file string) error {
	text, err := fs.ReadFile(fsys, file)
	if err != nil || !bytes.Contains(text, []byte(rbacv1.GroupName)) {
		return err
	}
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var document json.RawMessage
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = m.add(document, file)
		}
		if err != nil && bytes.Contains(text, []byte("{{")) {
			chart, _, _ := strings.Cut("./"+file, "/templates/")
			return unrendered(file, "template: render its chart", "helm template "+chart)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
}

// add adds the role or binding in document. If document is a list, it adds the roles and bindings
// in the list.
func (m *Manifests) add(document []byte, file string) error {
	o := &object{file: file}
	// Unmarshal sets the fields that fit even if it returns an error.
	err := json.Unmarshal(document, o)
	for _, item := range o.Items {
		if err := m.add(item, file); err != nil {
			return err
		}
	}
	switch {
	case !strings.HasPrefix(o.APIVersion, rbacv1.GroupName+"/"):
		return nil
	case err != nil:
		return fmt.Errorf("%s %s: %w", o.Kind, o.Metadata.Name, err)
	case bytes.Contains(document, []byte("{{")):
		return errors.New("not rendered")
	}
	*m = append(*m, o)
	return nil
}
