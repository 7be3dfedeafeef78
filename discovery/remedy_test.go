// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eventseries/eventseries/discovery"
)

// manifest has the fields of all four kinds of RBAC objects.
type manifest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Rules             []rbacv1.PolicyRule `json:"rules,omitempty"`
	RoleRef           *rbacv1.RoleRef     `json:"roleRef,omitempty"`
	Subjects          []rbacv1.Subject    `json:"subjects,omitempty"`
}

// decode returns the items of a Remedy. It fails t if an item has a field that the API's own type
// does not have.
func decode(t *testing.T, remedy string) []manifest {
	t.Helper()
	if strings.ContainsFunc(remedy, func(r rune) bool { return r < ' ' || r > '~' || r == '\'' }) {
		t.Errorf("%q, want printable ASCII in one line, without apostrophes", remedy)
	}
	var list struct {
		metav1.TypeMeta `json:",inline"`
		Items           []json.RawMessage `json:"items"`
	}
	if err := unmarshal([]byte(remedy), &list); err != nil || list.Kind != "List" || list.APIVersion != "v1" {
		t.Fatalf("%+v, %v, want a List:\n%s", list.TypeMeta, err, remedy)
	}
	var objects []manifest
	for _, item := range list.Items {
		var object manifest
		if err := unmarshal(item, &object); err != nil {
			t.Fatalf("%v in\n%s", err, item)
		}
		typed := map[string]any{
			"Role": &rbacv1.Role{}, "RoleBinding": &rbacv1.RoleBinding{},
			"ClusterRole": &rbacv1.ClusterRole{}, "ClusterRoleBinding": &rbacv1.ClusterRoleBinding{},
		}[object.Kind]
		if err := unmarshal(item, typed); err != nil {
			t.Fatalf("%v in\n%s", err, item)
		}
		objects = append(objects, object)
	}
	return objects
}

// unmarshal decodes data as kubectl does, which takes a text that begins with a brace for JSON.
func unmarshal(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

const serviceAccount = "system:serviceaccount:operators:controller"

// The remedies for several namespaces are one List.
func TestRemedyOfSeveral(t *testing.T) {
	shop := access("shop", serviceAccount, discovery.Denied, discovery.Allowed)
	fine := access("fine", serviceAccount, discovery.Allowed, discovery.Allowed)
	api := access("api", serviceAccount, discovery.Denied, discovery.Denied)
	got := decode(t, discovery.Remedy(shop, fine, api))
	want := append(decode(t, shop.Remedy()), decode(t, api.Remedy())...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Remedy() (-want +got):\n%s", diff)
	}
	if got := discovery.Remedy(fine); got != "" {
		t.Errorf("Remedy() = %q, want none", got)
	}
}

func TestRemedy(t *testing.T) {
	const events, rbac = "events.k8s.io", "rbac.authorization.k8s.io"
	account := rbacv1.Subject{Kind: "ServiceAccount", Namespace: "operators", Name: "controller"}
	tests := []struct {
		name    string
		access  discovery.Access
		kind    string
		groups  []string
		subject rbacv1.Subject
	}{
		{"both", access("shop", serviceAccount, discovery.Denied, discovery.Denied),
			"Role", []string{events, ""}, account},
		{"events only", access("shop", serviceAccount, discovery.Denied, discovery.Allowed),
			"Role", []string{events}, account},
		{"unknown counts as missing", access("shop", serviceAccount, discovery.PermissionUnknown, discovery.Denied),
			"Role", []string{events, ""}, account},
		{"all namespaces", access("", serviceAccount, discovery.PermissionUnknown, discovery.Allowed),
			"ClusterRole", []string{events}, account},
		{"user", access("shop", "Jane@Example.com", discovery.Denied, discovery.Allowed),
			"Role", []string{events}, rbacv1.Subject{Kind: "User", APIGroup: rbac, Name: "Jane@Example.com"}},
		{"no prefix", access("shop", "operators:controller", discovery.Denied, discovery.Allowed),
			"Role", []string{events}, rbacv1.Subject{Kind: "User", APIGroup: rbac, Name: "operators:controller"}},
		{"placeholder", access("shop", "", discovery.Denied, discovery.Allowed), "Role", []string{events},
			rbacv1.Subject{Kind: "ServiceAccount", Namespace: "REPLACE-WITH-ITS-NAMESPACE", Name: "REPLACE-WITH-ITS-NAME"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := decode(t, tt.access.Remedy())
			if len(got) != 2 {
				t.Fatalf("%d objects, want 2:\n%s", len(got), tt.access.Remedy())
			}
			meta := metav1.ObjectMeta{Name: got[0].Name, Namespace: tt.access.Namespace}
			checkName(t, meta.Name)
			want := []manifest{{
				TypeMeta:   metav1.TypeMeta{APIVersion: rbac + "/v1", Kind: tt.kind},
				ObjectMeta: meta,
				Rules: []rbacv1.PolicyRule{{
					APIGroups: tt.groups, Resources: []string{"events"}, Verbs: []string{"create", "patch"},
				}},
			}, {
				TypeMeta:   metav1.TypeMeta{APIVersion: rbac + "/v1", Kind: tt.kind + "Binding"},
				ObjectMeta: meta,
				RoleRef:    &rbacv1.RoleRef{APIGroup: rbac, Kind: tt.kind, Name: meta.Name},
				Subjects:   []rbacv1.Subject{tt.subject},
			}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Remedy() (-want +got):\n%s\n%s", diff, tt.access.Remedy())
			}
		})
	}
}

func access(namespace, user string, events, core discovery.Permission) discovery.Access {
	return discovery.Access{Namespace: namespace, User: user, EventsV1: events, CoreV1: core}
}

// checkName fails t unless every API accepts name, even as a label.
func checkName(t *testing.T, name string) {
	t.Helper()
	if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
		t.Errorf("name %q: %v", name, problems)
	}
}

// Remedies with different content have different names, and equal remedies have the same name in
// every process.
func TestRemediesDoNotReplaceEachOther(t *testing.T) {
	long := "system:serviceaccount:" + strings.Repeat("n", 63) + ":" + strings.Repeat("a", 200)
	names := map[string]discovery.Access{}
	for _, a := range []discovery.Access{
		access("shop", serviceAccount, discovery.Denied, discovery.Denied),
		access("shop", serviceAccount, discovery.Denied, discovery.Allowed),
		access("shop", serviceAccount, discovery.Allowed, discovery.Denied),
		access("shop", "operators:controller", discovery.Denied, discovery.Denied),
		access("shop", "operators-controller", discovery.Denied, discovery.Denied),
		access("shop", long, discovery.Denied, discovery.Denied),
		access("shop", long+"b", discovery.Denied, discovery.Denied),
		access("shop", "日本", discovery.Denied, discovery.Denied),
		access("shop", "", discovery.Denied, discovery.Denied),
	} {
		name := decode(t, a.Remedy())[0].Name
		checkName(t, name)
		if other, ok := names[name]; ok {
			t.Errorf("%+v and %+v share the name %q", other, a, name)
		}
		names[name] = a
	}
	if got, want := decode(t, access("shop", serviceAccount, discovery.Denied, discovery.Denied).Remedy())[0].Name,
		"eventseries-operators-controller-5665670f"; got != want {
		t.Errorf("name %q, want %q: a new name leaves the old objects behind", got, want)
	}
}

// No user name and no namespace can end the quotes around a remedy.
func FuzzRemedy(f *testing.F) {
	for _, user := range []string{
		serviceAccount, "", "a\"}\n- {kind: Group, name: \"system:masters", "x\n---\nkind: ClusterRole",
		"\u2028\u0085\ufeff", "\x00\x1b\x7f", "it's; rm", "{{.}} %s %!d(MISSING)", "日本🎉", "---",
	} {
		f.Add("shop", user, 0, 2)
		f.Add(user, "jane", 2, 1)
	}
	f.Add("shop", "a: b # c", 0, 2)
	f.Add("yes", "null", 0, 0)
	f.Fuzz(func(t *testing.T, namespace, user string, events, core int) {
		permissions := []discovery.Permission{discovery.PermissionUnknown, discovery.Allowed, discovery.Denied}
		a := access(namespace, user, permissions[uint(events)%3], permissions[uint(core)%3])
		if a.EventsV1 == discovery.Allowed && a.CoreV1 == discovery.Allowed {
			t.Skip("nothing to remedy")
		}
		remedy := a.Remedy()
		if again := a.Remedy(); again != remedy {
			t.Errorf("Remedy() differs from call to call:\n%s\n%s", remedy, again)
		}
		objects := decode(t, remedy)
		if len(objects) != 2 || len(objects[1].Subjects) != 1 {
			t.Fatalf("want two objects with one subject:\n%s", remedy)
		}
		checkName(t, objects[0].Name)
		if !utf8.ValidString(namespace + user) {
			// JSON cannot express bytes that are not UTF-8.
			return
		}
		if got := objects[0].Namespace; got != namespace {
			t.Errorf("namespace %q, want %q", got, namespace)
		}
		s := objects[1].Subjects[0]
		if s.Kind == "ServiceAccount" && user != "" {
			s.Name = "system:serviceaccount:" + s.Namespace + ":" + s.Name
		}
		if user != "" && s.Name != user {
			t.Errorf("subject %q, want %q", s.Name, user)
		}
	})
}
