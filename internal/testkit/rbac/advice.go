// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/testkit/rbacfile"
)

// advise says what to add to s: markers, a rule in a role that is bound where it is missing, or a role and its binding.
func (m *Manifests) advise(s source, granted []grant, missing []missingAccess) string {
	text := ""
	for len(missing) > 0 {
		namespace, n := missing[0].Namespace, 1 // they are sorted by namespace
		for n < len(missing) && missing[n].Namespace == namespace {
			n++
		}
		switch role := extensible(granted, namespace); {
		case s.name == m.generated.name:
			text += adviseMarkers(missing[:n])
		case role == nil:
			text += "\n  add:\n" + indent(manifest(s, missing[:n], m.options.Account))
		case isGenerated(role, m.generated.objects):
			text += fmt.Sprintf("\n  %v is made of markers:%s", role, adviseMarkers(missing[:n]))
		default:
			text += fmt.Sprintf("\n  add to the rules of %v:\n%s", role, indent(rulesText(missing[:n])))
		}
		missing = missing[n:]
	}
	return text
}

func adviseMarkers(missing []missingAccess) string {
	text := "\n  add, and run controller-gen again:"
	if missing[0].Namespace != "" {
		text = "\n  add, run controller-gen again, and bind the Role that it makes:"
	}
	for _, m := range missing {
		in := ""
		if m.Namespace != "" {
			in = ",namespace=" + m.Namespace
		}
		group := m.Group
		if group == "" {
			group = `""`
		}
		text += fmt.Sprintf("\n    // %sgroups=%s,resources=events,verbs=%s%s",
			rbacfile.MarkerPrefix, group, strings.Join(m.verbs, ";"), in)
	}
	return text
}

// extensible returns the role that a rule for namespace is best added to. Roles that are bound in just this namespace
// come first, then roles with rules about Events, then roles with many rules.
func extensible(granted []grant, namespace string) *object {
	var best *object
	score := 0
	for _, g := range granted {
		if g.role.at.file == "" || g.role.AggregationRule != nil || g.namespace != "" && g.namespace != namespace {
			continue
		}
		points := len(g.role.Rules)
		if g.namespace == namespace {
			points += 1 << 20
		}
		if rbacfile.Covers(g.rule.Resources, resource) {
			points += 1 << 10
		}
		if points > score {
			best, score = g.role, points
		}
	}
	return best
}

// rulesText returns one rule per set of verbs, in YAML.
func rulesText(missing []missingAccess) string {
	text := ""
	for _, verbs := range []string{"create,patch", create, patch} {
		var groups []string
		for _, m := range missing {
			if strings.Join(m.verbs, ",") == verbs {
				groups = append(groups, strconv.Quote(m.Group))
			}
		}
		if len(groups) > 0 {
			text += fmt.Sprintf("- apiGroups: [%s]\n  resources: [\"events\"]\n  verbs: [\"%s\"]\n",
				strings.Join(groups, ", "), strings.ReplaceAll(verbs, ",", `", "`))
		}
	}
	return text
}

// manifest returns a role and its binding, in YAML.
func manifest(s source, missing []missingAccess, account Account) string {
	access := discovery.Access{
		Namespace: missing[0].Namespace, User: user(s, account),
		EventsV1: discovery.Allowed, CoreV1: discovery.Allowed, // but for what is missing
	}
	for _, m := range missing {
		switch m.Group {
		case corev1.GroupName:
			access.CoreV1 = discovery.Denied
		case eventsv1.GroupName:
			access.EventsV1 = discovery.Denied
		}
	}
	var list struct{ Items []json.RawMessage }
	_ = json.Unmarshal([]byte(access.Remedy()), &list) // the SDK's own
	var objects []string
	for _, item := range list.Items {
		text, _ := yaml.JSONToYAML(item)
		objects = append(objects, string(text))
	}
	return strings.Join(objects, "---\n")
}

// user is the user of the component: the account of the options, else the only one that is bound or defined.
func user(s source, account Account) string {
	var accounts []Account
	for _, o := range s.objects {
		if o.Kind == kindServiceAccount {
			accounts = append(accounts, Account{o.scope(account), o.Metadata.Name})
		}
		for _, subject := range o.Subjects {
			if subject.Kind == kindServiceAccount && subject.Namespace != "" {
				accounts = append(accounts, Account{subject.Namespace, subject.Name})
			}
		}
	}
	if account != (Account{}) {
		accounts = []Account{account}
	}
	if len(accounts) == 0 || slices.ContainsFunc(accounts, func(a Account) bool { return a != accounts[0] }) {
		return ""
	}
	return "system:serviceaccount:" + accounts[0].Namespace + ":" + accounts[0].Name
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
