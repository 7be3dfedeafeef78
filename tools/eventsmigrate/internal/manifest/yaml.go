// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// errTemplate is the error of a text that YAML allows and nobody means: a template, as in "name: {{ .Values.name }}".
var errTemplate = errors.New("a mapping is the key of another")

// objects collects the roles and bindings of a YAML file.
type objects struct {
	lines    []string
	roles    []*Role
	bindings []Binding
	bundled  bool // there are objects that no file of roles has
	built    bool // operator-sdk has put a ClusterServiceVersion together
}

// parse reads YAML: any number of documents, with lists of objects in them. The rules of a role may lie in another
// object, as those of a ClusterServiceVersion do.
func parse(text string) (*objects, error) {
	found := &objects{lines: strings.Split(text, "\n")}
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		if err := found.walk(&document, ""); err != nil {
			return nil, err
		}
	}
}

// notInRoles are kinds of objects that nobody writes into the file of a role: it was put together from several.
var notInRoles = []string{"CustomResourceDefinition", "Deployment", "DaemonSet", "StatefulSet", "ClusterServiceVersion"}

// builder is the annotation with which operator-sdk says that it has made a ClusterServiceVersion.
const builder = "operators.operatorframework.io/builder"

// walk looks at a node, and at those below it. The key is that of the list or mapping around it.
func (o *objects) walk(node *yaml.Node, key string) error {
	if node.Kind == yaml.MappingNode {
		for i := 0; i < len(node.Content); i += 2 {
			if node.Content[i].Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: %w", node.Line, errTemplate)
			}
			if err := o.walk(node.Content[i+1], node.Content[i].Value); err != nil {
				return err
			}
		}
		if kind := scalar(node, "kind"); slices.Contains(notInRoles, kind) && at(node, "metadata") != nil {
			o.bundled = true
			o.built = o.built || at(node, "metadata", "annotations", builder) != nil
		}
		if at(node, "kind") != nil || at(node, "rules") != nil {
			o.object(node, key)
		}
		return nil
	}
	for _, child := range node.Content {
		if err := o.walk(child, key); err != nil {
			return err
		}
	}
	return nil
}

// permissions are the lists of a ClusterServiceVersion that have the rules of a ServiceAccount.
var permissions = map[string]string{"permissions": kindRole, "clusterPermissions": kindClusterRole}

// object adds what may be a role or a binding.
func (o *objects) object(node *yaml.Node, key string) {
	namespace, name := scalar(node, "metadata", "namespace"), scalar(node, "metadata", "name")
	switch kind := scalar(node, "kind"); {
	case kind == "RoleBinding" || kind == "ClusterRoleBinding":
		b := Binding{
			kind:       scalar(node, "roleRef", "kind"),
			namespace:  namespace,
			name:       scalar(node, "roleRef", "name"),
			everywhere: kind == "ClusterRoleBinding",
		}
		for _, subject := range items(at(node, "subjects")) {
			full := scalar(subject, "name")
			if home := scalar(subject, "namespace"); home != "" {
				full = home + "/" + full
			}
			b.subjects = append(b.subjects, scalar(subject, "kind")+" "+full)
		}
		o.bindings = append(o.bindings, b)
	case kind == kindRole || kind == kindClusterRole || kind == "":
		role := &Role{
			Kind: kind, Namespace: namespace, Name: name, Template: o.template(node.Line),
			labels: scalars(at(node, "metadata", "labels")),
		}
		sequence := at(node, "rules")
		if account := scalar(node, "serviceAccountName"); kind == "" && account != "" && permissions[key] != "" {
			role.inCSV, role.Kind, role.Name = true, permissions[key], account
			role.Holders = []string{"ServiceAccount " + account}
			if role.Kind == kindClusterRole {
				role.everywhere = role.Holders
			}
		}
		for _, item := range items(sequence) {
			role.add(ruleOf(item), item.Line)
		}
		about := role.about()
		if about >= 0 && sequence.Style&yaml.FlowStyle == 0 && sequence.Content[about].Kind == yaml.MappingNode &&
			at(sequence.Content[about], "<<") == nil {
			role.form = &yamlForm{rule: sequence.Content[about], dash: o.dash(sequence.Content[about])}
		}
		for _, selector := range items(at(node, "aggregationRule", "clusterRoleSelectors")) {
			role.aggregation = append(role.aggregation, scalars(at(selector, "matchLabels")))
		}
		o.roles = append(o.roles, role)
	}
}

// dash returns the column of the dash before an item. The dash may have a line of its own.
func (o *objects) dash(item *yaml.Node) int {
	line, before := item.Line, o.lines[item.Line-1][:item.Column-1]
	for ; isSpace(before); line-- {
		before = o.lines[line-2]
	}
	return strings.IndexByte(before, '-')
}

// template returns what Helm says above a document that it rendered it from.
func (o *objects) template(line int) string {
	for ; line > 0; line-- {
		text := strings.TrimRight(o.lines[line-1], "\r")
		if source, ok := strings.CutPrefix(text, "# Source: "); ok {
			return source
		}
		if strings.HasPrefix(text, "---") {
			return ""
		}
	}
	return ""
}

func ruleOf(node *yaml.Node) rule {
	one := rule{}
	for _, field := range []string{"apiGroups", "resources", "resourceNames", "verbs", "nonResourceURLs"} {
		for _, value := range items(at(node, field)) {
			if value.Kind == yaml.ScalarNode {
				one[field] = append(one[field], value.Value)
			}
		}
	}
	return one
}

// at returns the value below a node, by keys, or nil.
func at(node *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if node = original(node); node == nil || node.Kind != yaml.MappingNode {
			return nil
		}
		node = valueOf(node, key)
	}
	return original(node)
}

// valueOf returns the value of a key in a mapping, or else in the mapping that is merged into it, or nil.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	if key == "<<" {
		return nil
	}
	return at(mapping, "<<", key)
}

// original returns the node that an alias stands for.
func original(node *yaml.Node) *yaml.Node {
	if node != nil && node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

func items(node *yaml.Node) []*yaml.Node {
	if node == nil || node.Kind != yaml.SequenceNode {
		return nil
	}
	var all []*yaml.Node
	for _, item := range node.Content {
		all = append(all, original(item))
	}
	return all
}

func scalar(node *yaml.Node, keys ...string) string {
	if value := at(node, keys...); value != nil {
		return value.Value
	}
	return ""
}

func scalars(node *yaml.Node) map[string]string {
	all := map[string]string{}
	if node != nil && node.Kind == yaml.MappingNode {
		for i := 0; i < len(node.Content); i += 2 {
			all[node.Content[i].Value] = node.Content[i+1].Value
		}
	}
	return all
}
