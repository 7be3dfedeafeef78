// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package usercode calls code that is not the SDK's: sinks, handlers, loggers, and methods of the
// caller's objects. It turns a panic of such code into an error, so that a panic ends neither the
// goroutine of a caller that records nor a goroutine of the SDK. It also sanitizes the values of
// log lines.
package usercode
