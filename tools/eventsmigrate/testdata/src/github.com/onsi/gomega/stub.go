// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gomega is a stub for the analyzers' tests.
package gomega

type Matcher interface {
	Match(actual interface{}) (success bool, err error)
	FailureMessage(actual interface{}) (message string)
	NegatedFailureMessage(actual interface{}) (message string)
}

type Assertion interface {
	To(matcher Matcher, optionalDescription ...interface{}) bool
	ToNot(matcher Matcher, optionalDescription ...interface{}) bool
	NotTo(matcher Matcher, optionalDescription ...interface{}) bool
	Should(matcher Matcher, optionalDescription ...interface{}) bool
	ShouldNot(matcher Matcher, optionalDescription ...interface{}) bool
}

type AsyncAssertion interface {
	Should(matcher Matcher, optionalDescription ...interface{}) bool
	ShouldNot(matcher Matcher, optionalDescription ...interface{}) bool
	WithTimeout(interval int) AsyncAssertion
}

type WithT struct{}

func NewWithT(t interface{}) *WithT { return nil }

func (g *WithT) Expect(actual interface{}, extra ...interface{}) Assertion { return nil }

func (g *WithT) Eventually(actualOrCtx interface{}, args ...interface{}) AsyncAssertion { return nil }

func (g *WithT) Consistently(actualOrCtx interface{}, args ...interface{}) AsyncAssertion { return nil }

func Expect(actual interface{}, extra ...interface{}) Assertion { return nil }

func Eventually(actualOrCtx interface{}, args ...interface{}) AsyncAssertion { return nil }

func Consistently(actualOrCtx interface{}, args ...interface{}) AsyncAssertion { return nil }

func Equal(expected interface{}) Matcher                          { return nil }
func ContainSubstring(substr string, args ...interface{}) Matcher { return nil }
func HavePrefix(prefix string, args ...interface{}) Matcher       { return nil }
func HaveLen(count int) Matcher                                   { return nil }
func BeEmpty() Matcher                                            { return nil }
func Receive(args ...interface{}) Matcher                         { return nil }
