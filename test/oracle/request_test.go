// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/events"
)

// fault decides the fate of one request.
type fault struct {
	kind faultKind
	// latency is the time until the server has the request.
	latency time.Duration
	// later is the additional time of the kinds that are late.
	later time.Duration
}

type faultKind string

const (
	none         faultKind = "none"
	refused      faultKind = "connection refused"
	cutBefore    faultKind = "cut before the effect"
	cutAfter     faultKind = "cut after the effect"
	hangBefore   faultKind = "hangs without effect"
	hangAfter    faultKind = "hangs after the effect"
	arrivesLate  faultKind = "hangs, and takes effect later"
	answersLate  faultKind = "answers after its time-out"
	failsLate    faultKind = "fails after its time-out"
	answersAfter faultKind = "takes effect at once, and answers after its time-out"
	panicBefore  faultKind = "panics before the effect"
	panicAfter   faultKind = "panics after the effect"
	goexitBefore faultKind = "ends the goroutine before the effect"
	goexitAfter  faultKind = "ends the goroutine after the effect"
	answer409    faultKind = "409"
	answer429    faultKind = "429"
	answer429in  faultKind = "429 with Retry-After"
	answer503    faultKind = "503"
	answer500    faultKind = "500 before the effect"
	after500     faultKind = "500 after the effect"
	after504     faultKind = "504 after the effect"
	answer403    faultKind = "403 of RBAC"
	terminating  faultKind = "403 of a namespace that ends"
	noNamespace  faultKind = "404 of the namespace"
	notServed    faultKind = "404 of the API"
	answer401    faultKind = "401"
	answer422    faultKind = "422"
	denied       faultKind = "400 of a webhook"
	aPage        faultKind = "4xx of a proxy"
	pageAfter    faultKind = "4xx of a proxy after the effect"
	badGateway   faultKind = "5xx of a proxy"
	gatewayAfter faultKind = "5xx of a proxy after the effect"
	contradicts  faultKind = "exists, and is not found"
)

// isLate reports whether the fault makes a call of the sink outlive its context.
func (k faultKind) isLate() bool { return k == answersLate || k == failsLate || k == answersAfter }

// single has the faults that a single request may have.
var single = []faultKind{
	refused, cutBefore, cutAfter, hangBefore, hangAfter, arrivesLate, answersLate, failsLate, answersAfter, panicBefore,
	panicAfter, goexitBefore, goexitAfter, answer409, answer429, answer429in, answer503, answer500, after500, after504,
	answer403, answer422, denied, aPage, pageAfter, badGateway, gatewayAfter, contradicts,
}

// lasting has the faults that all requests may have for some time.
var lasting = []faultKind{
	refused, cutBefore, cutAfter, hangBefore, hangAfter, arrivesLate, panicBefore, panicAfter, answer429, answer429in,
	answer503, answer500, after500, after504, answer403, terminating, noNamespace, notServed, answer401, answer422, denied,
	aPage, badGateway, gatewayAfter, contradicts, contradicts,
}

var errCut = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

// do sends r to the server, with its fault, and returns the answer. The SDK calls it in the
// goroutine of a write.
func (w *world) do(ctx context.Context, r *request) (stored *eventsv1.Event, err error) {
	if write, ok := events.WriteFromContext(ctx); ok {
		r.delta, r.hasDelta = write.Delta, true
	}
	r.sent = time.Now()
	p := r.from
	p.enter(r)
	answered := false
	defer func() {
		if answered && !p.isDead() {
			p.answered(r, err)
		}
		p.leave(r)
	}()
	if p.mayRepeat() {
		p.record(objects[1], "Warning", again, "Writing", "a sink records")
		_ = p.c.stats()
		_ = p.c.snapshot(1)
	}
	f := w.nextFault(r)
	w.tracef("%s: %v ← %s", p, r, f.kind)
	stored, err = w.suffer(ctx, r, f)
	if p.isDead() {
		// A killed process gets no answer.
		<-ctx.Done()
		return nil, ctx.Err()
	}
	answered = true
	if err != nil {
		w.tracef("%s: %v → %v", p, r, err)
	}
	return stored, err
}

// suffer sends r to the server with the fault f, and returns the answer.
func (w *world) suffer(ctx context.Context, r *request, f fault) (*eventsv1.Event, error) {
	if !sleep(ctx, f.latency) {
		return nil, ctx.Err()
	}
	if r.from.isDead() {
		// The request was under way when the process was killed.
		_, _ = w.server.apply(r)
		return nil, ctx.Err()
	}
	switch f.kind {
	case refused:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	case cutBefore:
		return nil, errCut
	case cutAfter:
		_, _ = w.server.apply(r)
		return nil, fmt.Errorf("reading the answer: %w", io.ErrUnexpectedEOF)
	case hangBefore:
		<-ctx.Done()
		return nil, ctx.Err()
	case hangAfter:
		_, _ = w.server.apply(r)
		<-ctx.Done()
		return nil, ctx.Err()
	case arrivesLate:
		<-ctx.Done()
		r.gaveUp = true
		w.later(f.later, func() { _, _ = w.server.apply(r) })
		return nil, ctx.Err()
	case answersLate:
		<-ctx.Done()
		time.Sleep(f.later)
		return w.server.apply(r)
	case failsLate:
		<-ctx.Done()
		time.Sleep(f.later)
		return nil, apierrors.NewInternalError(errors.New("late"))
	case answersAfter:
		stored, err := w.server.apply(r)
		<-ctx.Done()
		time.Sleep(f.later)
		return stored, err
	case panicBefore:
		panic("the sink panics")
	case panicAfter:
		_, _ = w.server.apply(r)
		panic("the sink panics")
	case goexitBefore:
		runtime.Goexit()
	case goexitAfter:
		_, _ = w.server.apply(r)
		runtime.Goexit()
	case after500:
		_, _ = w.server.apply(r)
		return nil, apierrors.NewInternalError(errors.New("etcd"))
	case after504:
		_, _ = w.server.apply(r)
		return nil, apierrors.NewTimeoutError("the request took too long", 0)
	case pageAfter:
		_, _ = w.server.apply(r)
		return nil, pageOf(pages, r)
	case gatewayAfter:
		_, _ = w.server.apply(r)
		return nil, pageOf(gatewayPages, r)
	case contradicts:
		return w.contradict(r)
	case none:
		return w.server.apply(r)
	}
	if err := refusal(f.kind, r); err != nil {
		r.from.mu.Lock()
		r.from.refused[f.kind] = true
		r.from.mu.Unlock()
		return nil, err
	}
	return w.server.apply(r)
}

// contradict answers to a Create that the Event exists, and to a patch that there is no Event. A
// server with a stale cache answers so, or a server on which somebody creates and deletes the Event
// all the time.
//
// A Create has no effect, unless it is the first one for a name that no other process can use. In
// that case the answer is true, as if a proxy had sent the Create twice. client-go's correlator is
// exempt, because it believes both answers.
func (w *world) contradict(r *request) (*eventsv1.Event, error) {
	p := r.from
	p.mu.Lock()
	first := r.create && !p.created[r.key()] && sharesOf(r.event) == nil
	p.mu.Unlock()
	switch {
	case w.s.options.correlates():
		return w.server.apply(r)
	case !r.create:
		return nil, apierrors.NewNotFound(eventsv1.Resource("events"), r.name)
	case first:
		_, _ = w.server.apply(r)
	}
	return nil, apierrors.NewAlreadyExists(eventsv1.Resource("events"), r.name)
}

// The codes of answers of proxies that are pages. None of them proves that the request was applied,
// or that it was not.
var (
	pages = []int{
		400, 402, 403, 405, 406, 407, 409, 410, 411, 412, 413, 415, 417, 418, 421, 422, 426, 451, 499,
	}
	gatewayPages = []int{500, 501, 502, 503, 504, 505, 520, 522}
)

// pageOf returns the error that client-go makes of a page with one of the codes.
func pageOf(codes []int, r *request) error {
	code := codes[int(r.sent.UnixMilli())%len(codes)]
	return apierrors.NewGenericServerResponse(code, "post", eventsv1.Resource("events"), r.name, "<html>", 0, true)
}

// refusal returns an error that says that r had no effect. It returns nil if a server does not give
// this answer to such a request.
func refusal(kind faultKind, r *request) error {
	resource := eventsv1.Resource("events")
	if r.core {
		resource = corev1.Resource("events")
	}
	var status *apierrors.StatusError
	switch kind {
	case answer409:
		if r.create || r.asksOnly() {
			return nil
		}
		return apierrors.NewConflict(resource, r.name, errors.New("somebody else was faster"))
	case answer429:
		return apierrors.NewTooManyRequestsError("limit reached")
	case answer429in:
		return apierrors.NewTooManyRequests("too many requests", 2)
	case answer503:
		return apierrors.NewServiceUnavailable("starting")
	case answer500:
		return apierrors.NewInternalError(errors.New("etcd"))
	case answer403:
		return apierrors.NewForbidden(resource, "", errors.New("RBAC"))
	case terminating:
		if !r.create {
			return nil
		}
		status = apierrors.NewForbidden(resource, r.name, errors.New("it is being terminated"))
		status.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
		return status
	case noNamespace:
		if !r.create {
			return nil
		}
		return apierrors.NewNotFound(corev1.Resource("namespaces"), r.namespace)
	case notServed:
		if r.core {
			return nil
		}
		return apierrors.NewGenericServerResponse(http.StatusNotFound, "post", schema.GroupResource{}, "", "", 0, false)
	case answer401:
		return apierrors.NewUnauthorized("who are you")
	case answer422:
		status = apierrors.NewInvalid(schema.GroupKind{Group: resource.Group, Kind: "Event"}, r.name, nil)
		return status
	case denied:
		status = apierrors.NewBadRequest(`admission webhook "w.example.com" denied the request: no`)
		return status
	case aPage:
		return pageOf(pages, r)
	case badGateway:
		return pageOf(gatewayPages, r)
	}
	panic("no such fault: " + kind)
}

// sleep waits for d, or until ctx ends. It reports whether d has passed.
func sleep(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// sink is a Sink that sends each write to the server of the world.
type sink struct {
	w    *world
	from *process
}

func (s *sink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return s.w.do(ctx, &request{
		from:      s.from,
		create:    true,
		namespace: event.Namespace,
		name:      event.Name,
		event:     event.DeepCopy(),
	})
}

func (s *sink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return s.w.do(ctx, &request{
		from:      s.from,
		namespace: event.Namespace,
		name:      event.Name,
		patch:     append([]byte(nil), patch...),
	})
}
