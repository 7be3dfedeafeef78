// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package mocks

import (
	"fmt"
	"reflect"
	"testing"
)

// Controller keeps what is expected of mocks, in order.
type Controller struct {
	T        testing.TB
	expected []call
}

type call struct {
	method string
	args   []any
}

// NewController returns a Controller whose expectations are checked when the test ends.
func NewController(t testing.TB) *Controller {
	c := &Controller{T: t}
	t.Cleanup(func() {
		for _, missing := range c.expected {
			t.Errorf("missing call of %s%v", missing.method, missing.args)
		}
	})
	return c
}

// RecordCallWithMethodType expects a call.
func (c *Controller) RecordCallWithMethodType(_ any, method string, _ reflect.Type, args ...any) {
	c.expected = append(c.expected, call{method, args})
}

// Call takes a call.
func (c *Controller) Call(_ any, method string, args ...any) {
	c.T.Helper()
	if len(c.expected) == 0 {
		c.T.Fatalf("unexpected call of %s%v", method, args)
	}
	want := c.expected[0]
	c.expected = c.expected[1:]
	if got := fmt.Sprint(method, args); got != fmt.Sprint(want.method, want.args) {
		c.T.Errorf("got %s, want %s%v", got, want.method, want.args)
	}
}
