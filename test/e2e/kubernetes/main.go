// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/cluster"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/script"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/tree"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options is what the flags say.
type options struct {
	minutes, nodes    int
	kubelet, page     bool
	cache, docs, root string
}

func parse(args []string) (o options, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	f := flag.NewFlagSet("kubernetes", flag.ContinueOnError)
	f.IntVar(&o.minutes, "minutes", wholeMinutes, "length of the script; the page is written after 30")
	f.IntVar(&o.nodes, "nodes", 40, "hollow nodes, at least 4")
	f.BoolVar(&o.kubelet, "kubelet", false, "one kubelet that is alone, for a minute; an error if a demand is not met")
	f.BoolVar(&o.page, "page", false, "only write the page again, from the last runs")
	f.StringVar(&o.cache, "cache", filepath.Join(cache, "eventseries-kubernetes"), "where the copies, programs and logs are; remove it to begin anew")
	f.StringVar(&o.docs, "docs", filepath.Join("..", "..", "..", "docs", "evidence"), "where the page is written")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.kubelet {
		o.nodes, o.minutes, o.cache = 1, 1, filepath.Join(o.cache, "kubelet")
	} else if o.nodes < 4 {
		return o, errors.New("the script needs four nodes")
	}
	o.root, err = filepath.Abs(filepath.Join("..", "..", ".."))
	return o, err
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if o.page {
		return o.publish()
	}
	sides, err := o.sides()
	if err != nil {
		return err
	}
	for _, s := range sides {
		if err := s.tree.Make(ctx, s.name == after); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if err := o.playAll(ctx, sides); err != nil {
		return err
	}
	return o.publish()
}

// playAll plays one side after the other, because what they need of the machine is measured. A kubelet that is alone mostly
// waits, so both sides run at a time.
func (o *options) playAll(ctx context.Context, sides []side) error {
	errs := make([]error, len(sides))
	var running sync.WaitGroup
	for i, s := range sides {
		running.Go(func() { errs[i] = o.play(ctx, s) })
		if o.kubelet {
			continue
		}
		if running.Wait(); errs[i] != nil {
			break
		}
	}
	running.Wait()
	return errors.Join(errs...)
}

// The names of the sides.
const (
	before = "before"
	after  = "after"
)

// side is Kubernetes before or after the migration.
type side struct {
	name string
	tree *tree.Tree
	say  func(format string, args ...any)
}

// sides returns both.
func (o *options) sides() (all []side, err error) {
	begin := time.Now()
	if o.kubelet { // a test: nothing of an earlier migration counts
		if err := os.RemoveAll(o.cache); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(o.cache, 0o700); err != nil {
		return nil, err
	}
	for _, name := range []string{before, after} {
		log, err := os.OpenFile(filepath.Join(o.cache, name+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		say := func(format string, args ...any) {
			fmt.Printf("%7s %6s %s\n", time.Since(begin).Round(time.Second), name, fmt.Sprintf(format, args...))
		}
		all = append(all, side{name, &tree.Tree{Kubelet: o.kubelet, Dir: filepath.Join(o.cache, "kubernetes-"+name),
			Bin: filepath.Join(o.cache, "bin-"+name), SDK: o.root, Log: log, Say: say}, say})
	}
	return all, nil
}

func (o *options) resultFile(name string) string { return filepath.Join(o.cache, name+".json") }

// play runs the script with the programs of a side, and keeps what it has shown.
func (o *options) play(ctx context.Context, s side) error {
	dir := filepath.Join(o.cache, "run-"+s.name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return err
	}
	s.say("starting %d nodes; logs are in %s", o.nodes, dir)
	r, err := o.playIn(ctx, s, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	var table strings.Builder // the other side prints, too
	r.print(&table)
	fmt.Print(table.String())
	return r.save(o.resultFile(s.name))
}

func (o *options) script() script.Script {
	if o.kubelet {
		return script.Kubelet
	}
	return script.Whole
}

func (o *options) playIn(ctx context.Context, s side, dir string) (r *result, err error) {
	c, err := cluster.Start(ctx, cluster.Options{Bin: s.tree.Bin, Dir: dir, Nodes: o.nodes, Alone: o.kubelet})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	r = &result{Version: tree.Version, Minutes: o.minutes, Nodes: o.nodes}
	err = o.script().Run(ctx, c, time.Duration(o.minutes)*time.Minute, s.say)
	if err == nil {
		err = r.shown(ctx, c)
	}
	s.say("SIGTERM to all components")
	if err := errors.Join(err, c.End()); err != nil {
		return nil, err
	}
	return r, r.counted(ctx, c)
}
