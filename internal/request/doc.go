// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package request describes a request for an Event ([Request]) and the meaning of the answer to it
// ([Verdict]). The function [Classify] returns the verdict on an answer. It does no I/O, and contains
// the whole retry policy of the SDK. Packages series, correlator and writer act on the verdicts.
package request
