// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/testkit/corpus"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/cluster"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/script"
)

var update = flag.Bool("update", false, "TestCorpus records the kubelet into eventview/corpus")

// TestCorpus records what the API server sends of the Events of a real kubelet: about a pod whose readiness probe fails each
// second, and about one whose image is not there. The kubelet writes each occurrence, and its log has the times. So what
// a reader must say does not follow from the Events.
func TestCorpus(t *testing.T) {
	if !*update {
		t.Skip("test/e2e/corpus.sh records; the test of package eventview reads what was recorded")
	}
	o, err := parse([]string{"-kubelet", "-cache", t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	sides, err := o.sides()
	if err != nil {
		t.Fatal(err)
	}
	if err := sides[0].tree.Make(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	c, err := cluster.Start(t.Context(), cluster.Options{Bin: sides[0].tree.Bin, Dir: t.TempDir(), Nodes: 1, Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	}()
	h := corpus.History{
		About: "The real kubelet: a container that starts and is never ready, and an image that cannot be pulled.",
		Began: time.Now().UTC(),
	}
	version, err := c.Client.Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	h.Server = "kube-apiserver " + version.GitVersion
	sent := map[string][]corpus.Sent{}
	from := map[string]string{}
	for _, api := range corpus.APIs {
		sent[api] = watch(t, c, api, "sendInitialEvents", "true", "resourceVersionMatch", "NotOlderThan", "allowWatchBookmarks", "true")
		from[api] = event(t, sent[api][0]).ResourceVersion
	}
	err = script.Kubelet.Run(t.Context(), c, 15*time.Second, sides[0].say)
	if err := errors.Join(err, c.End()); err != nil {
		t.Fatal(err)
	}
	for _, api := range corpus.APIs { // the server has not forgotten anything yet
		sent[api] = append(sent[api], watch(t, c, api, "resourceVersion", from[api])...)
	}
	recorded := occurrences(t, c)
	lines := map[string]int{} // by name of the Event
	for i := range min(20, len(sent["v1"])) {
		s := corpus.Step{At: h.Began}
		for _, api := range corpus.APIs {
			*s.Sent(api) = sent[api][i].Compact()
		}
		if e := event(t, sent["v1"][i]); e.Name != "" {
			lines[e.Name]++
			all := recorded[e.InvolvedObject.Name+" "+e.Reason+" "+e.Message]
			if len(all) < lines[e.Name] {
				t.Fatalf("the log has %d of %s", len(all), s.V1.Object)
			}
			s.At = all[lines[e.Name]-1]
			s.Say = &corpus.Say{
				First: all[0].Truncate(time.Second), Last: s.At.Truncate(time.Second), Count: int64(lines[e.Name]), Sum: corpus.Sum{New: 1},
			}
			h.Recorded.New++
		}
		h.Steps = append(h.Steps, s)
	}
	for _, api := range corpus.APIs {
		for _, problem := range h.Problems(api) { // a second may have ended between an Event and its line in the log
			t.Errorf("record again: %s", problem)
		}
	}
	if t.Failed() {
		return
	}
	if err := h.Write(filepath.Join("..", "..", "..", "eventview", "corpus", "kubelet.json")); err != nil {
		t.Fatal(err)
	}
}

// watch returns what an API sends within two seconds about the pods that the history is about.
func watch(t *testing.T, c *cluster.Cluster, api string, params ...string) (all []corpus.Sent) {
	root := "/apis/"
	if api == "v1" {
		root = "/api/"
	}
	request := c.Client.Discovery().RESTClient().Get().AbsPath(root+api+"/namespaces/"+script.Namespace+"/events").
		Param("watch", "true").Param("timeoutSeconds", "2")
	for i := 0; i < len(params); i += 2 {
		request.Param(params[i], params[i+1])
	}
	raw, err := request.DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(bytes.NewReader(raw)); ; {
		var s corpus.Sent
		if err := lines.Decode(&s); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if name := event(t, s).Name; s.IsListEnd() || strings.HasPrefix(name, "unready.") || strings.HasPrefix(name, "no-image.") {
			all = append(all, s)
		}
	}
}

// event is what was sent over core/v1; over the other API only its metadata is right.
func event(t *testing.T, s corpus.Sent) (e corev1.Event) {
	if err := json.Unmarshal(s.Object, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

var occurred = regexp.MustCompile(`(?m)^I(\d{4} \S+) .*"Event occurred" object="work/([^"]*)".* reason="([^"]*)" message=("(?:[^"\\]|\\.)*")`)

// occurrences returns when the kubelet recorded, by its log.
func occurrences(t *testing.T, c *cluster.Cluster) map[string][]time.Time {
	log, err := os.ReadFile(c.Log(cluster.Node(0)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]time.Time{}
	for _, line := range occurred.FindAllStringSubmatch(string(log), -1) {
		at, err := time.ParseInLocation("2006 0102 15:04:05.000000", strconv.Itoa(time.Now().Year())+" "+line[1], time.Local)
		if err != nil {
			t.Fatal(err)
		}
		message, err := strconv.Unquote(line[4])
		if err != nil {
			t.Fatal(err)
		}
		key := line[2] + " " + line[3] + " " + message
		all[key] = append(all[key], at.UTC())
	}
	return all
}
