// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// The components.
const (
	Kubelet   = "kubelet"
	Manager   = "kube-controller-manager"
	Scheduler = "kube-scheduler"
)

// Write is a request that creates or changes an Event.
type Write struct {
	Component, Reason string
	Status            int
}

// auditLine is what is needed of a line of the audit log.
type auditLine struct {
	User           struct{ Username string }
	ObjectRef      struct{ Namespace, Name string }
	ResponseStatus struct{ Code int }
	RequestObject  struct{ Reason string }
	ResponseObject struct {
		Reason   string
		Metadata struct{ Name string }
	}
}

// Writes returns the writes of the components in an audit log.
func Writes(log io.Reader) (all []Write, err error) {
	reasons := map[string]string{} // by namespace and name, for patches that are refused
	for lines := json.NewDecoder(log); ; {
		var line auditLine
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		write := Write{Component: componentOfUser(line.User.Username), Status: line.ResponseStatus.Code}
		if write.Status < 400 {
			write.Reason = line.ResponseObject.Reason
			reasons[line.ObjectRef.Namespace+"/"+line.ResponseObject.Metadata.Name] = write.Reason
		} else if write.Reason = line.RequestObject.Reason; write.Reason == "" {
			write.Reason = reasons[line.ObjectRef.Namespace+"/"+line.ObjectRef.Name]
		}
		if write.Component != "" {
			all = append(all, write)
		}
	}
}

// componentOfUser returns the component that a user is the identity of, "" for kube-apiserver. Each controller has a service
// account.
func componentOfUser(user string) string {
	switch {
	case strings.HasPrefix(user, "system:node:"):
		return Kubelet
	case user == "system:kube-scheduler":
		return Scheduler
	case user == "system:kube-controller-manager", strings.HasPrefix(user, "system:serviceaccount:kube-system:"):
		return Manager
	}
	return ""
}
