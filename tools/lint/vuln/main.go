// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command vuln runs govulncheck over the modules that users get, when its database can be reached. Where it cannot, it
// says so in one line and succeeds: a commit must not depend on the network.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/vuln/scan"
)

const (
	patience = 5 * time.Second  // for the database's first answer
	longest  = 10 * time.Minute // for one module
)

func main() {
	db := flag.String("db", "https://vuln.go.dev", "vulnerability database `url`")
	flag.Parse()
	if err := reach(*db); err != nil {
		fmt.Printf("vuln: skipped, the database cannot be reached: %v\n", err)
		return
	}
	code := 0
	for _, dir := range flag.Args() {
		fmt.Println("vuln", dir)
		if err := check(*db, dir, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "vuln: %s: %v\n", dir, err)
			code = 1
		}
	}
	os.Exit(code)
}

// reach asks for the database's index, within patience.
func reach(db string) error {
	client := &http.Client{Timeout: patience, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}
	defer client.CloseIdleConnections()
	answer, err := client.Get(strings.TrimSuffix(db, "/") + "/index/db.json")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}

// check runs govulncheck in the module at dir. What it finds is an error.
func check(db, dir string, out io.Writer) error {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	cmd := scan.Command(ctx, "-C", dir, "-db", db, "./...")
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Wait()
}
