// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/discovery"
)

// Access is the permission to create and patch Events through one API group in one namespace.
// Namespace "" stands for all namespaces.
type Access struct{ Group, Namespace string }

// Verify checks that account has all permissions in needs. It returns "" if account has all of
// them. Otherwise it returns a description for people: the missing permissions, the existing rules
// about Events, and the YAML to add.
func (m Manifests) Verify(account Account, needs []Access) string {
	rules, text := m.Rules(account), ""
	// The keys are namespaces, and the values API groups.
	missing := map[string][]string{}
	for _, need := range needs {
		verbs := rules.missing(need)
		included := need.Namespace != "" && slices.Contains(needs, Access{Group: need.Group}) ||
			slices.Contains(missing[need.Namespace], need.Group)
		if len(verbs) > 0 && !included {
			text += fmt.Sprintf("\n  %s events of %s in %s",
				strings.Join(verbs, " and "), cmp.Or(need.Group, "core/v1"), place(need.Namespace))
			missing[need.Namespace] = append(missing[need.Namespace], need.Group)
		}
	}
	if text == "" {
		return ""
	}
	if account != (Account{}) {
		text = " to ServiceAccount " + account.Namespace + "/" + account.Name + text
	}
	text = "the manifests do not grant" + text + "\n  their rules about Events:"
	for _, found := range m.found(account) {
		text += "\n    " + found
	}
	for _, namespace := range slices.Sorted(maps.Keys(missing)) {
		advice := m.advise(account, namespace, missing[namespace])
		text += "\n  " + strings.ReplaceAll(strings.TrimSpace(advice), "\n", "\n    ")
	}
	return text
}

// place describes a namespace in a message. It returns "all namespaces" for "".
func place(namespace string) string {
	if namespace == "" {
		return "all namespaces"
	}
	return fmt.Sprintf("namespace %q", namespace)
}

// found describes what the manifests contain in two kinds of lines: one line for each rule about
// Events, which names the namespaces in which the rule applies to account, and one line for each
// binding whose role is not in the manifests.
func (m Manifests) found(account Account) (all []string) {
	places := map[*object][]string{}
	for _, g := range m.grants(account) {
		places[g.role] = append(places[g.role], place(g.namespace))
	}
	for _, o := range m {
		// Roles whose names begin with "system:" are part of every cluster.
		if o.isBinding() && m.boundRole(o, account) == nil && !strings.HasPrefix(o.RoleRef.Name, "system:") {
			all = append(all, fmt.Sprintf("%v: binds %s %s, which is not in the manifests",
				o, o.RoleRef.Kind, o.RoleRef.Name))
		}
		slices.Sort(places[o])
		in := cmp.Or(strings.Join(slices.Compact(places[o]), ", "),
			"no namespace: no binding grants it to the component")
		for _, rule := range o.Rules {
			if !covers(rule.Resources, "events") || o.file == "" {
				continue
			}
			verbs := strings.Join(rule.Verbs, ", ")
			line := fmt.Sprintf("%v: %s events of %q, in force in %s", o, verbs, rule.APIGroups, in)
			if len(rule.ResourceNames) > 0 {
				line += ", and has resourceNames, although Events get their names at run time"
			}
			all = append(all, line)
		}
	}
	return all
}

// advise returns the YAML that allows account to record Events in namespace through the API groups
// in groups. If a role of the project is granted to account in this namespace or in all namespaces,
// the YAML is a rule to add to that role. Otherwise it is a new role and its binding.
func (m Manifests) advise(account Account, namespace string, groups []string) string {
	granted := slices.DeleteFunc(m.grants(account), func(g grant) bool {
		return g.role.file == "" || g.role.AggregationRule != nil || g.namespace != "" && g.namespace != namespace
	})
	for _, fits := range []func(grant) bool{
		func(g grant) bool { return g.namespace == namespace && g.role.isAboutEvents() },
		func(g grant) bool { return g.namespace == namespace },
		func(grant) bool { return true },
	} {
		if i := slices.IndexFunc(granted, fits); i >= 0 {
			return fmt.Sprintf("add to the rules of %v:\n"+
				"- apiGroups: [\"%s\"]\n  resources: [\"events\"]\n  verbs: [\"create\", \"patch\"]",
				granted[i].role, strings.Join(groups, `", "`))
		}
	}
	access := discovery.Access{
		Namespace: namespace,
		User:      account.user(),
		EventsV1:  discovery.Allowed,
		CoreV1:    discovery.Allowed,
	}
	if slices.Contains(groups, eventsv1.GroupName) {
		access.EventsV1 = discovery.Denied
	}
	if slices.Contains(groups, corev1.GroupName) {
		access.CoreV1 = discovery.Denied
	}
	// The JSON is the SDK's own, so it is valid.
	text, _ := yaml.JSONToYAML([]byte(access.Remedy()))
	return "add:\n" + string(text)
}
