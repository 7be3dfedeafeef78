// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/printers"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/plural"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/doctor"
)

func newDoctor(r *reading) *cobra.Command {
	var o doctor.Options
	c := &cobra.Command{
		Use:   "doctor [TYPE/NAME | TYPE NAME]",
		Short: "Find out why Events do not show up",
		Long: `Find out why the Events of a workload do not show up. Without a workload, make only the checks that concern all workloads. The
command changes nothing. It prints each problem together with a command that repairs it.

The exit code is 0 if no problem was found, and 1 if there are problems. It is 2 if the command could not run, or if it found no
problem but could not make one of the checks.`,
		Example: `  kubectl eventseries doctor -n my-system deployment/my-controller --in shop,billing --page 8080/debug/events`,
		RunE: func(c *cobra.Command, args []string) error {
			o.Args = args
			o.PageTLS = rest.TLSClientConfig{ // of the flags alone: what the kubeconfig has is about the API server
				Insecure:   *r.flags.Insecure,
				ServerName: *r.flags.TLSServerName,
				CAFile:     *r.flags.CAFile,
			}
			return r.doctor(c.Context(), o)
		},
	}
	c.Flags().StringSliceVar(&o.In, "in", nil, "The namespaces in which the component records. By default its own, and each "+
		"namespace in which a role is bound to its service account.")
	c.Flags().StringVar(&o.Page, "page", "", "The component's debug page: the port of its Pods and the path, such as "+
		"8080/debug/events, or a URL, such as the address of a forwarded port. The certificate of an https URL is verified as "+
		"--certificate-authority, --tls-server-name and --insecure-skip-tls-verify say. The page gets no credentials.")
	c.ValidArgsFunction = asKubectl()
	_ = c.RegisterFlagCompletionFunc("in", asKubectl("--namespace"))
	r.print.AddFlags(c, "", "json", "yaml")
	return c
}

func (r *reading) doctor(ctx context.Context, o doctor.Options) error {
	c, err := r.connect()
	if err != nil {
		return err
	}
	facts, err := doctor.Gather(ctx, c, o)
	if err != nil {
		return err
	}
	findings := doctor.Check(facts)
	if r.print.Structured() {
		all := map[string]any{
			"findings":   findings,
			"checked":    facts.Known,
			"notChecked": facts.Unknown,
			"namespaces": facts.Namespaces,
		}
		err = r.print.Print(r.Out, all)
	} else {
		for _, reason := range facts.Unknown {
			c.Warn("not checked: %s", escaped(reason))
		}
		for _, f := range findings {
			fmt.Fprintf(r.Out, "%s: %s\n    %s\n", f.Check, escaped(f.Problem), escaped(f.Fix))
		}
		found := "No problem"
		if len(findings) > 0 {
			found = plural.Of(len(findings), "problem")
		}
		_, err = fmt.Fprintf(r.Out, "%s found. Checked: %s.%s\n", found, strings.Join(facts.Known, ", "), where(facts))
	}
	switch {
	case err != nil:
		return err
	case len(findings) > 0:
		return errFound
	case facts.Incomplete:
		return errors.New("no problem was found, but some checks could not be made, so Events may still be lost")
	}
	return nil
}

// where says in which namespaces doctor has asked for rights, and how to name others.
func where(f *doctor.Facts) string {
	switch {
	case len(f.Namespaces) == 0:
		return ""
	case f.Namespaces[0] == "":
		return " RBAC in all namespaces."
	}
	return " RBAC in " + strings.Join(f.Namespaces, ", ") + "; --in names other namespaces in which the component records."
}

// escaped is text on one line, in which a terminal interprets nothing.
func escaped(text string) string {
	var b strings.Builder
	_ = printers.WriteEscaped(&b, strings.ReplaceAll(text, "\n", " ")) // a Builder takes all
	return b.String()
}
