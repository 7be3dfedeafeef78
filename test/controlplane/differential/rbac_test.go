// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	authorizerrbac "k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"

	"github.com/eventseries/eventseries/internal/testkit/rbac"
)

// project is a set of RBAC objects, as the server has them and as JSON files.
type project struct {
	rand            *rand.Rand
	roles           []*rbacv1.Role
	bindings        []*rbacv1.RoleBinding
	clusterRoles    []*rbacv1.ClusterRole
	clusterBindings []*rbacv1.ClusterRoleBinding
	files           fstest.MapFS
}

// pick chooses from few values, so that objects often belong together.
func (p *project) pick(values ...string) string { return values[p.rand.IntN(len(values))] }

func (p *project) some(values ...string) []string {
	var all []string
	for range p.rand.IntN(3) {
		all = append(all, p.pick(values...))
	}
	return all
}

func (p *project) meta(namespaced bool) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{Name: p.pick("a", "b", "edit", "view")}
	if namespaced {
		meta.Namespace = p.pick("shop", "bank")
	}
	return meta
}

func (p *project) rules() []rbacv1.PolicyRule {
	rules := make([]rbacv1.PolicyRule, p.rand.IntN(3))
	for i := range rules {
		rules[i] = rbacv1.PolicyRule{
			APIGroups: p.some("", "events.k8s.io", "apps", "*"), Resources: p.some("events", "events/status", "pods", "*"),
			Verbs: p.some("create", "patch", "get", "*"), ResourceNames: p.some("web.1", "", "", ""),
		}
		if p.rand.IntN(2) == 0 {
			rules[i].ResourceNames = nil
		}
	}
	return rules
}

func (p *project) subjects() []rbacv1.Subject {
	subjects := make([]rbacv1.Subject, p.rand.IntN(3))
	for i := range subjects {
		switch p.rand.IntN(4) {
		case 0:
			subjects[i] = rbacv1.Subject{Kind: "Group", APIGroup: rbacv1.GroupName, Name: p.pick(
				"system:serviceaccounts", "system:serviceaccounts:shop", "system:serviceaccounts:bank", "system:authenticated", "worker")}
		case 1:
			subjects[i] = rbacv1.Subject{Kind: "User", APIGroup: rbacv1.GroupName, Name: p.pick(
				"worker", "system:serviceaccount:shop:worker", "system:serviceaccount:bank:worker")}
		default:
			subjects[i] = rbacv1.Subject{Kind: "ServiceAccount", Namespace: p.pick("shop", "bank"), Name: p.pick("worker", "other")}
		}
	}
	return subjects
}

func (p *project) ref(kind string) rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: p.pick("a", "b", "edit", "admin", "view", "cluster-admin")}
}

func (p *project) file(kind string, meta metav1.ObjectMeta, object any) bool {
	name := strings.Join([]string{kind, meta.Namespace, meta.Name, "json"}, ".")
	if p.files[name] != nil {
		return false
	}
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	p.files[name] = &fstest.MapFile{Data: text}
	return true
}

func newProject(seed uint64) *project {
	p := &project{rand: rand.New(rand.NewPCG(seed, 0)), files: fstest.MapFS{}}
	for range 2 + p.rand.IntN(6) {
		of := func(kind string) metav1.TypeMeta {
			return metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind}
		}
		switch p.rand.IntN(5) {
		case 0:
			o := &rbacv1.Role{TypeMeta: of("Role"), ObjectMeta: p.meta(true), Rules: p.rules()}
			if p.file("Role", o.ObjectMeta, o) {
				p.roles = append(p.roles, o)
			}
		case 1:
			o := &rbacv1.ClusterRole{TypeMeta: of("ClusterRole"), ObjectMeta: p.meta(false), Rules: p.rules()}
			if p.file("ClusterRole", o.ObjectMeta, o) {
				p.clusterRoles = append(p.clusterRoles, o)
			}
		case 2, 3:
			o := &rbacv1.RoleBinding{TypeMeta: of("RoleBinding"), ObjectMeta: p.meta(true), Subjects: p.subjects(), RoleRef: p.ref(p.pick("Role", "ClusterRole"))}
			if p.file("RoleBinding", o.ObjectMeta, o) {
				p.bindings = append(p.bindings, o)
			}
		default:
			o := &rbacv1.ClusterRoleBinding{TypeMeta: of("ClusterRoleBinding"), ObjectMeta: p.meta(false), Subjects: p.subjects(), RoleRef: p.ref("ClusterRole")}
			if p.file("ClusterRoleBinding", o.ObjectMeta, o) {
				p.clusterBindings = append(p.clusterBindings, o)
			}
		}
	}
	return p
}

// withBuiltin adds the server's own roles for users, their rules summed up as the aggregation controller does.
func (p *project) withBuiltin() []*rbacv1.ClusterRole {
	all := slices.Clone(p.clusterRoles)
	own := bootstrappolicy.ClusterRoles()
	var sum func(role rbacv1.ClusterRole) []rbacv1.PolicyRule
	sum = func(role rbacv1.ClusterRole) []rbacv1.PolicyRule {
		if role.AggregationRule == nil {
			return role.Rules
		}
		var rules []rbacv1.PolicyRule
		for _, s := range role.AggregationRule.ClusterRoleSelectors {
			selector, err := metav1.LabelSelectorAsSelector(&s)
			if err != nil {
				panic(err)
			}
			for _, other := range own {
				if selector.Matches(labels.Set(other.Labels)) && other.Name != role.Name {
					rules = append(rules, sum(other)...)
				}
			}
		}
		return rules
	}
	for _, role := range own {
		if slices.Contains([]string{"cluster-admin", "admin", "edit", "view"}, role.Name) &&
			!slices.ContainsFunc(all, func(r *rbacv1.ClusterRole) bool { return r.Name == role.Name }) {
			role.Rules = sum(role)
			all = append(all, &role)
		}
	}
	return all
}

// The rules that are read from a project allow what the server's authorizer allows, for a ServiceAccount, of Events.
func TestRBACAsTheServerDecides(t *testing.T) {
	asked, allowed := 0, 0
	for seed := range uint64(3000) {
		p := newProject(seed)
		_, static := validation.NewTestRuleResolver(p.roles, p.bindings, p.withBuiltin(), p.clusterBindings)
		server := authorizerrbac.New(static, static, static, static)
		for _, namespace := range []string{"shop", "bank"} {
			manifests, err := rbac.Read(p.files)
			if err != nil {
				t.Fatal(seed, err)
			}
			rules := manifests.Rules(rbac.Account{Namespace: namespace, Name: "worker"})
			worker := &user.DefaultInfo{Name: "system:serviceaccount:" + namespace + ":worker", Groups: []string{
				"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"}}
			for _, verb := range []string{"create", "patch", "get", "delete", "watch"} {
				for _, group := range []string{"", "events.k8s.io"} {
					for _, in := range []string{"", "shop", "bank", "else"} {
						for _, name := range []string{"", "web.1", "web.2"} {
							decision, _, err := server.Authorize(t.Context(), authorizer.AttributesRecord{
								User: worker, Verb: verb, APIGroup: group, APIVersion: "v1", Resource: "events",
								Namespace: in, Name: name, ResourceRequest: true,
							})
							want := decision == authorizer.DecisionAllow
							got := rules.Allow(verb, group, "events", in, name)
							asked++
							if want {
								allowed++
							}
							if got != want {
								for name, file := range p.files {
									t.Logf("%s %s", name, file.Data)
								}
								t.Fatal(fmt.Sprint("seed ", seed, ": ", worker.Name, " ", verb, " ", group, " events in ", in, " called ", name,
									": allowed ", got, ", the server says ", want), err)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d requests, %d allowed", asked, allowed)
	if allowed == 0 || allowed == asked {
		t.Error("all answers are the same")
	}
}
