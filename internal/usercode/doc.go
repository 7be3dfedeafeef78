// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package usercode calls the user's code: methods of objects, sinks, handlers and
// loggers. It turns a panic of that code into an error, so that neither the caller of
// a recorder nor a goroutine of the SDK ends. It also sanitizes values for the log.
package usercode
