// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/stats"
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
	bare := &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Reason: metav1.StatusReason(reason)}}
	return []error{
		status, bare, errors.New(message), syscall.Errno(code), &net.OpError{Op: kind, Err: errors.New(name)},
		&net.DNSError{Err: message, IsTimeout: wait > 0}, &Override{Verdict: missing, Err: status},
		(*apierrors.StatusError)(nil), broken{}, tls.RecordHeaderError{Msg: message},
		ErrFiltered, io.EOF, context.DeadlineExceeded, &rest.RequestConstructionError{Err: bare}, nil, errNil{},
	}
}

// errNil is a link of a chain that ends there.
type errNil struct{}

func (errNil) Error() string { return "nothing inside" }
func (errNil) Unwrap() error { return nil }

// wrappers each say something around err that means nothing.
var wrappers = []func(err error) error{
	func(err error) error { return fmt.Errorf("writing: %w", err) },
	func(err error) error { return errors.Join(err) },
	func(err error) error { return errors.Join(nil, errors.New("while at it"), err) },
	func(err error) error { return fmt.Errorf("%w: %w", errNil{}, err) },
	func(err error) error { return &url.Error{Op: "Post", URL: "https://192.0.2.1/", Err: err} },
	func(err error) error { return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err} },
}

// tree builds an error: each five bits of shape choose one of errs and how it
// is put around the rest.
func tree(errs []error, shape uint64) (err error) {
	for ; shape > 0; shape >>= 5 {
		next := errs[int(shape>>1)%len(errs)]
		switch {
		case shape&1 == 0:
			err = errors.Join(err, next)
		case next != nil:
			err = fmt.Errorf("%w, %w", next, err)
		case err != nil:
			err = wrappers[int(shape>>1)%len(wrappers)](err)
		}
	}
	return err
}

// FuzzClassify: any tree of errors gets a verdict that the writer can act on, and what is put around it changes
// nothing.
func FuzzClassify(f *testing.F) {
	f.Add(int32(404), "NotFound", "events", "web.1", "UnexpectedServerResponse", int32(0), "", uint64(0))
	f.Add(int32(429), "TooManyRequests", "", "", "", int32(1<<31-1), "slow down", uint64(0x2143))
	f.Add(int32(500), "ServerTimeout", "dial", "", "", int32(-1), "rate limiter", uint64(0xFFFF))
	f.Add(int32(0), "", "", "", "", int32(1), "slow", uint64(10))
	f.Add(int32(111), "", "", "", "", int32(0), "", uint64(208))
	f.Add(int32(0), "", "", "", "", int32(0), "client rate limiter Wait returned an error: x", uint64(772))
	for shape := range uint64(64) { // each of them alone
		f.Add(int32(503), "ServerTimeout", "dial", "namespaces", "", int32(-1), "", shape)
	}
	f.Fuzz(func(
		t *testing.T, code int32, reason, kind, name, cause string, wait int32, message string, shape uint64,
	) {
		err := tree(fuzzErrors(code, reason, kind, name, cause, wait, message), shape)
		v := Classify(Request{}, err)
		checkValid(t, v)
		if (err == nil) != (v == settled) && code != 409 {
			t.Errorf("%+v for %v", v, err)
		}
		if err == nil {
			return
		}
		for i, wrap := range wrappers {
			if got := Classify(Request{}, wrap(err)); got != v {
				t.Errorf("wrapper %d makes %+v of %+v\nerror %#v", i, got, v, err)
			}
		}
	})
}

func checkValid(t *testing.T, v Verdict) {
	t.Helper()
	if v.Action == Skip || v.Action > Drop || v.Gate > Shared || v.Wait < 0 {
		t.Errorf("%+v is no verdict", v)
	}
	if (v.Action == Drop) != (v.Reason != stats.None) {
		t.Errorf("%+v: a drop has a reason and nothing else does", v)
	}
}
