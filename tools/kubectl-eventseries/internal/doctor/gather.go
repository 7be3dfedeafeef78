// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/discovery"
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
	// Page is the component's debug page: its port and path, as 8080/debug/events, or a URL. Empty if it has none.
	Page string
	// PageTLS says how the host of a URL is verified. Credentials in it are not used.
	PageTLS rest.TLSClientConfig
}

// gatherer reads facts.
type gatherer struct {
	*Facts
	client  *cluster.Client
	as      kubernetes.Interface // acts as the account of the workload, if there is one
	options Options
	object  *unstructured.Unstructured // the workload, nil without one
	pod     corev1.PodSpec             // of the workload
	labels  labels.Set                 // of its pods
	spaces  []corev1.Namespace         // those in which the component records, but for the terminating
	events  []cluster.Event
}

// errNothing is what a step returns that has nothing to look at.
var errNothing = errors.New("nothing to look at")

// Gather reads what it may read. It is an error if the workload or a namespace is not there.
func Gather(ctx context.Context, c *cluster.Client, o Options) (_ *Facts, err error) {
	g := &gatherer{Facts: &Facts{Namespace: c.Namespace, Unknown: []string{}}, client: c, options: o}
	if err = g.workload(); err != nil {
		return nil, err
	}
	config := rest.CopyConfig(c.Config)
	if g.object != nil {
		config.Impersonate = rest.ImpersonationConfig{UserName: g.Account} // whose groups the server adds
	}
	if g.as, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		check string
		read  func(context.Context) error
	}{
		{"namespace", g.namespaces}, {"api", g.served}, {"environment", g.variables}, {"rbac", g.rights},
		{"admission", g.admission}, {"admission", g.trials}, {"lifetime", g.lifetime}, {"uid", g.references}, {"page", g.page},
	} {
		switch err := step.read(ctx); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case step.check == "namespace" && err != nil:
			return nil, err
		case errors.Is(err, errNothing):
		case err != nil:
			g.unknown(step.check, err)
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
	for _, path := range []string{"spec template ", "spec jobTemplate spec template ", ""} {
		spec, _, _ := unstructured.NestedMap(g.object.Object, strings.Fields(path+"spec")...)
		if spec["containers"] != nil {
			g.labels, _, _ = unstructured.NestedStringMap(g.object.Object, strings.Fields(path+"metadata labels")...)
			err := runtime.DefaultUnstructuredConverter.FromUnstructured(spec, &g.pod)
			g.Account = "system:serviceaccount:" + g.Namespace + ":" + cmp.Or(g.pod.ServiceAccountName, "default")
			return err
		}
	}
	return fmt.Errorf("%s has no containers", g.Workload)
}

// unknown says why a check could not look.
func (g *gatherer) unknown(check string, err error) {
	g.Unknown = append(g.Unknown, fmt.Sprintf("%s: %v", check, err))
	g.Incomplete = true
}

// namespaces finds out where the component records.
func (g *gatherer) namespaces(ctx context.Context) error {
	names := g.options.In
	if len(names) == 0 {
		names = append([]string{g.Namespace}, g.bound(ctx)...)
		if len(g.ClusterRoles) > 0 {
			names = append(names, metav1.NamespaceDefault) // which has the Events about cluster-scoped objects
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		space, err := g.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsForbidden(err) {
			space = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		} else if err != nil {
			return err
		}
		if space.DeletionTimestamp == nil {
			g.spaces = append(g.spaces, *space)
		} else {
			g.Terminating = append(g.Terminating, name) // nothing else matters there
		}
	}
	return nil
}

// bound lists the namespaces in which something was granted to the account, and finds its ClusterRoles that say that it
// works in all of them.
func (g *gatherer) bound(ctx context.Context) (names []string) {
	if g.object == nil {
		return nil
	}
	mine := func(s rbacv1.Subject) bool {
		return s.Kind == rbacv1.ServiceAccountKind && "system:serviceaccount:"+s.Namespace+":"+s.Name == g.Account
	}
	const others = "cannot find out in which namespaces the component records: %w; --in names them"
	roles, err := g.client.RbacV1().RoleBindings("").List(ctx, metav1.ListOptions{})
	if err != nil {
		g.unknown("rbac", fmt.Errorf(others, err))
		return nil
	}
	for _, r := range roles.Items {
		if slices.ContainsFunc(r.Subjects, mine) {
			names = append(names, r.Namespace)
		}
	}
	clusterRoles, err := g.client.RbacV1().ClusterRoleBindings().List(ctx, metav1.ListOptions{})
	if err != nil {
		g.unknown("rbac", fmt.Errorf(others, err))
		return names
	}
	for _, r := range clusterRoles.Items {
		if slices.ContainsFunc(r.Subjects, mine) {
			g.ClusterRoles = append(g.ClusterRoles, r.RoleRef.Name)
		}
	}
	slices.Sort(g.ClusterRoles)
	g.ClusterRoles = slices.DeleteFunc(slices.Compact(g.ClusterRoles), func(name string) bool {
		role, err := g.client.RbacV1().ClusterRoles().Get(ctx, name, metav1.GetOptions{})
		return err == nil && onlyReviews(role) // one that cannot be read may be for objects
	})
	return names
}

// onlyReviews reports whether a role lets a component do no more than authenticate and authorize its own clients, as
// system:auth-delegator does. Each component whose metrics are protected has one, and it says nothing of where the
// component records.
func onlyReviews(role *rbacv1.ClusterRole) bool {
	groups := []string{authenticationv1.GroupName, authorizationv1.GroupName}
	resources := []string{"tokenreviews", "subjectaccessreviews"}
	return !slices.ContainsFunc(role.Rules, func(r rbacv1.PolicyRule) bool {
		return slices.ContainsFunc(r.APIGroups, func(group string) bool { return !slices.Contains(groups, group) }) ||
			slices.ContainsFunc(r.Resources, func(resource string) bool { return !slices.Contains(resources, resource) })
	})
}

func (g *gatherer) served(ctx context.Context) error {
	support, err := discovery.NewProber(g.client).Probe(ctx)
	g.NotServed = support == discovery.NotServed
	return err
}

// variables reads those of the SDK. Secrets are left alone.
func (g *gatherer) variables(ctx context.Context) error {
	if g.object == nil {
		return errNothing
	}
	for _, c := range g.pod.Containers {
		set := map[string]Variable{} // what comes later replaces what was before
		for _, from := range c.EnvFrom {
			if from.ConfigMapRef == nil {
				g.Unknown = append(g.Unknown, "environment: a Secret of container "+c.Name)
				continue
			}
			for key, value := range g.configMap(ctx, from.ConfigMapRef.Name) {
				set[from.Prefix+key] = Variable{c.Name, from.Prefix + key, value, from.ConfigMapRef.Name, key}
			}
		}
		for _, v := range c.Env {
			if from := v.ValueFrom; from != nil && from.ConfigMapKeyRef != nil {
				v.Value = g.configMap(ctx, from.ConfigMapKeyRef.Name)[from.ConfigMapKeyRef.Key]
			}
			set[v.Name] = Variable{Container: c.Name, Name: v.Name, Value: v.Value}
		}
		for _, name := range slices.Sorted(maps.Keys(set)) {
			if strings.HasPrefix(name, "EVENTSERIES_") && set[name].Value != "" {
				g.Variables = append(g.Variables, set[name])
			}
		}
	}
	return nil
}

// configMap returns what is in one. One that is not there may be optional.
func (g *gatherer) configMap(ctx context.Context, name string) map[string]string {
	c, err := g.client.CoreV1().ConfigMaps(g.Namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		g.Unknown = append(g.Unknown, "environment: "+err.Error())
	}
	return c.Data
}

// rights asks what the account may do.
func (g *gatherer) rights(ctx context.Context) error {
	if g.object == nil {
		return errNothing
	}
	var names []string
	for _, space := range g.spaces {
		names = append(names, space.Name)
	}
	if len(g.ClusterRoles) > 0 {
		names = []string{metav1.NamespaceAll} // where it works, and a remedy in one namespace would not be enough
	}
	prober := discovery.NewProber(g.as)
	for _, name := range names {
		access, err := prober.Access(ctx, name)
		if err != nil {
			return err
		}
		r := Right{Access: access}
		if access.EventsV1 != discovery.Allowed {
			if r.V1Missing, err = g.missing(ctx, name, eventsv1.GroupName); err != nil {
				return err
			}
		}
		if access.CoreV1 != discovery.Allowed {
			if r.CoreMissing, err = g.missing(ctx, name, corev1.GroupName); err != nil {
				return err
			}
		}
		g.Rights = append(g.Rights, r)
	}
	g.Namespaces = names
	return nil
}

// missing returns the verbs that the account may not, of those that recording Events takes.
func (g *gatherer) missing(ctx context.Context, namespace, group string) (verbs []string, err error) {
	for _, verb := range []string{"create", "patch"} {
		review := &authorizationv1.SelfSubjectAccessReview{}
		review.Spec.ResourceAttributes = &authorizationv1.ResourceAttributes{
			Namespace: namespace, Verb: verb, Group: group, Version: "v1", Resource: "events",
		}
		answer, err := g.as.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return nil, err
		}
		if !answer.Status.Allowed {
			verbs = append(verbs, verb)
		}
	}
	return verbs, nil
}

// admission lists the webhooks and policies that are asked about Events.
func (g *gatherer) admission(ctx context.Context) error {
	client := g.client.AdmissionregistrationV1()
	for _, kind := range []string{"validatingwebhookconfiguration", "mutatingwebhookconfiguration"} {
		var list admissionv1.ValidatingWebhookConfigurationList // a mutating one has one field more
		result := client.RESTClient().Get().Resource(kind+"s").SetHeader("Accept", "application/json").Do(ctx)
		raw, _ := result.Raw()
		if err := errors.Join(result.Error(), json.Unmarshal(raw, &list)); err != nil {
			return err
		}
		for _, c := range list.Items {
			for i, w := range c.Webhooks {
				conditions := fmt.Sprintf("/webhooks/%d/matchConditions", i)
				a := Admission{Resource: kind, Object: c.Name, Name: w.Name, Conditions: conditions}
				g.asked(a, w.Rules, w.NamespaceSelector, w.MatchConditions)
			}
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
	for _, space := range g.spaces {
		err := g.try(ctx, space.Name)
		if err == nil {
			continue
		}
		has := func(words string) bool { return strings.Contains(err.Error(), words) }
		err = fmt.Errorf("a dry run in namespace %s answers: %w", space.Name, err)
		switch forbidden := has("cannot create resource"); {
		case forbidden && g.object != nil: // which is a finding of rbac
		case forbidden, has("cannot impersonate"), has("does not support dry run"):
			return err // it is not known what the server would do
		default:
			g.Refusal = err.Error()
		}
	}
	return nil
}

func (g *gatherer) try(ctx context.Context, namespace string) (err error) {
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
		_, err = g.as.CoreV1().Events(namespace).Create(ctx, eventconv.ToCore(event), opts)
	} else {
		_, err = g.as.EventsV1().Events(namespace).Create(ctx, event, opts)
	}
	return err
}

// lifetime reads the Events of the namespaces in which the component records, and which of them have gone.
func (g *gatherer) lifetime(ctx context.Context) error {
	var errs []error
	for _, space := range g.spaces {
		events, err := g.client.List(ctx, &cluster.Query{Namespace: space.Name})
		if err != nil {
			errs = append(errs, fmt.Errorf("namespace %s: %w", space.Name, err))
			continue
		}
		g.events = append(g.events, events...)
		gone, err := g.client.Gone(ctx, space.Name, events)
		if err != nil {
			errs = append(errs, fmt.Errorf("namespace %s: %w", space.Name, err))
		}
		for _, e := range events {
			g.Oldest = max(g.Oldest, time.Since(e.Written))
		}
		for _, e := range gone {
			g.Expired = append(g.Expired, time.Since(e.Written))
		}
	}
	return errors.Join(errs...)
}

// references looks for Events that kubectl describe does not show, because the reference to their object has no UID or
// no kind. The Events of a workload have the names of its Pods as instance.
func (g *gatherer) references(context.Context) error {
	_, name, _ := strings.Cut(g.Workload, "/")
	for i := range g.events {
		r := g.events[i].Regarding
		about := corev1.ObjectReference{Kind: r.Kind, Namespace: g.events[i].Namespace, Name: r.Name}
		if (r.UID == "" || r.Kind == "") && strings.Contains(g.events[i].Instance, name) &&
			!slices.Contains(g.Unlinked, about) {
			g.Unlinked = append(g.Unlinked, about)
		}
	}
	return nil
}

// page reads the component's debug page, through the API server's proxy to its pods or at a URL.
func (g *gatherer) page(ctx context.Context) error {
	port, path, _ := strings.Cut(g.options.Page, "/")
	switch {
	case port == "":
		return errNothing
	case strings.HasSuffix(port, ":"): // http:
		return g.pageAt(ctx, g.options.Page+"?format=json")
	case len(g.labels) == 0:
		return errors.New("without a workload whose Pods have labels, the page needs a URL")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	client := g.client.CoreV1().Pods(g.Namespace)
	pods, err := client.List(ctx, metav1.ListOptions{LabelSelector: g.labels.String()})
	for i := range pods.Items {
		name := pods.Items[i].Name
		raw, failed := client.ProxyGet("", name, port, path, map[string]string{"format": "json"}).DoRaw(ctx)
		if failed == nil {
			failed = g.shown(raw, fmt.Sprintf("kubectl get --raw /api/v1/namespaces/%s/pods/%s:%s/proxy/%s", g.Namespace, name, port, path))
		}
		err = errors.Join(err, failed)
	}
	if g.Page != nil {
		return nil
	}
	return cmp.Or(err, errors.New("the workload has no Pods"))
}

// pageAt reads the page at a URL, whose host may be anybody's. So it gets neither the token nor the client certificate
// with which the user reads from the API server.
func (g *gatherer) pageAt(ctx context.Context, address string) error {
	verified := rest.TLSClientConfig{
		Insecure:   g.options.PageTLS.Insecure,
		ServerName: g.options.PageTLS.ServerName,
		CAFile:     g.options.PageTLS.CAFile,
	}
	config, err := rest.TLSConfigFor(&rest.Config{TLSClientConfig: verified})
	if err != nil {
		return err
	}
	transport := &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		TLSClientConfig:   config,
		ForceAttemptHTTP2: true,
	}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, response.Status)
	}
	raw, err := io.ReadAll(response.Body)
	command := "curl -s"
	switch {
	case verified.Insecure:
		command += " -k"
	case verified.CAFile != "":
		command += " --cacert '" + verified.CAFile + "'"
	}
	return errors.Join(err, g.shown(raw, command+" '"+address+"'"))
}

// shown takes the page on which most was recorded: a component that is no leader records nothing.
func (g *gatherer) shown(raw []byte, command string) error {
	p := &Page{Command: command}
	err := json.Unmarshal(raw, p)
	if err == nil && (g.Page == nil || p.Stats.Observed > g.Page.Stats.Observed) {
		g.Page = p
	}
	return err
}
