// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	typedcoordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/eventseries/eventseries/internal/usercode"
)

const (
	// leaseTimeout bounds a request about a Lease. A leader that cannot renew its Lease
	// for RenewDeadline, 10 seconds by default, steps down. At half of that one request
	// without an answer is not the end.
	leaseTimeout = 5 * time.Second
	// namespaceFile has the namespace of a pod.
	namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"
)

// LeaderElectionLock returns a lock for client-go's leader election and for
// LeaderElectionResourceLockInterface of controller-runtime's manager.Options. It is a
// LeaseLock whose Events are recorded to recorder, with the reason LeaderElection and the
// action BecomeLeader or StopLeading. A recorder of an [Adapter] needs RBAC for
// events.k8s.io only, while client-go's lock and controller-runtime's need it for core/v1.
// Without a recorder there are no Events.
//
// lease must have a name. Its namespace is by default that of the pod, so it is required
// outside of a cluster. The identity is the host name and a UUID. The lock's fields may be
// changed before it is used, such as Labels, and LockConfig.Identity.
//
// The lock has a client of its own with the configuration, which is copied: its own rate
// limiter, a User-Agent that ends in leader-election, and a timeout of 5 seconds, or the
// configuration's if that is shorter. The timeout is half of the usual RenewDeadline; with
// a shorter RenewDeadline set config.Timeout. LeaderElectionLock does no I/O other than
// reading the pod's namespace.
//
// Recording does not hold up an election. The last Event, that of the end, is recorded
// when everything else has ended. So drain the recorder's broadcaster after
// LeaderElector.Run or Manager.Start has returned, and before the process exits. That of
// [RecorderFor] ends before the election does: it is no recorder for this lock.
func LeaderElectionLock(
	config *rest.Config, recorder clientevents.EventRecorder, lease types.NamespacedName,
) (*resourcelock.LeaseLock, error) {
	return leaderElectionLock(config, recorder, lease, namespaceFile)
}

func leaderElectionLock(
	config *rest.Config, recorder clientevents.EventRecorder, lease types.NamespacedName, namespaceFile string,
) (*resourcelock.LeaseLock, error) {
	switch {
	case config == nil:
		return nil, errNoConfig
	case lease.Name == "":
		return nil, errors.New("adapter: LeaderElectionLock needs the name of the Lease")
	case lease.Namespace == "":
		namespace, err := os.ReadFile(namespaceFile)
		if err != nil {
			return nil, fmt.Errorf("adapter: outside of a pod the Lease needs a namespace: %w", err)
		}
		lease.Namespace = strings.TrimSpace(string(namespace))
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("adapter: LeaderElectionLock has no identity: %w", err)
	}
	client, err := typedcoordinationv1.NewForConfig(leaseConfig(config))
	if err != nil {
		return nil, fmt.Errorf("adapter: cannot make a client for the Lease: %w", err)
	}
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: lease.Namespace, Name: lease.Name},
		Client:     client,
		LockConfig: resourcelock.ResourceLockConfig{Identity: host + "_" + string(uuid.NewUUID())},
	}
	if recorder != nil {
		lock.LockConfig.EventRecorder = electionRecorder{recorder}
	}
	return lock, nil
}

// leaseConfig returns config for the client of a lock.
func leaseConfig(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.UserAgent = cmp.Or(config.UserAgent, rest.DefaultKubernetesUserAgent()) + "/leader-election"
	config.RateLimiter = nil // a renewal must not wait for other requests
	if config.Timeout <= 0 || config.Timeout > leaseTimeout {
		config.Timeout = leaseTimeout
	}
	return config
}

// electionRecorder records what client-go's leader election reports.
type electionRecorder struct{ recorder clientevents.EventRecorder }

// Eventf implements resourcelock.EventRecorder.
func (r electionRecorder) Eventf(lease runtime.Object, eventtype, reason, format string, args ...any) {
	note := usercode.FormatNote(format, args) // client-go 0.35 passes no arguments
	r.recorder.Eventf(lease, nil, eventtype, reason, electionAction(note, reason), "%s", note)
}

// electionAction is the action for a note, whose first word is an identity.
func electionAction(note, reason string) string {
	switch {
	case strings.HasSuffix(note, " became leader"):
		return "BecomeLeader"
	case strings.HasSuffix(note, " stopped leading"):
		return "StopLeading"
	}
	return reason
}
