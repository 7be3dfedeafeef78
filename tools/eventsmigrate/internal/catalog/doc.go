// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package catalog lists the Events that a program records: an entry for each controller, type, reason and action.
//
//	calls of recorders ──▶ Collect ──▶ entries ──▶ file and page
//	                                      │
//	                        file ──▶ Update ──▶ differences
//
// Collect follows the arguments of a call through variables, fields and functions to constants, in all packages of the
// main modules. If a function passes on its parameters, each of its callers makes an entry.
package catalog
