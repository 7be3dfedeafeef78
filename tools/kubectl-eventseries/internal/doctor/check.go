// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package doctor finds out why Events do not show up: Gather reads Facts from the API server, and Check makes Findings of
// them. Nothing is written: what may be created is asked by access reviews and by a dry run.
package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/plural"
)

// Facts are what the checks look at.
type Facts struct {
	// Namespace and Workload say what was asked about, such as deployment/hello. Without a workload it is empty.
	Namespace, Workload string
	// Account is the user name of the workload's service account.
	Account string
	// NotServed reports that the server does not have events.k8s.io/v1.
	NotServed bool
	Rights    []Right
	// ClusterRoles are bound to the account for the whole cluster, so it may record in any namespace. One for
	// authentication alone, such as system:auth-delegator, is not among them.
	ClusterRoles []string
	// Namespaces are those that were looked at; an empty name stands for all.
	Namespaces  []string
	Variables   []Variable
	Admission   []Admission
	Terminating []string
	// Refusal is the server's answer to a dry run of an Event, empty if it would store it.
	Refusal string
	// Oldest is the time since the last write of the Event that has not been written for longest. Expired are those of
	// Events that have gone a short while ago.
	Oldest  time.Duration
	Expired []time.Duration
	// Unlinked are references of Events that lack the UID or the kind of the object. Each has the kind, if there is one, and
	// the name of the object, and the namespace of the Event.
	Unlinked []corev1.ObjectReference
	Page     *Page
	// Known are the names of the checks whose facts could be read. Unknown says why the others could not.
	Known, Unknown []string
	// Incomplete reports that a check could not look, so that no finding does not mean that all is well.
	Incomplete bool
}

// Right is what the account may do in a namespace, or in all if that is empty.
type Right struct {
	discovery.Access

	// V1Missing and CoreMissing are the verbs that it may not, in each group.
	V1Missing, CoreMissing []string
}

// Variable is an environment variable of a container whose name begins with EVENTSERIES_.
type Variable struct {
	Container, Name, Value string
	// ConfigMap has it, below Key, if all variables of the container come from there; else it is empty.
	ConfigMap, Key string
}

// Admission is a webhook or a policy that is asked about Events.
type Admission struct {
	// Resource and Object are the configuration, as kubectl names it.
	Resource, Object string
	// Name is the webhook's in its configuration, or the policy's.
	Name string
	// Conditions is the path of its match conditions, which exist if Conditional.
	Conditions  string
	Conditional bool
	// Explicit reports that it names events; otherwise it is asked about everything.
	Explicit bool
}

// Page is what is used of the component's debug page.
type Page struct {
	// Command prints the page as JSON.
	Command string `json:"-"`

	Time      time.Time `json:"time"`
	RefusedIn int       `json:"refusedIn"`
	Stats     struct {
		Observed      int64            `json:"observed"`
		Pending       int64            `json:"pending"`
		Creates       int64            `json:"creates"`
		OldestPending time.Time        `json:"oldestPending"`
		Dropped       map[string]int64 `json:"dropped"`
	} `json:"stats"`
}

// Finding is a reason why Events may not show up.
type Finding struct {
	// Check is the name of the check: one of Checks.
	Check string `json:"check"`
	// Problem says what is wrong, and what follows.
	Problem string `json:"problem"`
	// Fix is a command that repairs it, or that shows what to change.
	Fix string `json:"fix"`
}

// Checks are the names of all checks, in the order of their findings.
var Checks = []string{"api", "environment", "rbac", "namespace", "admission", "lifetime", "uid", "page"}

// Check returns what is wrong. It does no I/O.
func Check(f *Facts) []Finding {
	findings := []Finding{} // not nil, for JSON
	for i, check := range []func(*Facts) []Finding{api, environment, rbac, namespace, admission, lifetime, uid, page} {
		for _, found := range check(f) {
			found.Check = Checks[i]
			findings = append(findings, found)
		}
	}
	return findings
}

const docs = "https://github.com/eventseries/eventseries/blob/main/docs/"

// mode is what EVENTSERIES_API says. Anything else than these three is auto, also for the SDK.
func (f *Facts) mode() adapter.Mode {
	for _, v := range f.Variables {
		if v.Name == adapter.Environment {
			return adapter.Mode(v.Value)
		}
	}
	return adapter.ModeAuto
}

// oldAPI reports whether Events go through core/v1, whatever is served and allowed.
func (f *Facts) oldAPI() bool {
	return f.mode() == adapter.ModeCoreV1 || f.mode() == adapter.ModeLegacy
}

func api(f *Facts) []Finding {
	if !f.NotServed || f.oldAPI() {
		return nil
	}
	return []Finding{{
		Problem: "the API server does not serve events.k8s.io/v1; Events go through core/v1, or nowhere with EVENTSERIES_API=v1",
		Fix:     "kube-apiserver --runtime-config=events.k8s.io/v1=true  # kubectl get --raw /apis shows what is served",
	}}
}

func environment(f *Facts) (findings []Finding) {
	for _, v := range f.Variables {
		problem := "is no variable of the SDK, and is ignored"
		switch v.Name {
		case adapter.Environment:
			problem = "is none of auto, v1, core and legacy, and is ignored"
			if f.oldAPI() {
				problem = "pins Events to core/v1, whatever the server has"
			} else if mode := f.mode(); mode == adapter.ModeAuto || mode == adapter.ModeEventsV1 {
				continue
			}
		case adapter.EnvironmentSelector:
			problem = "drops all Events that it does not select"
		}
		fix := fmt.Sprintf("kubectl set env -n %s %s -c %s %s-", f.Namespace, f.Workload, v.Container, v.Name)
		if v.ConfigMap != "" {
			fix = fmt.Sprintf(`kubectl patch configmap -n %s %s --type=json -p '[{"op":"remove","path":"/data/%s"}]'`+
				"  # new Pods read it", f.Namespace, v.ConfigMap, v.Key)
		}
		findings = append(findings, Finding{
			Problem: fmt.Sprintf("%s=%s of container %s %s", v.Name, v.Value, v.Container, problem), Fix: fix,
		})
	}
	return findings
}

// enough reports whether Events can be recorded through the API that is meant.
func (f *Facts) enough(r *Right) bool {
	if f.NotServed || f.oldAPI() {
		return len(r.CoreMissing) == 0
	}
	return len(r.V1Missing) == 0
}

func rbac(f *Facts) (findings []Finding) {
	for i := range f.Rights {
		r := &f.Rights[i]
		if f.enough(r) {
			continue
		}
		verbs, resource, follows := r.V1Missing, "events.events.k8s.io", "its Events go through core/v1 there"
		if f.NotServed || f.oldAPI() {
			verbs, resource = r.CoreMissing, "events of core/v1"
		}
		if len(r.CoreMissing) > 0 || f.mode() == adapter.ModeEventsV1 {
			follows = "its Events are not recorded there"
		}
		where, extend := "namespace "+r.Namespace, ""
		if r.Namespace == metav1.NamespaceAll {
			where = "all namespaces"
			follows += fmt.Sprintf(", unless a Role grants it. The component has roles for the whole cluster, so its objects, and the " +
				"Events about them, may be in any namespace, and Events about cluster-scoped objects are in default; --in names " +
				"the namespaces if it records in some only")
			extend = "  # or add to its ClusterRole, one of " + strings.Join(f.ClusterRoles, ", ") + ": " + roleRule(r)
		}
		findings = append(findings, Finding{
			Problem: fmt.Sprintf("%s may not %s %s in %s; %s", f.Account, strings.Join(verbs, " or "), resource, where, follows),
			Fix:     "echo '" + r.Remedy() + "' | kubectl apply -f -" + extend,
		})
	}
	return findings
}

// roleRule is what a role has to have in which r lacks verbs, as YAML.
func roleRule(r *Right) string {
	var groups []string
	if len(r.V1Missing) > 0 {
		groups = append(groups, "events.k8s.io")
	}
	if len(r.CoreMissing) > 0 {
		groups = append(groups, `""`)
	}
	return "{apiGroups: [" + strings.Join(groups, ", ") + "], resources: [events], verbs: [create, patch]}"
}

func namespace(f *Facts) (findings []Finding) {
	for _, name := range f.Terminating {
		findings = append(findings, Finding{
			Problem: fmt.Sprintf("namespace %s is being deleted; no new Event is stored there", name),
			Fix:     fmt.Sprintf("kubectl get namespace %s -o yaml  # its conditions say what blocks it", name),
		})
	}
	return findings
}

// admission reports what refuses a dry run, and what names events. What everything goes through is no finding by itself.
func admission(f *Facts) (findings []Finding) {
	blamed := false
	for _, a := range f.Admission {
		problem := fmt.Sprintf("%s %s is asked about Events", a.Resource, a.Object)
		if strings.Contains(f.Refusal, `"`+a.Name+`"`) || strings.Contains(f.Refusal, `'`+a.Name+`'`) {
			blamed = true
			problem += "; " + f.Refusal
		} else if !a.Explicit {
			continue
		}
		condition := fmt.Sprintf(`[{"name":"not-events","expression":%q}]`, notEvents)
		if a.Conditional {
			a.Conditions, condition = a.Conditions+"/-", condition[1:len(condition)-1]
		}
		findings = append(findings, Finding{Problem: problem, Fix: fmt.Sprintf(
			`kubectl patch %s %s --type=json -p '[{"op":"add","path":"%s","value":%s}]'`,
			a.Resource, a.Object, a.Conditions, condition)})
	}
	if f.Refusal != "" && !blamed {
		findings = append(findings, Finding{
			Problem: f.Refusal,
			Fix:     "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicies",
		})
	}
	return findings
}

// usualTTL is a bit less than kube-apiserver's default, an hour.
const usualTTL = 55 * time.Minute

// lifetime looks for Events that have expired early. An Event that somebody has deleted is younger than others that are
// there. Events share leases, so some live longer than others.
func lifetime(f *Facts) []Finding {
	ttl := usualTTL
	for _, age := range f.Expired {
		if age+age/10+time.Second >= f.Oldest {
			ttl = min(ttl, age)
		}
	}
	if ttl == usualTTL {
		return nil
	}
	return []Finding{{
		Problem: fmt.Sprintf("an Event was gone %s after its last write, and none is much older; "+
			"either kube-apiserver keeps Events for less than its default of an hour, or somebody deletes them",
			ttl.Round(time.Second)),
		Fix: "kube-apiserver --event-ttl=1h",
	}}
}

func uid(f *Facts) []Finding {
	if len(f.Unlinked) == 0 {
		return nil
	}
	first := f.Unlinked[0]
	return []Finding{{
		Problem: fmt.Sprintf("Events about %s, such as %s in namespace %s, lack the UID or the kind of the object; "+
			"kubectl describe does not show them",
			plural.Of(len(f.Unlinked), "object"), strings.TrimPrefix(first.Kind+"/"+first.Name, "/"), first.Namespace),
		Fix: "kubectl get events -n " + first.Namespace + " --field-selector=involvedObject.name=" + first.Name +
			"  # in the code, pass Eventf the object itself, as it was read from the server",
	}}
}

// page looks at what the component says of itself.
func page(f *Facts) (findings []Finding) {
	p := f.Page
	if p == nil {
		return nil
	}
	add := func(fix, problem string, args ...any) {
		findings = append(findings, Finding{Problem: fmt.Sprintf(problem, args...), Fix: fix})
	}
	logs := "kubectl logs -n " + f.Namespace + " " + cmp.Or(f.Workload, "deployment/NAME") + " | grep advice"
	switch s := &p.Stats; {
	case s.Observed == 0:
		add("# "+docs+"start.md", "the component has recorded nothing; another recorder, or a fake, may be wired in")
	case s.Pending == s.Observed && s.Creates == 0:
		add(logs, "no Event was written for %s; Start was not called, or every write is refused",
			plural.Of(s.Pending, "occurrence"))
	case !s.OldestPending.IsZero() && p.Time.Sub(s.OldestPending) > 40*time.Minute:
		add(logs, "%s pending, the oldest for %s", plural.Of(s.Pending, "occurrence"),
			duration.HumanDuration(p.Time.Sub(s.OldestPending)))
	}
	if p.RefusedIn > 0 {
		add(p.Command+" | jq -r .missingRBAC | kubectl apply -f -", "RBAC refuses the component in %s",
			plural.Of(p.RefusedIn, "namespace"))
	}
	for _, reason := range slices.Sorted(maps.Keys(p.Stats.Dropped)) {
		if n := p.Stats.Dropped[reason]; n > 0 {
			add(logs+"  # "+docs+"operations.md#drop-reasons", "the component dropped %s as %s",
				plural.Of(n, "occurrence"), reason)
		}
	}
	return findings
}

// asked reports whether rules match writes of Events, and whether one of them names events.
func asked(rules []admissionv1.RuleWithOperations) (matches, explicit bool) {
	for _, r := range rules {
		writes := slices.ContainsFunc(r.Operations, func(o admissionv1.OperationType) bool {
			return o == admissionv1.OperationAll || o == admissionv1.Create || o == admissionv1.Update
		})
		has := func(list []string, words ...string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
		}
		names := has(r.Resources, "events")
		if writes && has(r.APIGroups, "*", "", "events.k8s.io") && has(r.APIVersions, "*", "v1") &&
			(names || has(r.Resources, "*", "*/*")) && (r.Scope == nil || *r.Scope != admissionv1.ClusterScope) {
			matches, explicit = true, explicit || names
		}
	}
	return matches, explicit
}

// notEvents is the expression of a match condition that leaves out Events.
const notEvents = `request.resource.resource != "events"`

// excused reports whether match conditions leave out Events, in these words. Others are not understood here.
func excused(conditions []admissionv1.MatchCondition) bool {
	return slices.ContainsFunc(conditions, func(c admissionv1.MatchCondition) bool { return c.Expression == notEvents })
}

// selects reports whether a selector of namespaces selects one of them. Nil and one that cannot be read select all.
func selects(selector *metav1.LabelSelector, namespaces []corev1.Namespace) bool {
	s, err := metav1.LabelSelectorAsSelector(selector)
	return selector == nil || err != nil || slices.ContainsFunc(namespaces, func(n corev1.Namespace) bool { return s.Matches(labels.Set(n.Labels)) })
}

func named(rules []admissionv1.NamedRuleWithOperations) (all []admissionv1.RuleWithOperations) {
	for _, r := range rules {
		all = append(all, r.RuleWithOperations)
	}
	return all
}

// denies reports whether a policy is asked about Events, and a binding has it refuse them.
func denies(p *admissionv1.ValidatingAdmissionPolicy, bindings []admissionv1.ValidatingAdmissionPolicyBinding,
	namespaces []corev1.Namespace,
) bool {
	applies := func(m *admissionv1.MatchResources) bool {
		if m == nil {
			return true
		}
		matches, _ := asked(named(m.ResourceRules))
		excluded, _ := asked(named(m.ExcludeResourceRules))
		return (matches || len(m.ResourceRules) == 0) && !excluded && selects(m.NamespaceSelector, namespaces)
	}
	return p.Spec.MatchConstraints != nil && applies(p.Spec.MatchConstraints) &&
		slices.ContainsFunc(bindings, func(b admissionv1.ValidatingAdmissionPolicyBinding) bool {
			return b.Spec.PolicyName == p.Name && applies(b.Spec.MatchResources) &&
				slices.Contains(b.Spec.ValidationActions, admissionv1.Deny)
		})
}
