// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otel_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/adapter"
	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/controlplane"
	"github.com/eventseries/eventseries/sinks"
)

var update = flag.Bool("update", false, "write the table of docs/export.md")

// The rollout: each pod has four Normals, and some fail once a second.
const (
	pods    = 250
	failing = 50
	seconds = 10
)

// saving is what a rollout cost.
type saving struct {
	where                  string
	events                 int
	puts, bytes            int64 // of etcd
	records                int
	observed, sum, highest int64
}

// Where Events go, and what etcd has to write for them.
//
// Caught: a Normal in the API server that only the pipeline should have; an occurrence that the pipeline lacks.
func TestSaving(t *testing.T) {
	server, err := controlplane.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	isWarning := func(event *eventsv1.Event) bool { return event.Type == corev1.EventTypeWarning }
	nothing := func(*eventsv1.Event) bool { return false }
	rollOut(t, server, "warm up", nil) // the first Events make the API server read and write more than Events
	before := putsOf(t, server)
	time.Sleep(seconds * time.Second)
	idle := putsOf(t, server).minus(before)

	all := rollOut(t, server, "everything, without a pipeline", func(api events.Sink, _ *otelevents.Sink) events.Sink { return api })
	both := rollOut(t, server, "everything", func(api events.Sink, exported *otelevents.Sink) events.Sink {
		return sinks.Tee(api, exported)
	})
	warnings := rollOut(t, server, "Warnings", func(api events.Sink, exported *otelevents.Sink) events.Sink {
		return sinks.Tee(sinks.Filter(api, isWarning), exported)
	})
	none := rollOut(t, server, "nothing", func(api events.Sink, exported *otelevents.Sink) events.Sink {
		return sinks.Tee(sinks.Filter(api, nothing), exported)
	})
	var table strings.Builder
	table.WriteString("| in the API server | Events there | writes of etcd | KiB written by etcd | log records | occurrences in them |\n" +
		"|---|---|---|---|---|---|\n")
	for _, s := range []saving{all, both, warnings, none} {
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %d | %d of %d |\n", s.where, s.events, max(s.puts-idle.puts, 0),
			max(s.bytes-idle.bytes, 0)/1024, s.records, s.sum, s.observed)
		if s.where != all.where && (s.sum != s.observed || s.highest != s.observed) {
			t.Errorf("%s: deltas of %d, and counts of %d, of %d occurrences", s.where, s.sum, s.highest, s.observed)
		}
	}
	t.Log("\n" + table.String())
	if all.events != 4*pods+failing || both.events != all.events || warnings.events != failing || none.events != 0 {
		t.Errorf("%d, %d, %d and %d Events in the API server", all.events, both.events, warnings.events, none.events)
	}
	if warnings.puts*3 > both.puts || none.puts > idle.puts+20 {
		t.Errorf("etcd wrote %d, %d and %d times; idle %d", both.puts, warnings.puts, none.puts, idle.puts)
	}
	if *update {
		writeTable(t, table.String())
	}
}

// rollOut records a rollout in a namespace of its own.
func rollOut(
	t *testing.T, server *controlplane.ControlPlane, where string,
	wrap func(api events.Sink, exported *otelevents.Sink) events.Sink,
) saving {
	t.Helper()
	config, err := clientcmd.RESTConfigFromKubeConfig(server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst = 500, 500
	client := kubernetes.NewForConfigOrDie(config)
	namespace, err := client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "rollout-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := startCollector(t)
	provider := newProvider(t, c.address)
	exported, err := otelevents.NewSink(provider)
	if err != nil {
		t.Fatal(err)
	}
	if wrap == nil {
		wrap = func(api events.Sink, _ *otelevents.Sink) events.Sink { return api }
	}
	before := putsOf(t, server)
	option := adapter.WithSink(func(api events.Sink) events.Sink { return wrap(api, exported) })
	broadcaster := adapter.New(context.Background(), client, option)
	if err := broadcaster.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	recordRollout(broadcaster.NewRecorder("example.com/rollout"), namespace.Name)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := broadcaster.Drain(ctx); err != nil {
		t.Error(err)
	}
	if err := provider.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	cost := putsOf(t, server).minus(before)
	c.end(syscall.SIGTERM)
	stored, err := client.EventsV1().Events(namespace.Name).List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := saving{where: where, events: len(stored.Items), puts: cost.puts, bytes: cost.bytes}
	s.observed = broadcaster.Stats().Observed
	records := c.records()
	s.records = len(records)
	s.sum, s.highest = totals(records)
	return s
}

// totals adds up the deltas, and the highest count of each Event.
func totals(all []record) (sum, highest int64) {
	counts := map[string]int64{}
	for i := range all {
		r := &all[i]
		sum += r.number("eventseries.delta")
		name := r.text("k8s.event.name")
		counts[name] = max(counts[name], r.number("k8s.event.count"))
	}
	for _, n := range counts {
		highest += n
	}
	return sum, highest
}

func recordRollout(r events.EventRecorder, namespace string) {
	for second := range seconds {
		for i := range pods {
			name := fmt.Sprint("web-7d4b9c-", i)
			pod := &corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: name, UID: types.UID("5f2d7a10-" + name),
			}
			if second == i%seconds {
				for _, reason := range []string{"Scheduled", "Pulled", "Created", "Started"} {
					r.Eventf(pod, nil, corev1.EventTypeNormal, reason, reason, "%s container web in pod %s", reason, name)
				}
			}
			if i < failing {
				r.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restarting", "back-off restarting failed container web")
			}
		}
		time.Sleep(time.Second)
	}
}

// puts are counters of etcd.
type puts struct{ puts, bytes int64 }

func (p puts) minus(q puts) puts { return puts{p.puts - q.puts, p.bytes - q.bytes} }

func putsOf(t *testing.T, server *controlplane.ControlPlane) (p puts) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + server.EtcdAddress + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		n, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "etcd_mvcc_put_total":
			p.puts = int64(n)
		case "etcd_debugging_mvcc_total_put_size_in_bytes", "etcd_mvcc_total_put_size_in_bytes":
			p.bytes = int64(n)
		}
	}
	if p.puts == 0 || p.bytes == 0 {
		t.Fatal("etcd does not count its writes")
	}
	return p
}

// writeTable replaces the table of docs/export.md.
func writeTable(t *testing.T, table string) {
	t.Helper()
	const page, begin, end = "../../docs/export.md", "<!-- measured -->\n", "<!-- end -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no markers", page)
	}
	if err := os.WriteFile(page, []byte(head+begin+table+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
