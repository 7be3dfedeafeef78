// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command mixin prints dashboard.json, a dashboard for Grafana.
//
//	go run ./mixin > mixin/dashboard.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	text, err := render()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(string(text))
}

// render returns the dashboard as JSON.
func render() ([]byte, error) {
	text, err := json.MarshalIndent(newDashboard(), "", "  ")
	return append(text, '\n'), err
}
