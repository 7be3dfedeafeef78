// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/eventseries/eventseries/test/e2e/internal/webhook"
)

// Webhook has the API server ask server about every write of an Event in the namespaces, and fail the write if it gets no
// answer for timeout. It returns when the API server asks.
func (e *Env) Webhook(server *webhook.Server, timeout time.Duration, namespaces ...string) {
	e.t.Helper()
	_, err := e.Admin.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(e.t.Context(),
		&admissionv1.ValidatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: e.User},
			Webhooks: []admissionv1.ValidatingWebhook{{
				Name:                    "events.example.com",
				ClientConfig:            admissionv1.WebhookClientConfig{URL: ptr.To(server.URL()), CABundle: server.CA()},
				FailurePolicy:           ptr.To(admissionv1.Fail),
				TimeoutSeconds:          ptr.To(int32(timeout.Seconds())),
				SideEffects:             ptr.To(admissionv1.SideEffectClassNone),
				AdmissionReviewVersions: []string{"v1"},
				Rules: []admissionv1.RuleWithOperations{{
					Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
					Rule: admissionv1.Rule{
						APIGroups: []string{EventsV1, CoreV1}, APIVersions: []string{"v1"}, Resources: []string{"events"},
					},
				}},
				NamespaceSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
					Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpIn, Values: namespaces,
				}}},
			}},
		}, metav1.CreateOptions{})
	e.must(err)
	e.Await("the webhook to be asked", func() bool {
		before := server.Asked()
		_ = e.dryRun(namespaces[0])
		return server.Asked() > before
	})
}

// RemoveWebhook ends Webhook, and returns when the API server no longer asks about writes in namespace.
func (e *Env) RemoveWebhook(namespace string) {
	e.t.Helper()
	e.must(e.Admin.AdmissionregistrationV1().ValidatingWebhookConfigurations().
		Delete(e.t.Context(), e.User, metav1.DeleteOptions{}))
	e.Await("the webhook to be forgotten", func() bool { return e.dryRun(namespace) == nil })
}

// dryRun asks whether an Event would be stored now, which a webhook that hangs does not answer.
func (e *Env) dryRun(namespace string) error {
	ctx, cancel := context.WithTimeout(e.t.Context(), time.Second)
	defer cancel()
	_, err := e.Admin.EventsV1().Events(namespace).
		Create(ctx, NewEvent(namespace, "dry-run"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// NewEvent returns an Event that is valid, about an object that is not there.
func NewEvent(namespace, name string) *eventsv1.Event {
	event := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		EventTime:  metav1.NowMicro(), ReportingController: "example.com/harness", ReportingInstance: "harness-0",
		Type: "Normal", Reason: "Tried", Action: "Try",
	}
	event.Regarding.Namespace, event.Regarding.Name, event.Regarding.Kind = namespace, "none", "Pod"
	return event
}
