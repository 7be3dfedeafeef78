// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/account"
)

// fuzzErrors are what FuzzClassify wraps and joins.
func fuzzErrors(code int32, reason, kind, name, cause string, wait int32, message string) []error {
	status := &apierrors.StatusError{ErrStatus: metav1.Status{
		Code: code, Reason: metav1.StatusReason(reason), Message: message,
		Details: &metav1.StatusDetails{
			Kind: kind, Name: name, RetryAfterSeconds: wait,
			Causes: []metav1.StatusCause{{Type: metav1.CauseType(cause)}},
		},
	}}
	bare := &apierrors.StatusError{ErrStatus: metav1.Status{Code: code}}
	return []error{
		status, bare, errors.New(message), syscall.Errno(code), &net.OpError{Op: kind, Err: errors.New(name)},
		&net.DNSError{Err: message, IsTimeout: wait > 0}, &Override{Verdict: missing, Err: status},
		(*apierrors.StatusError)(nil), broken{},
		ErrFiltered, io.EOF, context.DeadlineExceeded, &rest.RequestConstructionError{Err: bare}, nil,
	}
}

func FuzzClassify(f *testing.F) {
	f.Add(int32(404), "NotFound", "events", "web.1", "UnexpectedServerResponse", int32(0), "", uint64(0))
	f.Add(int32(429), "TooManyRequests", "", "", "", int32(1<<31-1), "slow down", uint64(0x2143))
	f.Add(int32(500), "ServerTimeout", "dial", "", "", int32(-1), "rate limiter", uint64(0xFFFF))
	f.Fuzz(func(
		t *testing.T, code int32, reason, kind, name, cause string, wait int32, message string, shape uint64,
	) {
		errs := fuzzErrors(code, reason, kind, name, cause, wait, message)
		var err error
		for ; shape > 0; shape >>= 5 { // each five bits choose an error and how it is wrapped
			next := errs[int(shape>>1)%len(errs)]
			if shape&1 == 0 {
				err = errors.Join(err, next)
			} else if next != nil {
				err = fmt.Errorf("%w, %w", next, err)
			}
		}
		v := Classify(err)
		if v.Action == Skip || v.Action > Drop || v.Gate > Creates {
			t.Errorf("%+v is no verdict", v)
		}
		if (v.Action == Drop) != (v.Reason != account.None) {
			t.Errorf("%+v: a drop has a reason and nothing else does", v)
		}
		if v.Timeout && !v.Unanswered {
			t.Errorf("%+v: a timeout is no answer", v)
		}
		if err == nil && v != settled {
			t.Errorf("%+v without an error", v)
		}
	})
}
