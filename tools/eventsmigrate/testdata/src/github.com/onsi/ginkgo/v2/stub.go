// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ginkgo is a stub for the analyzers' tests.
package ginkgo

import "testing"

type GinkgoTBWrapper struct{ testing.TB }

func GinkgoTB(optionalOffset ...int) *GinkgoTBWrapper { return nil }
func Describe(text string, args ...interface{}) bool  { return false }
func It(text string, args ...interface{}) bool        { return false }
func BeforeEach(args ...interface{}) bool             { return false }
