// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command release keeps the promises of VERSIONING.md: what the API is, and what may change in it. rehearse.sh does
// what a release does, but for the tag.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the module's directory")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), `release [-root dir] api         write api/*.txt
release [-root dir] api-check   compare with api/*.txt and with the last release`)
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || flag.Arg(0) != "api" && flag.Arg(0) != "api-check" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), *root, flag.Arg(0), os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, command string, stdout io.Writer) error {
	m, err := load(ctx, root)
	if err != nil {
		return err
	}
	now, err := m.surface()
	if err != nil {
		return err
	}
	if command == "api" {
		fmt.Fprintf(stdout, "wrote %d files in %s/\n", len(now), apiDir)
		return now.write(root)
	}
	promised, err := written(root)
	if err != nil {
		return err
	}
	gone, added := less(promised, now.lines()), less(now.lines(), promised)
	if len(gone)+len(added) > 0 {
		return fmt.Errorf("the API is not what %s/ says; run make api, and say the change in CHANGELOG.md:%s%s", apiDir,
			list("\n- ", gone), list("\n+ ", added))
	}
	fmt.Fprintf(stdout, "the API is as %s/ says: %d lines\n", apiDir, len(promised))
	version, old, err := lastRelease(ctx, root)
	if err != nil {
		return err
	}
	if version == "" {
		fmt.Fprintln(stdout, "no release is reachable from HEAD (a tag such as v0.1.0): nothing to compare the API with")
		return nil
	}
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	return judge(version, old, promised, string(changelog))
}

// list is each of the lines behind a sign.
func list(sign string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return sign + strings.Join(lines, sign)
}
