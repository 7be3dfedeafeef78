// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// asKubectl completes as kubectl get does, which knows the server's types and objects, or as a flag of it does.
func asKubectl(flag ...string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		all := []string{"__complete", "get"}
		c.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Changed {
				all = append(all, "--"+f.Name+"="+f.Value.String())
			}
		})
		all = slices.Concat(all, args, flag, []string{toComplete})
		out, err := exec.CommandContext(c.Context(), "kubectl", all...).Output()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		last := len(lines) - 1 // which is a colon and the directive
		directive, failed := strconv.Atoi(strings.TrimPrefix(lines[last], ":"))
		if err != nil || failed != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return lines[:last], cobra.ShellCompDirective(directive)
	}
}

// completeReason offers the reasons of the Events that are asked for.
func (r *reading) completeReason(c *cobra.Command, args []string, _ string) (reasons []string, _ cobra.ShellCompDirective) {
	_, _, events, _ := r.read(c.Context(), args)
	for i := range events {
		reasons = append(reasons, events[i].Reason)
	}
	slices.Sort(reasons)
	return slices.Compact(reasons), cobra.ShellCompDirectiveNoFileComp
}
