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
	"sync"
	"syscall"
	"time"

	"github.com/eventseries/eventseries/internal/testkit/controlplane"
	"github.com/eventseries/eventseries/test/kubernetes/internal/cluster"
	"github.com/eventseries/eventseries/test/kubernetes/internal/script"
	"github.com/eventseries/eventseries/test/kubernetes/internal/tree"
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
	minutes, nodes                 int
	before, after, build, upstream bool
	cache, docs, root              string
}

func parse(args []string) (o options, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	f := flag.NewFlagSet("kubernetes", flag.ContinueOnError)
	f.IntVar(&o.minutes, "minutes", 30, "length of the script; the page is written after 30")
	f.IntVar(&o.nodes, "nodes", 20, "hollow nodes, at least 4")
	f.BoolVar(&o.before, "before", false, "only the untouched Kubernetes")
	f.BoolVar(&o.after, "after", false, "only the migrated Kubernetes")
	f.BoolVar(&o.build, "build", false, "build the programs and run nothing")
	f.BoolVar(&o.upstream, "upstream", true, "also run Kubernetes' own integration test of recorders on the SDK")
	f.StringVar(&o.cache, "cache", filepath.Join(cache, "eventseries-kubernetes"), "where the copies, programs and logs are")
	f.StringVar(&o.docs, "docs", filepath.Join("..", "..", "docs"), "where the page is written")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if !o.before && !o.after {
		o.before, o.after = true, true
	}
	if o.nodes < 4 {
		return o, errors.New("the script needs four nodes")
	}
	o.root, err = filepath.Abs(filepath.Join("..", ".."))
	return o, err
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	for _, side := range []struct {
		name     string
		selected bool
	}{{"before", o.before}, {"after", o.after}} {
		if !side.selected {
			continue
		}
		if err := o.side(ctx, side.name); err != nil {
			return fmt.Errorf("%s: %w", side.name, err)
		}
	}
	if o.build || !o.before || !o.after {
		return nil
	}
	return o.publish()
}

// side builds one set of programs and runs the script with it.
func (o *options) side(ctx context.Context, name string) error {
	begin := time.Now()
	say := func(format string, args ...any) {
		fmt.Printf("%6s %6s %s\n", time.Since(begin).Round(time.Second), name, fmt.Sprintf(format, args...))
	}
	if err := os.MkdirAll(o.cache, 0o700); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(o.cache, name+".log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	t := &tree.Tree{Dir: filepath.Join(o.cache, "kubernetes-"+name), Bin: filepath.Join(o.cache, "bin-"+name), SDK: o.root,
		Log: log, Say: say}
	if err := t.Make(ctx, name == "after"); err != nil || o.build {
		return err
	}
	if name == "after" && o.upstream {
		if err := upstream(ctx, t); err != nil {
			return err
		}
	}
	r, err := o.play(ctx, t.Bin, filepath.Join(o.cache, "run-"+name), say)
	if err != nil {
		return err
	}
	r.print(os.Stdout)
	return r.save(o.resultFile(name))
}

// upstream runs Kubernetes' own test of recorders on the SDK, with etcd on the PATH.
func upstream(ctx context.Context, t *tree.Tree) error {
	etcd, err := controlplane.Program("etcd")
	if err != nil {
		return err
	}
	t.Env = []string{"PATH=" + filepath.Dir(etcd) + string(filepath.ListSeparator) + os.Getenv("PATH")}
	return t.Upstream(ctx)
}

func (o *options) resultFile(name string) string { return filepath.Join(o.cache, name+".json") }

// play runs the script in a cluster of the programs in bin.
func (o *options) play(ctx context.Context, bin, dir string, say func(string, ...any)) (r *result, err error) {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return nil, err
	}
	say("starting %d nodes; logs are in %s", o.nodes, dir)
	c, err := cluster.Start(ctx, bin, dir, o.nodes)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	r = &result{Minutes: o.minutes, Nodes: o.nodes}
	length := time.Duration(o.minutes) * time.Minute
	var profiling sync.WaitGroup
	var unprofiled error
	profiling.Go(func() { unprofiled = r.profiled(ctx, c, length*6/10) }) // then the script ends components
	err = script.Run(ctx, c, o.nodes, length, say)
	profiling.Wait()
	if err = errors.Join(err, unprofiled); err == nil {
		err = r.shown(ctx, c)
	}
	say("SIGTERM to all components")
	if err := errors.Join(err, c.End()); err != nil {
		return nil, err
	}
	return r, r.counted(ctx, c)
}
