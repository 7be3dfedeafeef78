// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"go/format"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
)

// Caught: a rule of another function counts; a rule is not seen because a helper, a variable or a constant says a part of it, or is
// counted twice; a list of other resources that the file does not tell is taken for Events.
func TestReadCode(t *testing.T) {
	const (
		head = "package a\n\nimport (\n\tcorev1 \"k8s.io/api/core/v1\"\n\trbacv1 \"k8s.io/api/rbac/v1\"\n\tv1 \"example.com/m/v1\"\n)\n"
		core = "\t\t{\n\t\t\t// pods and events\n\t\t\tAPIGroups: []string{\n\t\t\t\t\"\",\n\t\t\t},\n" +
			"\t\t\tResources: []string{\"events\"},\n\t\t\tVerbs:     []string{\"create\", \"patch\"},\n\t\t},\n"
		other = "\t\t{APIGroups: []string{\"events.k8s.io\"}, Resources: []string{\"events\"}, Verbs: []string{\"*\"}},\n"
		urls  = "\t\t{NonResourceURLs: []string{\"/metrics\"}, Verbs: []string{\"get\"}},\n"
		read  = "\t\t{APIGroups: []string{\"\"}, Resources: []string{\"events\"}, Verbs: []string{\"get\"}},\n"
	)
	role := func(name, rules string) string {
		return "func " + name + "() []rbacv1.PolicyRule {\n\treturn []rbacv1.PolicyRule{\n" + rules + "\t}\n}\n"
	}
	// withFields is a role with one rule, as expressions for its fields.
	withFields := func(groups, resources, verbs string) string {
		return role("a", fmt.Sprintf("{APIGroups: %s, Resources: %s, Verbs: %s},\n", groups, resources, verbs))
	}
	const (
		maker = "func rule(group string, verbs ...string) rbacv1.PolicyRule {\n" +
			"\treturn rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{\"events\"}, Verbs: verbs}\n}\n"
		variables = "var (\n\tcoreRule = rbacv1.PolicyRule{APIGroups: []string{\"\"}, Resources: []string{\"events\"}, Verbs: []string{\"create\"}}\n" +
			"\tnewRule = rbacv1.PolicyRule{APIGroups: []string{\"events.k8s.io\"}, Resources: []string{\"events\"}, Verbs: []string{\"*\"}}\n)\n"
	)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"alone", role("a", core), []string{"10 func a"}},
		{"after others", role("a", urls+read+core), []string{"12 func a"}},
		{"the rule is there", role("a", core+other), nil},
		{"the rule is in another function", role("a", core) + role("b", other), []string{"10 func a"}},
		{"two roles", role("a", core) + role("b", core), []string{"10 func a", "22 func b"}},
		{"for reading", role("a", urls+read), nil},
		{"for leader election", role("leaderElection", core), nil},
		{"of a method", strings.Replace(role("a", core), "func ", "func (b *c) ", 1), []string{"10 method a"}},
		{
			"appended", "func a() {\n\trules = append(rules, rbacv1.PolicyRule" + strings.TrimSpace(strings.TrimSuffix(core, ",\n")) + ")\n}\n",
			[]string{"9 func a"},
		},
		{
			"of constants", withFields(`[]string{corev1.SchemeGroupVersion.Group}`, `[]string{rbacv1.ResourceAll}`, `[]string{rbacv1.VerbAll}`),
			[]string{"10 func a"},
		},
		{"a group of the project", withFields(`[]string{v1.GroupVersion.Group}`, `[]string{"events"}`, `[]string{"create"}`), nil},
		{"a group of a variable", withFields(`[]string{group}`, `[]string{"events"}`, `[]string{"create"}`), []string{"10 func a"}},
		{"resources of a variable", withFields(`[]string{""}`, `resources`, `[]string{"create"}`), nil},
		{"for one name", strings.Replace(role("a", core), "Verbs:", "ResourceNames: names, Verbs:", 1), nil},
		{
			"verbs of a constant", "const create = \"create\"\n\nvar verbs = []string{create}\n" + withFields(`[]string{""}`, `[]string{"events"}`, `verbs`),
			[]string{"13 func a"},
		},
		{"made by a function", maker + role("a", "rule(\"\", \"create\", \"get\"),\n"), []string{"13 func a"}},
		{"made by a function, both", maker + role("a", "rule(\"\", \"create\"),\nrule(\"events.k8s.io\", \"create\", \"patch\"),\n"), nil},
		{"variables", variables + role("a", "coreRule,\n"), []string{"14 func a"}},
		{"variables, both", variables + role("a", "coreRule,\nnewRule,\n"), nil},
		{"a variable that nobody names", variables, []string{"9 var coreRule"}},
		{
			"a variable with two values", "func a() {\n\tr := []string{\"pods\"}\n\tr = []string{\"events\"}\n" +
				"\tuse(rbacv1.PolicyRule{APIGroups: []string{\"\"}, Resources: r, Verbs: []string{\"create\"}})\n}\n", nil,
		},
	} {
		if diff := cmp.Diff(test.want, lacking(t, "role.go", head+test.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Caught: a role in a string of Go code is not seen, or in another line; a binding in another file says whose it is.
func TestReadStrings(t *testing.T) {
	const manifests = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: {{ .Name }}\n---\nkind: Role\nmetadata:\n  name: manager\n" +
		"  namespace: {{ .Namespace }}\nrules:\n- apiGroups: [\"\"]\n  resources: [pods, events]\n  verbs: [create, patch]\n"
	plain := strings.NewReplacer("{{ .Name }}", "a", "{{ .Namespace }}", "b").Replace(manifests)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"a template", "package a\n\nconst manifests = `" + manifests + "`\n", []string{"13 Role manager"}},
		{"plain", "package a\n\nvar manifests = []byte(`\n" + plain + "`)\n", []string{"14 Role b/manager"}},
		{"with quotes", fmt.Sprintf("package a\n\nconst manifests = %q\n", plain), []string{"3 Role b/manager"}},
		{"in a comment", "package a\n\n/*\n" + manifests + "*/\n", nil},
		{"no manifest", "package a\n\nconst usage = \"kind: Role\\n\" +\n\t\"}\"\n", nil},
	} {
		if diff := cmp.Diff(test.want, lacking(t, "role.go", test.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// The rule is added in the lines that begin with "+". Caught: the file does not compile afterwards, or gofmt changes it.
func TestInsertInCode(t *testing.T) {
	for _, test := range []struct{ name, file string }{
		{"in a line", `
			var rules = []rbacv1.PolicyRule{
				{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}},
			+	{APIGroups: []string{"events.k8s.io"}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}},
				{APIGroups: []string{"apps"}, Resources: []string{"*"}, Verbs: []string{"get"}},
			}`},
		{"in lines, with a type", `
			func rules() []any {
				return []any{
					rbacv1.PolicyRule{
						Verbs:     []string{"create", "patch"},
						APIGroups: []string{""},
						Resources: []string{"events"},
					},
			+		rbacv1.PolicyRule{
			+			APIGroups: []string{"events.k8s.io"},
			+			Resources: []string{"events"},
			+			Verbs:     []string{"create", "patch"},
			+		},
				}
			}`},
		{"in lines of values", `
			var rules = []rbacv1.PolicyRule{
				{
					APIGroups: []string{
						"",
					},
					Resources: []string{
						"events",
					},
					Verbs: []string{
						"create",
					},
				},
			+	{
			+		APIGroups: []string{
			+			"events.k8s.io",
			+		},
			+		Resources: []string{
			+			"events",
			+		},
			+		Verbs: []string{
			+			"create",
			+			"patch",
			+		},
			+	},
			}`},
		{"no place behind it", `
			var rules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create"}}}`},
		{"a comment behind it", `
			var rules = []rbacv1.PolicyRule{
				{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create"}}, // why
			}`},
		{"the only argument", `
			var rules = use(
				rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create"}},
			)`},
		{"made by a function", `
			func rule(group string) rbacv1.PolicyRule {
				return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{"events"}, Verbs: []string{"create"}}
			}

			var rules = []rbacv1.PolicyRule{
				rule(""),
			}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := "package a\n" + strings.ReplaceAll(test.file, "\n\t\t\t", "\n") + "\n"
			var before []string
			for line := range strings.SplitSeq(want, "\n") {
				if !strings.HasPrefix(line, "+") {
					before = append(before, line)
				}
			}
			want = strings.ReplaceAll(want, "\n+", "\n")
			file, err := manifest.Read("a.go", strings.Join(before, "\n"))
			if err != nil || len(file.Roles) == 0 {
				t.Fatalf("Read: %v, %v", file.Roles, err)
			}
			var roles []*manifest.Role
			for _, role := range file.Roles {
				if len(role.Lacks()) > 0 && role.Editable() {
					roles = append(roles, role)
				}
			}
			got := manifest.Insert(strings.Join(before, "\n"), roles)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Insert (-want +got):\n%s", diff)
			}
			formatted, err := format.Source([]byte(got))
			if diff := cmp.Diff(got, string(formatted)); err != nil || diff != "" {
				t.Errorf("gofmt (-inserted +formatted): %v\n%s", err, diff)
			}
		})
	}
}
