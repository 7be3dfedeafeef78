// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"net/http"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// RejectEvents makes API Priority and Fairness reject all of User's requests about Events:
// at once or, with a queue, when it is full or they have waited too long. It returns
// when the server does so.
func (e *Env) RejectEvents(queue *flowcontrolv1.QueuingConfiguration) {
	e.t.Helper()
	e.limitEvents(0, queue)
	e.awaitRejected(true)
}

// ShareOut gives User's requests about Events a priority level of their own with so many shares of the server's seats.
// Requests beyond are rejected. It returns when the server does so.
func (e *Env) ShareOut(shares int32) {
	e.t.Helper()
	schema := e.limitEvents(shares, nil)
	url := e.Config.Host + "/apis/events.k8s.io/v1/namespaces/" + e.Namespace + "/events"
	e.Await("the priority level to be in use", func() bool {
		req, err := http.NewRequestWithContext(e.t.Context(), http.MethodGet, url, http.NoBody)
		e.must(err)
		answer, err := (&http.Client{Transport: e.Wire}).Do(req)
		e.must(err)
		e.must(answer.Body.Close())
		return answer.Header.Get(flowcontrolv1.ResponseHeaderMatchedFlowSchemaUID) == string(schema.UID)
	})
}

// limitEvents makes a priority level for User's requests about Events, and returns its flow schema.
func (e *Env) limitEvents(shares int32, queue *flowcontrolv1.QueuingConfiguration) *flowcontrolv1.FlowSchema {
	e.t.Helper()
	response := flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject}
	if queue != nil {
		response = flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeQueue, Queuing: queue}
	}
	meta := metav1.ObjectMeta{Name: e.User}
	fairness := e.Admin.FlowcontrolV1()
	_, err := fairness.PriorityLevelConfigurations().Create(e.t.Context(), &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: meta,
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
			Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: ptr.To(shares),
				BorrowingLimitPercent:    ptr.To[int32](0),
				LimitResponse:            response,
			},
		},
	}, metav1.CreateOptions{})
	e.must(err)
	schema, err := fairness.FlowSchemas().Create(e.t.Context(), &flowcontrolv1.FlowSchema{
		ObjectMeta: meta,
		Spec: flowcontrolv1.FlowSchemaSpec{
			PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: e.User},
			MatchingPrecedence:         2, // before all others but the exempt
			Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
				Subjects: []flowcontrolv1.Subject{{
					Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: e.User},
				}},
				ResourceRules: []flowcontrolv1.ResourcePolicyRule{{
					Verbs: []string{"*"}, APIGroups: []string{EventsV1, CoreV1}, Resources: []string{"events"},
					Namespaces: []string{"*"},
				}},
			}},
		},
	}, metav1.CreateOptions{})
	e.must(err)
	return schema
}

// StopRejecting ends RejectEvents, and returns when the server lets User pass.
func (e *Env) StopRejecting() {
	e.t.Helper()
	fairness := e.Admin.FlowcontrolV1()
	e.must(fairness.FlowSchemas().Delete(e.t.Context(), e.User, metav1.DeleteOptions{}))
	e.must(fairness.PriorityLevelConfigurations().Delete(e.t.Context(), e.User, metav1.DeleteOptions{}))
	e.awaitRejected(false)
}

// awaitRejected sends a request of User that RBAC refuses, because fairness comes before
// RBAC.
func (e *Env) awaitRejected(rejected bool) {
	e.t.Helper()
	e.Await("fairness to change", func() bool {
		err := e.Client.EventsV1().RESTClient().Get().
			Namespace(e.Namespace).Resource("events").MaxRetries(0).Do(e.t.Context()).Error()
		return apierrors.IsTooManyRequests(err) == rejected
	})
}
