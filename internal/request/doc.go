// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package request says what one request for an Event does ([Request]) and what
// the answer to it means ([Verdict]). [Classify] is the whole retry policy as one
// table; it does no I/O. The series, the writer and package legacy act on it.
package request
