// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package require is a stub for the analyzers' tests.
package require

type TestingT interface {
	Errorf(format string, args ...interface{})
}

func Equal(t TestingT, expected, actual interface{}, msgAndArgs ...interface{}) bool { return false }
func Equalf(t TestingT, expected, actual interface{}, msg string, args ...interface{}) bool {
	return false
}
func Contains(t TestingT, s, contains interface{}, msgAndArgs ...interface{}) bool   { return false }
func Empty(t TestingT, object interface{}, msgAndArgs ...interface{}) bool           { return false }
func Len(t TestingT, object interface{}, length int, msgAndArgs ...interface{}) bool { return false }
func NoError(t TestingT, err error, msgAndArgs ...interface{}) bool                  { return false }
func NoErrorf(t TestingT, err error, msg string, args ...interface{}) bool           { return false }
