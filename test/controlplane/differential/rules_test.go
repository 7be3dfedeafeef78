// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/apis/core"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// The fields of a fuzzed Event as one text, so that a corpus can be read.
const (
	usual = "default|web.1|Pod|default|web|Killing|stopping|Normal|example.com/c|c-1|Kill|" +
		"example.com/l|v|example.com/a|v|v1,Pod,web,1|||"
	old = "default|web.1|Pod|default|web|Killing|stopping|Normal||||" +
		"|||||kubelet|node-1|"
)

// The parts of a fuzzed Event that are no texts.
const (
	hasSeries = 1 << iota
	hasRelated
	hasLabels
	hasAnnotations
	hasOwner
	isController
	viaCore
	noResourceVersion
	isDeleted
)

// numbers are those of a fuzzed Event.
type numbers struct {
	count, seriesCount               int32
	eventTime, seriesTime, firstTime int64
	has                              uint16
}

// build makes an Event of the parts of text; those that are missing are empty.
func build(text string, n numbers) *corev1.Event {
	parts := append(strings.Split(text, "|"), make([]string, 19)...)
	e := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: parts[0], Name: parts[1], ResourceVersion: "7", UID: "u", CreationTimestamp: metav1.Unix(1, 0),
		},
		InvolvedObject: corev1.ObjectReference{Kind: parts[2], Namespace: parts[3], Name: parts[4]},
		Reason:         parts[5], Message: parts[6], Type: parts[7],
		ReportingController: parts[8], ReportingInstance: parts[9], Action: parts[10],
		Source:    corev1.EventSource{Component: parts[16], Host: parts[17]},
		EventTime: metav1.NewMicroTime(instant(n.eventTime)), FirstTimestamp: metav1.NewTime(instant(n.firstTime)),
		LastTimestamp: metav1.NewTime(instant(n.firstTime)), Count: n.count,
	}
	for bit, set := range map[uint16]func(){
		hasSeries: func() {
			e.Series = &corev1.EventSeries{Count: n.seriesCount, LastObservedTime: metav1.NewMicroTime(instant(n.seriesTime))}
		},
		hasRelated:        func() { e.Related = &corev1.ObjectReference{Kind: parts[18], Name: parts[4]} },
		hasLabels:         func() { e.Labels = map[string]string{parts[11]: parts[12]} },
		hasAnnotations:    func() { e.Annotations = map[string]string{parts[13]: parts[14]} },
		hasOwner:          func() { e.OwnerReferences = []metav1.OwnerReference{owner(parts[15], n.has&isController != 0)} },
		noResourceVersion: func() { e.ResourceVersion = "" },
		isDeleted:         func() { e.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} },
	} {
		if n.has&bit != 0 {
			set()
		}
	}
	return e
}

func owner(text string, controller bool) metav1.OwnerReference {
	parts := append(strings.Split(text, ","), "", "", "")
	return metav1.OwnerReference{
		APIVersion: parts[0], Kind: parts[1], Name: parts[2], UID: types.UID(parts[3]), Controller: &controller,
	}
}

// instant makes 0 no time, and 1 the same instant as it is decoded from "0001-01-01T00:00:00.000000Z".
func instant(n int64) time.Time {
	switch n {
	case 0:
		return time.Time{}
	case 1:
		return time.Time{}.Local()
	default:
		return time.Unix(0, n).Local()
	}
}

func (n *numbers) via() schema.GroupVersion {
	if n.has&viaCore != 0 {
		return corev1.SchemeGroupVersion
	}
	return strict
}

// seeds are Events at the edges of the rules.
func seeds(add func(text string, n numbers)) {
	const now = 1795251837123456789
	for _, via := range []uint16{0, viaCore} {
		all := via | hasSeries | hasRelated | hasLabels | hasAnnotations | hasOwner
		add(usual, numbers{eventTime: now, has: via})
		add(usual, numbers{eventTime: now, seriesTime: now, seriesCount: 2, has: all})
		add(usual, numbers{eventTime: 1, seriesTime: 1, seriesCount: 1, firstTime: 1, has: all})
		add(old, numbers{firstTime: now, count: 1, has: via})
		add("kube-system"+strings.TrimPrefix(old, "default"), numbers{firstTime: now, count: 1, has: via})
		add("No_Name|web.1|Pod|No_Name|web|Killing|stopping|Normal|example.com/c|c-1|Kill", numbers{eventTime: now, has: via})
		add("kube-public|web.1|Node||web|Killing|stopping|Normal|example.com/c|c-1|Kill", numbers{eventTime: now, has: via})
		add(old, numbers{firstTime: 1, count: -1, has: all | isController | isDeleted})
		add("kube-system|Web_1|Node||n|||Info|A.b/c d|||||||v1,Event,,|||",
			numbers{eventTime: now, has: all | noResourceVersion})
		add(strings.Repeat("x", 64)+"|..||||"+strings.Repeat("é", 65)+"|"+strings.Repeat("m", 1025)+"||"+
			strings.Repeat("c", 64)+"|"+strings.Repeat("i", 129)+"|"+strings.Repeat("a", 129)+"|-|"+
			strings.Repeat("v", 64)+"|"+strings.Repeat("k", 254)+"/x|v", numbers{eventTime: now, has: all})
	}
}

// FuzzCreate: internal/testkit/rules and the server agree, message by message, about what is wrong with a new Event.
// Caught: the first instant taken for no time; a note of one byte too many; kube-system refused; a namespace that is no
// DNS subdomain refused twice, as up to Kubernetes 1.36.
func FuzzCreate(f *testing.F) {
	seeds(func(text string, n numbers) {
		f.Add(text, n.count, n.seriesCount, n.eventTime, n.seriesTime, n.firstTime, n.has)
	})
	f.Fuzz(func(t *testing.T,
		text string, count, seriesCount int32, eventTime, seriesTime, firstTime int64, has uint16,
	) {
		n := numbers{count, seriesCount, eventTime, seriesTime, firstTime, has}
		event := build(text, n)
		event.DeletionTimestamp = nil
		asked, err := stored(event)
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, create(asked, n.via()), rules.ValidateCreate(event, n.via()), n.via(), event)
	})
}

// FuzzUpdate: they agree about a change, too. Each bit of changed takes a field over from the second Event. Caught: an
// action that may change; an eventTime that may not lose its nanoseconds; a series looked at that is as it was.
func FuzzUpdate(f *testing.F) {
	seeds(func(text string, n numbers) {
		for _, changed := range []uint32{0, 1 << 8, 1 << 10, 1<<22 | 1<<8, 1<<32 - 1} {
			f.Add(usual, text, n.count, n.seriesCount, n.eventTime, n.seriesTime, n.firstTime, n.has, changed)
			f.Add(text, usual, n.count, n.seriesCount, n.eventTime, n.seriesTime, n.firstTime, n.has, changed)
		}
	})
	f.Fuzz(func(t *testing.T, first, second string,
		count, seriesCount int32, eventTime, seriesTime, firstTime int64, has uint16, changed uint32,
	) {
		n := numbers{count, seriesCount, eventTime, seriesTime, firstTime, has}
		before := build(first, n)
		before.ResourceVersion = "7"
		other := numbers{seriesCount, count, seriesTime, firstTime, eventTime, has ^ uint16(changed>>22)&^viaCore}
		after := change(before, build(second, other), changed)
		oldStored, err := stored(before)
		if err != nil {
			t.Fatal(err)
		}
		newStored, err := stored(after)
		if err != nil {
			t.Fatal(err)
		}
		theirs := update(newStored, oldStored, n.via())
		after = defaulted(t, newStored)
		checkSame(t, theirs, rules.ValidateUpdate(after, before, n.via()), n.via(), before, after)
	})
}

// change returns old with the fields of other that the bits say.
func change(old, other *corev1.Event, bits uint32) *corev1.Event {
	e := old.DeepCopy()
	for i, set := range []func(){
		func() { e.InvolvedObject = other.InvolvedObject },
		func() { e.Reason = other.Reason },
		func() { e.Message = other.Message },
		func() { e.Source = other.Source },
		func() { e.FirstTimestamp = other.FirstTimestamp },
		func() { e.LastTimestamp = other.LastTimestamp },
		func() { e.Count = other.Count },
		func() { e.Type = other.Type },
		func() { e.Series = other.Series },
		func() { e.EventTime = other.EventTime },
		func() { e.EventTime.Time = e.EventTime.Add(time.Duration(other.Count)) },
		func() { e.Action = other.Action },
		func() { e.Related = other.Related },
		func() { e.ReportingController = other.ReportingController },
		func() { e.ReportingInstance = other.ReportingInstance },
		func() { e.Labels, e.Annotations = other.Labels, other.Annotations },
		func() { e.OwnerReferences = other.OwnerReferences },
		func() { e.Name, e.Namespace = other.Name, other.Namespace },
		func() { e.ResourceVersion = other.ResourceVersion },
		func() { e.UID = types.UID(other.Name) },
		func() { e.DeletionTimestamp = other.DeletionTimestamp },
	} {
		if bits&(1<<i) != 0 {
			set()
		}
	}
	return e
}

// defaulted is what the server has made of the request before it looked at it, which the rules leave to their caller.
func defaulted(t *testing.T, event *core.Event) *corev1.Event {
	t.Helper()
	view, err := viewed(event, corev1.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	return view.(*corev1.Event)
}

func checkSame(t *testing.T, theirs, ours error, via schema.GroupVersion, events ...*corev1.Event) {
	t.Helper()
	if diff := cmp.Diff(causes(t, theirs), causes(t, ours)); diff != "" {
		t.Errorf("through %v, the server's refusals (-) and ours (+):\n%s", via, diff)
		for _, event := range events {
			t.Errorf("%#v", event)
		}
	}
}

// causes are the violations an answer tells, once each: the server checks some of the metadata twice.
func causes(t *testing.T, err error) []metav1.StatusCause {
	t.Helper()
	if err == nil {
		return nil
	}
	var status *apierrors.StatusError
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) {
		t.Fatalf("%v is no 422", err)
	}
	all := slices.Clone(status.ErrStatus.Details.Causes)
	for i, cause := range all { // objects are shown with the field names of the server's internal types
		all[i].Message = cause.Message[strings.LastIndexByte(cause.Message, '}')+1:]
	}
	slices.SortFunc(all, func(a, b metav1.StatusCause) int {
		return strings.Compare(a.Field+a.Message, b.Field+b.Message)
	})
	return slices.Compact(all)
}
