// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		args string
		want options
		err  string
	}{
		{args: "", want: options{duration: time.Hour, namespace: "default", seed: 1}},
		{args: "--seed 7 --duration 2h --namespace n",
			want: options{duration: 2 * time.Hour, namespace: "n", seed: 7}},
		{args: "--kubeconfig f", want: options{
			kubeconfig: "f", duration: realDuration, namespace: "default", seed: 1}},
		{args: "--duration 59s", err: "less than 1m"},
		{args: "--duration soon", err: "invalid value"},
		{args: "--nope", err: "nope"},
		{args: "extra", err: "extra"},
	} {
		t.Run(test.args, func(t *testing.T) {
			got, err := parse(strings.Fields(test.args), io.Discard)
			switch {
			case test.err == "" && (err != nil || got != test.want):
				t.Errorf("parse: %+v, %v, want %+v", got, err, test.want)
			case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
				t.Errorf("parse: %v, want an error with %q", err, test.err)
			}
		})
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
