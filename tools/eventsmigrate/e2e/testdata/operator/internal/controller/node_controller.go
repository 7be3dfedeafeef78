// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const labelStorage = "ledger.example.com/storage"

// NodeReconciler looks after the nodes that have local volumes of ledgers.
type NodeReconciler struct {
	client.Client
	record.EventRecorder

	// warned has the nodes whose pressure was told.
	warned map[types.UID]bool
}

// +kubebuilder:rbac:groups="",resources=nodes,verbs=get;list;watch

// Reconcile looks at one Node.
func (r *NodeReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if node.Labels[labelStorage] == "" {
		return ctrl.Result{}, nil
	}
	if r.warned == nil {
		r.warned = map[types.UID]bool{}
	}
	pressed := false
	for _, condition := range node.Status.Conditions {
		if condition.Status == corev1.ConditionTrue && isPressure(condition.Type) {
			pressed = true
			if !r.warned[node.UID] {
				r.Eventf(nodeRef(node), corev1.EventTypeWarning, fmt.Sprintf("Storage%s", condition.Type),
					"Volumes are on a node under pressure: %s", condition.Message)
			}
		}
	}
	if !pressed && r.warned[node.UID] {
		r.Event(nodeRef(node), corev1.EventTypeNormal, "StorageRelieved", "The node has recovered")
	}
	r.warned[node.UID] = pressed
	if node.Spec.Unschedulable {
		r.EventRecorder.Event(node, corev1.EventTypeNormal, "StorageCordoned", "No volume is placed on a cordoned node")
	}
	return ctrl.Result{}, nil
}

func isPressure(kind corev1.NodeConditionType) bool {
	return kind == corev1.NodeDiskPressure || kind == corev1.NodeMemoryPressure
}

// nodeRef refers to a node as kubelet does, with the name as UID.
func nodeRef(node *corev1.Node) *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: types.UID(node.Name)}
}

// SetupWithManager registers the controller.
func (r *NodeReconciler) SetupWithManager(mgr ctrl.Manager) error {
	if r.EventRecorder == nil {
		r.EventRecorder = mgr.GetEventRecorderFor("node-controller")
	}
	updates := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectNew.GetLabels()[labelStorage] != ""
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).WithEventFilter(updates).Complete(r)
}
