// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mock is a stub for the analyzers' tests.
package mock

const Anything = "mock.Anything"

type (
	Mock      struct{}
	Call      struct{}
	Arguments []interface{}
)

type TestingT interface {
	Errorf(format string, args ...interface{})
}

func (m *Mock) On(methodName string, arguments ...interface{}) *Call { return nil }
func (m *Mock) Called(arguments ...interface{}) Arguments            { return nil }
func (m *Mock) AssertCalled(t TestingT, methodName string, arguments ...interface{}) bool {
	return false
}

func (m *Mock) AssertNumberOfCalls(t TestingT, methodName string, expectedCalls int) bool {
	return false
}
