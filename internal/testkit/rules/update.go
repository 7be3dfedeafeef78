// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateUpdate returns the server's refusal to replace old by event through the group version via, or nil: a
// *apierrors.StatusError, 422 Invalid. The caller has defaulted the system metadata and compared resource versions.
//
// Through core/v1 everything may change. Through events.k8s.io/v1 only labels, annotations, finalizers, owners and the
// series may; the series is not protected, so its count may shrink, its time go back, and it may vanish.
func ValidateUpdate(event, old *corev1.Event, via schema.GroupVersion) error {
	errs := apivalidation.ValidateObjectMeta(&event.ObjectMeta, true, path.ValidatePathSegmentName, metadata)
	errs = append(errs, apivalidation.ValidateObjectMetaUpdate(&event.ObjectMeta, &old.ObjectMeta, metadata)...)
	errs = append(errs, legacyRules(event, via)...)
	if via != corev1.SchemeGroupVersion {
		errs = append(errs, strictUpdateRules(event, old)...)
	}
	return invalid(event.Name, errs)
}

// strictUpdateRules are what events.k8s.io/v1 adds. An untouched series is not looked at again, nor are the type, the
// name and the deprecated fields: an object that only core/v1 accepts can still get a series.
func strictUpdateRules(event, old *corev1.Event) field.ErrorList {
	errs := finalizerRules(event.Finalizers)
	if !reflect.DeepEqual(event.Series, old.Series) {
		errs = append(errs, seriesRules(event.Series)...)
	}
	for _, f := range []struct {
		name  string
		same  bool
		value any
	}{
		{"involvedObject", event.InvolvedObject == old.InvolvedObject, event.InvolvedObject},
		{"reason", event.Reason == old.Reason, event.Reason},
		{"message", event.Message == old.Message, event.Message},
		{"source", event.Source == old.Source, event.Source},
		{"firstTimestamp", event.FirstTimestamp.Equal(&old.FirstTimestamp), event.FirstTimestamp},
		{"lastTimestamp", event.LastTimestamp.Equal(&old.LastTimestamp), event.LastTimestamp},
		{"count", event.Count == old.Count, event.Count},
		{"type", event.Type == old.Type, event.Type},
		{"eventTime", sameMicrosecond(event.EventTime, old.EventTime), event.EventTime},
		{"action", event.Action == old.Action, event.Action},
		{"related", apiequality.Semantic.DeepEqual(event.Related, old.Related), event.Related},
		{"reportingController", event.ReportingController == old.ReportingController, event.ReportingController},
		{"reportingInstance", event.ReportingInstance == old.ReportingInstance, event.ReportingInstance},
	} {
		if !f.same {
			errs = append(errs, field.Invalid(field.NewPath(f.name), f.value, apivalidation.FieldImmutableErrorMsg))
		}
	}
	return errs
}

// sameMicrosecond tolerates what a client loses that encodes microseconds (kubernetes/kubernetes#111928).
func sameMicrosecond(a, b metav1.MicroTime) bool {
	return a.Truncate(time.Microsecond).Equal(b.Truncate(time.Microsecond))
}
