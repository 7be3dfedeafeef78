// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/eventseries/eventseries/discovery"
)

var update = flag.Bool("update", false, "rewrite the golden file")

var good = discovery.Access{
	Namespace: "my-system", User: "system:serviceaccount:my-system:my-controller", EventsV1: discovery.Allowed, CoreV1: discovery.Allowed,
}

// healthy are facts without a finding.
func healthy() *Facts {
	f := &Facts{
		Namespace: "my-system", Workload: "deployment/my-controller",
		Account:   "system:serviceaccount:my-system:my-controller",
		Rights:    []Right{{Access: good}},
		Variables: []Variable{{Container: "manager", Name: "EVENTSERIES_API", Value: "v1"}},
		Admission: []Admission{{Resource: "validatingwebhookconfiguration", Object: "all", Name: "all.example.com"}},
		Oldest:    60 * time.Minute, Expired: []time.Duration{61 * time.Minute, time.Minute}, // one was deleted
		Page: &Page{Time: time.Unix(10000, 0)},
	}
	f.Page.Stats.Observed = 10
	return f
}

// TestChecks breaks one thing at a time. The golden file has what users read.
func TestChecks(t *testing.T) {
	refusal := `a dry run in namespace my-system answers: admission webhook "deny.example.com" denied the request: no`
	hook := Admission{
		Resource: "validatingwebhookconfiguration", Object: "deny", Name: "deny.example.com", Conditions: "/webhooks/0/matchConditions",
		Explicit: true,
	}
	policy := Admission{
		Resource: "validatingadmissionpolicy", Object: "deny", Name: "deny", Conditions: "/spec/matchConditions", Conditional: true,
		Explicit: true,
	}
	api := func(value string) func(*Facts) {
		return func(f *Facts) { f.Variables[0].Value = value }
	}
	noV1 := func(f *Facts) {
		f.Rights[0].EventsV1, f.Rights[0].V1Missing = discovery.Denied, []string{"create", "patch"}
	}
	noCore := func(f *Facts) {
		f.Rights[0].CoreV1, f.Rights[0].CoreMissing = discovery.Denied, []string{"create", "patch"}
	}
	noPatch := func(f *Facts) {
		f.Rights[0].EventsV1, f.Rights[0].V1Missing = discovery.Denied, []string{"patch"}
	}
	operator := func(f *Facts) { // RBAC cannot deny in all namespaces at once, so a no is not known for sure
		f.Rights[0].Namespace, f.ClusterRoles = "", []string{"manager"}
		f.Rights[0].EventsV1, f.Rights[0].CoreV1 = discovery.PermissionUnknown, discovery.PermissionUnknown
	}
	all := func(changes ...func(*Facts)) func(*Facts) {
		return func(f *Facts) {
			for _, change := range changes {
				change(f)
			}
		}
	}
	notServed := func(f *Facts) { f.NotServed = true }
	var golden strings.Builder
	for _, test := range []struct {
		name   string
		change func(*Facts)
		want   string // the checks that find something
	}{
		{"healthy", func(*Facts) {}, ""},
		{"not served", all(notServed, api("auto")), "api"},
		{"not served, and nothing else meant", all(notServed, api("v1")), "api"},
		{"not served, not meant", all(notServed, api("core")), "environment"},
		{"not served, core/v1 not allowed", all(notServed, api("auto"), noCore), "api rbac"},
		{"old API", api("core"), "environment"},
		{"old API, not allowed", all(api("legacy"), noCore), "environment rbac"},
		{"invalid API", api("V1"), "environment"},
		{"selector", func(f *Facts) {
			f.Variables[0] = Variable{Container: "manager", Name: "EVENTSERIES_SELECTOR", Value: "type=Warning"}
		}, "environment"},
		{"of a ConfigMap", func(f *Facts) {
			f.Variables[0] = Variable{"manager", "EVENTSERIES_API", "core", "settings", "API"}
		}, "environment"},
		{"unknown variable", func(f *Facts) { f.Variables[0].Name = "EVENTSERIES_SELEKTOR" }, "environment"},
		{"not the new API", all(api("auto"), noV1), "rbac"},
		{"not the only API that is meant", noV1, "rbac"},
		{"no rights", all(api("auto"), noV1, noCore), "rbac"},
		{"core/v1 not needed", noCore, ""},
		{"only patch is missing", all(api("auto"), noPatch), "rbac"},
		{"an operator", func(f *Facts) { f.Rights[0].Namespace, f.ClusterRoles = "", []string{"manager"} }, ""},
		{"an operator that may record in some namespaces only", all(api("auto"), noV1, noCore, operator), "rbac"},
		{"terminating", func(f *Facts) { f.Terminating = []string{"my-system"} }, "namespace"},
		{"webhook denies", func(f *Facts) { f.Admission, f.Refusal = []Admission{hook}, refusal }, "admission"},
		{"webhook might", func(f *Facts) { f.Admission = []Admission{hook} }, "admission"},
		{"policy is not tried", func(f *Facts) { f.Admission = []Admission{policy} }, "admission"},
		{"something else denies", func(f *Facts) { f.Refusal = "a dry run in namespace my-system answers: no space left" }, "admission"},
		{"short TTL", func(f *Facts) {
			f.Oldest, f.Expired = 4*time.Minute, []time.Duration{7 * time.Minute, 5 * time.Minute, time.Second}
		}, "lifetime"},
		{"no UID", func(f *Facts) {
			f.Unlinked = []corev1.ObjectReference{
				{Kind: "Pod", Namespace: "shop", Name: "web"},
				{Kind: "Pod", Namespace: "shop", Name: "web-2"},
			}
		}, "uid"},
		{"no kind of one object", func(f *Facts) {
			f.Unlinked = []corev1.ObjectReference{{Namespace: "shop", Name: "web"}}
		}, "uid"},
		{"page: nothing recorded", func(f *Facts) { f.Page.Stats.Observed = 0 }, "page"},
		{"page: not started", func(f *Facts) { f.Page.Stats.Pending = 10 }, "page"},
		{"page: refused", func(f *Facts) {
			f.Page.RefusedIn, f.Page.Command = 2, "curl -s 'http://localhost:8080/debug/events?format=json'"
			f.Page.Stats.Pending, f.Page.Stats.OldestPending = 3, f.Page.Time.Add(-50*time.Minute)
		}, "page page"},
		{"page: one of each", func(f *Facts) {
			f.Page.RefusedIn, f.Page.Command = 1, "curl -s 'http://localhost:8080/debug/events?format=json'"
			f.Page.Stats.Pending, f.Page.Stats.OldestPending = 1, f.Page.Time.Add(-50*time.Minute)
			f.Page.Stats.Dropped = map[string]int64{"Rejected": 1}
		}, "page page page"},
		{"page: dropped", func(f *Facts) {
			f.Page.Stats.Dropped = map[string]int64{"Unselected": 4, "TooOld": 0}
		}, "page"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := healthy()
			test.change(f)
			var names []string
			fmt.Fprintf(&golden, "-- %s --\n", test.name)
			for _, found := range Check(f) {
				names = append(names, found.Check)
				fmt.Fprintf(&golden, "%s: %s\n    %s\n", found.Check, found.Problem, found.Fix)
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("findings %q, want %q", got, test.want)
			}
		})
	}
	const file = "testdata/findings.txt"
	if *update {
		if err := os.WriteFile(file, []byte(golden.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), golden.String()); diff != "" {
		t.Errorf("%s differs; with -update it is rewritten (-want +got):\n%s", file, diff)
	}
}

func rule(group, resource string, operations ...admissionv1.OperationType) admissionv1.RuleWithOperations {
	return admissionv1.RuleWithOperations{
		Operations: operations,
		Rule:       admissionv1.Rule{APIGroups: []string{group}, APIVersions: []string{"v1"}, Resources: []string{resource}},
	}
}

func TestAsked(t *testing.T) {
	clusterScoped := rule("*", "*", "*")
	clusterScoped.Scope = ptr.To(admissionv1.ClusterScope)
	for name, test := range map[string]struct {
		rule              admissionv1.RuleWithOperations
		matches, explicit bool
	}{
		"events":         {rule("events.k8s.io", "events", "CREATE"), true, true},
		"core":           {rule("", "events", "UPDATE"), true, true},
		"all":            {rule("*", "*/*", "*"), true, false},
		"pods":           {rule("", "pods", "*"), false, false},
		"deletions":      {rule("", "events", "DELETE"), false, false},
		"another group":  {rule("example.com", "events", "*"), false, false},
		"cluster-scoped": {clusterScoped, false, false},
	} {
		if matches, explicit := asked([]admissionv1.RuleWithOperations{test.rule}); matches != test.matches || explicit != test.explicit {
			t.Errorf("%s: %v, %v, want %v, %v", name, matches, explicit, test.matches, test.explicit)
		}
	}
}

func TestPolicyDenies(t *testing.T) {
	namespaces := []corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"team": "a"}}}}
	policy := &admissionv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	policy.Spec.MatchConstraints = &admissionv1.MatchResources{
		ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: rule("events.k8s.io", "events", "*")}},
	}
	excluded := &admissionv1.MatchResources{
		ExcludeResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: rule("", "events", "*")}},
	}
	other := &admissionv1.MatchResources{NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"team": "b"}}}
	for name, test := range map[string]struct {
		spec admissionv1.ValidatingAdmissionPolicyBindingSpec
		want bool
	}{
		"denies":            {admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "p", ValidationActions: []admissionv1.ValidationAction{"Audit", "Deny"}}, true},
		"audits":            {admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "p", ValidationActions: []admissionv1.ValidationAction{"Audit"}}, false},
		"another policy":    {admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "q", ValidationActions: []admissionv1.ValidationAction{"Deny"}}, false},
		"another namespace": {admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "p", ValidationActions: []admissionv1.ValidationAction{"Deny"}, MatchResources: other}, false},
		"not Events":        {admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "p", ValidationActions: []admissionv1.ValidationAction{"Deny"}, MatchResources: excluded}, false},
	} {
		bindings := []admissionv1.ValidatingAdmissionPolicyBinding{{Spec: test.spec}}
		if got := denies(policy, bindings, namespaces); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
