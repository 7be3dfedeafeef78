// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/cluster"
)

// Options say what to look at.
type Options struct {
	// Args name the workload, as TYPE/NAME or TYPE NAME.
	Args []string
	// In are the namespaces in which the component records. Without, they are its own and those in which a role is bound to
	// its service account.
	In []string
	// Page is the URL of the component's debug page, if it can be reached.
	Page string
}

// gatherer reads facts.
type gatherer struct {
	*Facts
	client  *cluster.Client
	options Options
	object  *unstructured.Unstructured // the workload, nil without one
	pod     corev1.PodSpec             // of the workload
	spaces  []corev1.Namespace         // those in which the component records
	events  []cluster.Event
}

// errNothing is what a step returns that has nothing to look at.
var errNothing = errors.New("nothing to look at")

// Gather reads what it may read. It is an error if the workload or a namespace is not there.
func Gather(ctx context.Context, c *cluster.Client, o Options) (*Facts, error) {
	g := &gatherer{Facts: &Facts{Namespace: c.Namespace, Unknown: []string{}}, client: c, options: o}
	if err := g.workload(); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		check string
		read  func(context.Context) error
	}{
		{"namespace", g.namespaces}, {"api", g.served}, {"environment", g.variables}, {"rbac", g.rights},
		{"admission", g.admission}, {"admission", g.trials}, {"lifetime", g.lifetime}, {"uid", g.uids}, {"page", g.page},
	} {
		switch err := step.read(ctx); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case step.check == "namespace" && err != nil:
			return nil, err
		case errors.Is(err, errNothing):
		case err != nil:
			g.Unknown = append(g.Unknown, fmt.Sprintf("%s: %v", step.check, err))
		case !slices.Contains(g.Known, step.check):
			g.Known = append(g.Known, step.check)
		}
	}
	return g.Facts, nil
}

func (g *gatherer) workload() error {
	if len(g.options.Args) == 0 {
		return nil
	}
	objects, found, err := g.client.Objects(g.options.Args)
	if err != nil {
		return err
	}
	if len(found) != 1 || found[0] == nil {
		return fmt.Errorf("%s is no workload that can be read in namespace %s", strings.Join(g.options.Args, " "), g.Namespace)
	}
	g.object = found[0]
	g.Namespace, g.Workload = objects[0].Namespace, strings.ToLower(objects[0].Kind)+"/"+objects[0].Name
	for _, path := range []string{"spec template spec", "spec jobTemplate spec template spec", "spec"} {
		spec, _, _ := unstructured.NestedMap(g.object.Object, strings.Fields(path)...)
		if spec["containers"] != nil {
			err := runtime.DefaultUnstructuredConverter.FromUnstructured(spec, &g.pod)
			g.Account = "system:serviceaccount:" + g.Namespace + ":" + cmp.Or(g.pod.ServiceAccountName, "default")
			return err
		}
	}
	return fmt.Errorf("%s has no containers", g.Workload)
}

// namespaces finds out where the component records.
func (g *gatherer) namespaces(ctx context.Context) error {
	names := g.options.In
	if len(names) == 0 {
		names = append([]string{g.Namespace}, g.bound(ctx)...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		space, err := g.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsForbidden(err) {
			space = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		} else if err != nil {
			return err
		}
		g.spaces = append(g.spaces, *space)
		if space.DeletionTimestamp != nil {
			g.Terminating = append(g.Terminating, name)
		}
	}
	return nil
}

// bound lists the namespaces in which something was granted to the account. What may not be read is left out.
func (g *gatherer) bound(ctx context.Context) (names []string) {
	is := func(s rbacv1.Subject) bool {
		account := s.Name
		if s.Kind == rbacv1.ServiceAccountKind {
			account = "system:serviceaccount:" + s.Namespace + ":" + s.Name
		}
		return account == g.Account
	}
	if roles, err := g.client.RbacV1().RoleBindings("").List(ctx, metav1.ListOptions{}); err == nil {
		for _, r := range roles.Items {
			if slices.ContainsFunc(r.Subjects, is) {
				names = append(names, r.Namespace)
			}
		}
	}
	return names
}

func (g *gatherer) served(context.Context) error {
	_, err := g.client.Discovery().ServerResourcesForGroupVersion(eventsv1.SchemeGroupVersion.String())
	if apierrors.IsNotFound(err) {
		g.NotServed, err = true, nil
	}
	return err
}

// variables reads those of the SDK, but for what comes from a ConfigMap.
func (g *gatherer) variables(context.Context) error {
	if g.object == nil {
		return errNothing
	}
	for _, c := range g.pod.Containers {
		for _, v := range c.Env {
			if strings.HasPrefix(v.Name, "EVENTSERIES_") && v.ValueFrom == nil {
				g.Variables = append(g.Variables, Variable{c.Name, v.Name, v.Value})
			}
		}
	}
	return nil
}

// rights asks what the account may do.
func (g *gatherer) rights(ctx context.Context) error {
	if g.object == nil {
		return errNothing
	}
	for _, space := range g.spaces {
		r, err := g.rightsIn(ctx, space.Name)
		if err != nil {
			return err
		}
		if space.DeletionTimestamp == nil { // else nothing helps
			g.Rights = append(g.Rights, r)
		}
	}
	return nil
}

// groups are those of the account.
func (g *gatherer) groups() []string {
	return []string{"system:serviceaccounts", "system:serviceaccounts:" + g.Namespace, "system:authenticated"}
}

func (g *gatherer) rightsIn(ctx context.Context, namespace string) (r Rights, err error) {
	may := func(group, verb string) bool {
		attributes := &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: verb, Group: group, Resource: "events"}
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: g.Account, Groups: g.groups(), ResourceAttributes: attributes,
		}}
		answer, failed := g.client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		err = errors.Join(err, failed)
		return failed == nil && answer.Status.Allowed
	}
	r.Namespace = namespace
	r.V1 = Verbs{Create: may(eventsv1.GroupName, "create"), Patch: may(eventsv1.GroupName, "patch")}
	r.Core = Verbs{Create: may(corev1.GroupName, "create"), Patch: may(corev1.GroupName, "patch")}
	return r, err
}

// admission lists the webhooks and policies that are asked about Events.
func (g *gatherer) admission(ctx context.Context) error {
	client := g.client.AdmissionregistrationV1()
	validating, err := client.ValidatingWebhookConfigurations().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, c := range validating.Items {
		for i, w := range c.Webhooks {
			a := Admission{Resource: "validatingwebhookconfiguration", Object: c.Name, Name: w.Name, Conditions: conditionsOf(i)}
			g.asked(a, w.Rules, w.NamespaceSelector, w.MatchConditions)
		}
	}
	mutating, err := client.MutatingWebhookConfigurations().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, c := range mutating.Items {
		for i, w := range c.Webhooks {
			a := Admission{Resource: "mutatingwebhookconfiguration", Object: c.Name, Name: w.Name, Conditions: conditionsOf(i)}
			g.asked(a, w.Rules, w.NamespaceSelector, w.MatchConditions)
		}
	}
	bindings, err := client.ValidatingAdmissionPolicyBindings().List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) { // before Kubernetes 1.30
		return nil
	} else if err != nil {
		return err
	}
	policies, err := client.ValidatingAdmissionPolicies().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range policies.Items {
		if p := &policies.Items[i]; denies(p, bindings.Items, g.spaces) {
			a := Admission{Resource: "validatingadmissionpolicy", Object: p.Name, Name: p.Name, Conditions: "/spec/matchConditions"}
			g.asked(a, named(p.Spec.MatchConstraints.ResourceRules), nil, p.Spec.MatchConditions)
		}
	}
	return nil
}

func conditionsOf(webhook int) string { return fmt.Sprintf("/webhooks/%d/matchConditions", webhook) }

func (g *gatherer) asked(a Admission, rules []admissionv1.RuleWithOperations, in *metav1.LabelSelector,
	conditions []admissionv1.MatchCondition,
) {
	var matches bool
	matches, a.Explicit = asked(rules)
	a.Conditional = len(conditions) > 0
	if matches && selects(in, g.spaces) && !excused(conditions) {
		g.Admission = append(g.Admission, a)
	}
}

// trials asks the server to store an Event as the account would, but for storing it. Without a workload it is the user's.
func (g *gatherer) trials(ctx context.Context) error {
	config := rest.CopyConfig(g.client.Config)
	if g.object != nil {
		config.Impersonate = rest.ImpersonationConfig{UserName: g.Account, Groups: g.groups()}
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, space := range g.spaces {
		allowed := slices.ContainsFunc(g.Rights, func(r Rights) bool {
			return r.Namespace == space.Name && g.enough(r)
		})
		if space.DeletionTimestamp != nil || g.object != nil && !allowed {
			continue
		}
		t := Trial{Namespace: space.Name}
		if err := g.try(ctx, client, space.Name); err != nil {
			t.Refusal = err.Error()
		}
		// In these cases it is not known what the server would do.
		for _, words := range []string{"cannot impersonate", "cannot create resource", "does not support dry run"} {
			if strings.Contains(t.Refusal, words) {
				return fmt.Errorf("a dry run of an Event: %s", t.Refusal)
			}
		}
		g.Trials = append(g.Trials, t)
	}
	return nil
}

func (g *gatherer) try(ctx context.Context, client kubernetes.Interface, namespace string) (err error) {
	const reason, controller = "DryRun", "eventseries.dev/kubectl"
	event := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, GenerateName: "kubectl-eventseries-"},
		Regarding:  corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: namespace, Name: "kubectl-eventseries"},
		Type:       corev1.EventTypeNormal, Reason: reason, Action: reason, Note: "a dry run of kubectl eventseries doctor",
		EventTime: metav1.NowMicro(), ReportingController: controller, ReportingInstance: controller,
	}
	opts := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second) // as long as webhooks may take by default
	defer cancel()
	if g.NotServed || g.oldAPI() {
		_, err = client.CoreV1().Events(namespace).Create(ctx, eventconv.ToCore(event), opts)
	} else {
		_, err = client.EventsV1().Events(namespace).Create(ctx, event, opts)
	}
	return err
}

// lifetime reads the Events, and which of them have gone.
func (g *gatherer) lifetime(ctx context.Context) (err error) {
	if g.events, err = g.client.List(ctx, &cluster.Query{Namespace: g.Namespace}); err != nil {
		return err
	}
	gone, err := g.client.Gone(ctx, g.Namespace, g.events)
	for _, e := range g.events {
		g.Lifetime.Oldest = max(g.Lifetime.Oldest, time.Since(e.Written))
	}
	for _, e := range gone {
		g.Lifetime.Expired = append(g.Lifetime.Expired, time.Since(e.Written))
	}
	return err
}

// uids looks for Events without the UID of their object. Those of a workload have the names of its pods as instance.
func (g *gatherer) uids(context.Context) error {
	_, name, _ := strings.Cut(g.Workload, "/")
	for i := range g.events {
		r := &g.events[i].Regarding
		if about := r.Kind + "/" + r.Name; r.UID == "" && strings.Contains(g.events[i].Instance, name) &&
			!slices.Contains(g.NoUID, about) {
			g.NoUID = append(g.NoUID, about)
		}
	}
	return nil
}

// page asks for the component's debug page.
func (g *gatherer) page(context.Context) error {
	if g.options.Page == "" {
		return errNothing
	}
	address, client := g.options.Page+"?format=json", http.Client{Timeout: 10 * time.Second}
	response, err := client.Get(address)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	g.Page = &Page{Command: "curl -s '" + address + "'"}
	return json.NewDecoder(response.Body).Decode(g.Page)
}
