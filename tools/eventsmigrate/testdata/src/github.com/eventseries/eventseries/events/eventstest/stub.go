// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventstest is a stub for the analyzers' tests.
package eventstest

import (
	"testing"

	"github.com/eventseries/eventseries/events"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Recorder struct{ events.Recorder }

type RecorderOption func()

func WithScheme(scheme *runtime.Scheme) RecorderOption { return nil }

func NewRecorder(t testing.TB, opts ...RecorderOption) *Recorder { return nil }

func (r *Recorder) Events() []eventsv1.Event      { return nil }
func (r *Recorder) Occurrences() []eventsv1.Event { return nil }
func (r *Recorder) Check(matcher Matcher) error   { return nil }

type Matcher interface {
	Match(actual any) (success bool, err error)
	FailureMessage(actual any) string
	NegatedFailureMessage(actual any) string
}

func Check(actual any, matcher Matcher) error { return nil }

type Want struct{ Type, Reason, Action, Note, NoteContains string }

func (w Want) Match(actual any) (bool, error)   { return false, nil }
func (w Want) FailureMessage(actual any) string { return "" }
func (w Want) NegatedFailureMessage(any) string { return "" }

type None Want

func (n None) Match(actual any) (bool, error)   { return false, nil }
func (n None) FailureMessage(actual any) string { return "" }
func (n None) NegatedFailureMessage(any) string { return "" }
