// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// unreachable reports whether err means that no server has answered.
func unreachable(err error) bool {
	var transport *url.Error
	return errors.As(err, &transport) || errors.Is(err, context.DeadlineExceeded)
}

// refused returns the text for an answer with which the server refuses a request. It omits
// messages, because they differ between versions of Kubernetes, and indexes in field paths, because
// only some versions include them.
func refused(err error) string {
	var api apierrors.APIStatus
	if !errors.As(err, &api) {
		return "not sent"
	}
	status := api.Status()
	words := []string{fmt.Sprint(status.Code)}
	if status.Reason != metav1.StatusReasonUnknown {
		words = append(words, string(status.Reason))
	}
	if status.Details == nil {
		return strings.Join(words, " ")
	}
	if about := object(status.Details); about != "" {
		words = append(words, about)
	}
	return strings.Join(append(words, causes(status.Details.Causes)...), " ")
}

// object returns the object that an answer is about, as kind.group/name.
func object(details *metav1.StatusDetails) string {
	about := details.Kind
	if details.Group != "" {
		about += "." + details.Group
	}
	if details.Name != "" {
		about += "/" + details.Name
	}
	return about
}

// index matches the index of an element in the path of a field.
var index = regexp.MustCompile(`\[[^]]*\]`)

// causes returns each cause as field:type, sorted and without duplicates.
func causes(all []metav1.StatusCause) []string {
	var words []string
	for _, cause := range all {
		field := index.ReplaceAllString(cause.Field, "")
		words = append(words, strings.TrimPrefix(field+":"+string(cause.Type), ":"))
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// shown returns the JSON of the named fields of an Event, or of all fields if there are no names.
// It omits the fields that the server generates. It also omits empty fields, because old servers
// return some empty fields that new servers do not return.
func shown(tree map[string]any, fields []string) string {
	if meta, ok := tree["metadata"].(map[string]any); ok {
		for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
			delete(meta, name)
		}
	}
	for name, value := range tree {
		isType := name == "kind" || name == "apiVersion"
		if isEmpty(value) || isType || len(fields) > 0 && !slices.Contains(fields, name) {
			delete(tree, name)
		}
	}
	// A tree without cycles can always be encoded.
	text, _ := json.Marshal(tree)
	return string(text)
}

func isEmpty(value any) bool {
	tree, isTree := value.(map[string]any)
	return value == nil || isTree && len(tree) == 0
}

// generated matches a name whose end the server has generated.
var generated = regexp.MustCompile(`(/\S*?)[bcdfghjklmnpqrstvwxz2456789]{5}( |$)`)

// abbreviated returns an answer in a short form that is the same in every run. It replaces the
// generated end of a name with ?????, and a sequence of forty or more x with the form <40*x>.
func abbreviated(answer string, hasGeneratedName bool) string {
	if hasGeneratedName {
		answer = generated.ReplaceAllString(answer, "$1?????$2")
	}
	return many.ReplaceAllStringFunc(answer, func(run string) string {
		return fmt.Sprintf("<%d*x>", len(run))
	})
}

var many = regexp.MustCompile(`x{40,}`)
