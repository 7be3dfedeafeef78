// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// plane is a real kube-apiserver with a real etcd.
type plane struct {
	config *rest.Config
	events *envtest.Etcd // a second etcd, which has nothing but the Events
}

// layout says in what a plane differs from one with two etcds that never wait for the disk.
type layout int

const (
	together layout = 1 << iota // one etcd has the Events, too
	synced                      // each etcd waits until the disk has what it writes, as in production
)

// startPlane starts a control plane until the end of the benchmark. kube-apiserver does not compact etcd, so that the
// sizes are those of everything that was written.
func startPlane(b *testing.B, layout layout) *plane {
	b.Helper()
	p := &plane{}
	environment := &envtest.Environment{}
	environment.ControlPlane.Etcd = &envtest.Etcd{}
	etcds := []*envtest.Etcd{environment.ControlPlane.Etcd}
	if layout&together == 0 {
		p.events = &envtest.Etcd{Path: filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "etcd")}
		etcds = append(etcds, p.events)
	}
	if layout&synced != 0 {
		for _, etcd := range etcds {
			etcd.Configure().Disable("unsafe-no-fsync")
		}
	}
	flags := environment.ControlPlane.GetAPIServer().Configure().Set("etcd-compaction-interval", "0")
	if p.events != nil {
		if err := p.events.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { stop(b, p.events) })
		flags.Set("etcd-servers-overrides", "/events#"+p.events.URL.String())
	}
	var err error
	if p.config, err = environment.Start(); err != nil { // as an administrator, who has no priority or fairness
		b.Fatal(err)
	}
	b.Cleanup(func() { stop(b, environment) })
	p.config.QPS = -1
	return p
}

func stop(b *testing.B, process interface{ Stop() error }) {
	if err := process.Stop(); err != nil {
		b.Error(err)
	}
}

// usage of an etcd, as its metrics tell it.
type etcdUsage struct {
	puts     float64 // revisions of keys that were written
	kvBytes  float64 // the keys and values of these
	walBytes float64 // written to the log
	dbBytes  float64 // in use in the database
}

func (u etcdUsage) since(before etcdUsage) etcdUsage {
	return etcdUsage{
		u.puts - before.puts, u.kvBytes - before.kvBytes, u.walBytes - before.walBytes, u.dbBytes - before.dbBytes,
	}
}

// usage reads the metrics of the etcd of Events.
func (p *plane) usage() (u etcdUsage, err error) {
	response, err := http.Get(p.events.URL.String() + "/metrics")
	if err != nil {
		return u, err
	}
	defer response.Body.Close()
	wanted := map[string]*float64{
		"etcd_debugging_mvcc_put_total":               &u.puts,
		"etcd_mvcc_put_total":                         &u.puts,
		"etcd_debugging_mvcc_total_put_size_in_bytes": &u.kvBytes,
		"etcd_disk_wal_write_bytes_total":             &u.walBytes,
		"etcd_mvcc_db_total_size_in_use_in_bytes":     &u.dbBytes,
	}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if wanted[name] == nil {
			continue
		}
		if *wanted[name], err = strconv.ParseFloat(value, 64); err != nil {
			return u, fmt.Errorf("%s: %w", name, err)
		}
	}
	return u, nil
}
