// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var kinds = regexp.MustCompile(`(?m)^kind: \w+`)

// Regenerated returns the text of a YAML file after the roles in it that controller-gen made of the markers before are made
// of those after. A role is known by its rules, byte for byte, so nothing else is touched. A file with anything else but
// roles, such as the manifests of a release, was put together from what controller-gen made then, and stays.
func Regenerated(text string, before, after []Marker) string {
	for _, kind := range kinds.FindAllString(text, -1) {
		if kind != "kind: Role" && kind != "kind: ClusterRole" {
			return text
		}
	}
	was, is := generated(before), generated(after)
	for role, rules := range was {
		old := "\nrules:\n" + rules
		at := strings.Index(text, old)
		if at < 0 {
			continue
		}
		if rest := text[at+len(old):]; rest == "" || strings.HasPrefix(rest, "---") {
			text = text[:at] + "\nrules:\n" + is[role] + rest
		}
	}
	return text
}

// generated returns the rules of each role as controller-gen writes them, from 0.16 on. Earlier ones do not build with the
// versions of Go that the SDK supports.
func generated(markers []Marker) map[string]string {
	rules := map[string][]rule{}
	for _, m := range markers {
		for _, line := range strings.Split(m.text, "\n") {
			_, text, _ := strings.Cut(line, "+kubebuilder:rbac:")
			m := Marker{rule: rule{}}
			m.read(text)
			singles := [][]string{nil}
			if len(m.rule["resources"]) > 0 {
				singles = nil
				for _, one := range m.rule["resources"] {
					singles = append(singles, []string{one})
				}
			}
			for _, single := range singles {
				r := maps.Clone(m.rule)
				r["resources"] = single
				rules[m.role] = append(rules[m.role], r)
			}
		}
	}
	texts := map[string]string{}
	for role, all := range rules {
		for _, field := range []string{"verbs", "resources", "apiGroups", "nonResourceURLs"} {
			all = merge(all, field)
		}
		slices.SortFunc(all, func(a, b rule) int { return strings.Compare(a.key("verbs"), b.key("verbs")) })
		var text strings.Builder
		for _, r := range all {
			text.WriteString(r.yaml())
		}
		texts[role] = text.String()
	}
	return texts
}

// merge joins the rules that differ in one field only.
func merge(rules []rule, field string) (all []rule) {
	index := map[string]int{}
	for _, r := range rules {
		key := r.key(field)
		i, found := index[key]
		if !found {
			i = len(all)
			index[key] = i
			all = append(all, maps.Clone(r))
			all[i][field] = nil
		}
		values := slices.Concat(all[i][field], r[field])
		slices.Sort(values)
		all[i][field] = slices.Compact(values)
	}
	return all
}

// key is what controller-gen sorts by, with all fields but one.
func (r rule) key(without string) string {
	var parts []string
	for _, field := range []string{"apiGroups", "resources", "resourceNames", "nonResourceURLs", "verbs"} {
		if field != without {
			values := slices.Sorted(slices.Values(r[field]))
			parts = append(parts, strings.Join(slices.Compact(values), "&"))
		}
	}
	return strings.Join(parts, " + ")
}

func (r rule) yaml() string {
	var text strings.Builder
	for _, field := range []string{"apiGroups", "nonResourceURLs", "resourceNames", "resources", "verbs"} {
		values := slices.Compact(slices.Sorted(slices.Values(r[field])))
		if field == "verbs" && slices.Contains(values, "*") {
			values = []string{"*"}
		}
		if len(values) == 0 {
			continue
		}
		head := "  "
		if text.Len() == 0 {
			head = "- "
		}
		text.WriteString(head + field + ":\n")
		for _, v := range values {
			switch {
			case v == "":
				v = `""`
			case strings.HasPrefix(v, "*"):
				v = "'" + v + "'"
			}
			text.WriteString("  - " + v + "\n")
		}
	}
	return text.String()
}
