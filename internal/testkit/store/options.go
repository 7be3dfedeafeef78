// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// CheckSelectors returns the server's refusal of selectors that cannot be read. Client-go's fake panics about them.
func CheckSelectors(options metav1.ListOptions) error {
	_, _, err := selectors(options)
	return err
}

func selectors(options metav1.ListOptions) (labels.Selector, fields.Selector, error) {
	byLabel, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	byField, err := fields.ParseSelector(options.FieldSelector)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	return byLabel, byField, nil
}

// checkCombination returns the server's refusal of options that do not go together.
func checkCombination(options metav1.ListOptions, watches bool) error {
	errs := validation.ValidateListOptions(&internalversion.ListOptions{
		Watch: watches, ResourceVersion: options.ResourceVersion, ResourceVersionMatch: options.ResourceVersionMatch,
		Continue: options.Continue, SendInitialEvents: options.SendInitialEvents,
	}, true)
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: "ListOptions"}, "", errs)
}

// initialEvents reports whether a watch begins with the stored Events.
func initialEvents(options metav1.ListOptions) bool {
	if options.SendInitialEvents != nil {
		return *options.SendInitialEvents
	}
	return options.ResourceVersion == "" || options.ResourceVersion == "0"
}

// initialBookmark reports whether a bookmark follows the initial events of a watch.
func initialBookmark(options metav1.ListOptions) bool {
	return options.SendInitialEvents != nil && options.AllowWatchBookmarks
}
