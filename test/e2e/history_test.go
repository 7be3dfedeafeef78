// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/corpus"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// play is a history in the making. It tells components what to record, so it knows what a reader must say. The components
// live in a bubble of testing/synctest, where an hour is over at once; the server is outside, and time in the bubble
// stands still while it answers.
type play struct {
	t       *testing.T
	env     *harness.Env
	http    http.RoundTripper // outside of the bubble
	outside outside
	corpus.History

	series  []*series
	writes  map[string]write  // by the resourceVersion that they made; deletions by the name of the Event
	newest  map[string]write  // by the name of the Event
	pending int               // changes that the reader has not been sent yet
	version map[string]string // of each API, that the reader has
}

// series is what a component should count in one Event.
type series struct {
	reason, note string // of the Event; it may go on after that note
	unit         time.Duration
	event        string // its name
	told         []occurrence
	in           map[string]bool // the processes that count in the Event
	said         map[int]bool    // the occurrences that a reader has been told of
}

// occurrence is one that a process was told to record.
type occurrence struct {
	at time.Time
	by string
}

// write is what an Event had to say when it was written: the occurrences that it counts.
type write struct {
	*series
	counted []int
	at      time.Time
}

// perform runs a script in a bubble and returns the history.
func perform(t *testing.T, env *harness.Env, script func(*play)) *corpus.History {
	p := &play{
		env: env, writes: map[string]write{}, newest: map[string]write{}, version: map[string]string{},
		http:    env.Admin.CoreV1().RESTClient().(*rest.RESTClient).Client.Transport,
		outside: outside{calls: make(chan func()), done: make(chan struct{})},
	}
	version, err := env.Admin.Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	p.Server = "kube-apiserver " + version.GitVersion
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for f := range p.outside.calls {
			f()
			p.outside.done <- struct{}{}
		}
	}()
	defer func() { close(p.outside.calls); <-ended }()
	now := time.Now().Truncate(time.Minute).UTC()
	synctest.Test(t, func(t *testing.T) {
		p.t = t
		time.Sleep(time.Until(now)) // a bubble begins in 2000
		script(p)
		p.sent()
	})
	p.addUp(t)
	return &p.History
}

// outside runs functions outside of the bubble, one at a time.
type outside struct {
	mu    sync.Mutex
	calls chan func()
	done  chan struct{}
}

func (o *outside) do(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls <- f
	<-o.done
}

// client is of a process in the bubble.
func (p *play) client(process string) kubernetes.Interface {
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{
		Host: p.env.Config.Host, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	}, &http.Client{Transport: connection{p, process}})
	if err != nil {
		p.t.Fatal(err)
	}
	return client
}

// connection is that of a process in the bubble.
type connection struct {
	*play
	process string
}

// RoundTrip sends a request of the bubble, and notes what it has changed.
func (p connection) RoundTrip(req *http.Request) (*http.Response, error) {
	var body, answer []byte
	var err error
	if req.Body != nil {
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	var res *http.Response
	p.outside.do(func() {
		var out *http.Request // without the context, whose channel is the bubble's
		if out, err = http.NewRequest(req.Method, req.URL.String(), bytes.NewReader(body)); err != nil {
			return
		}
		out.Header = req.Header.Clone()
		if res, err = p.http.RoundTrip(out); err != nil {
			return
		}
		answer, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
	})
	if err != nil {
		return nil, err
	}
	res.Request, res.Body = req, io.NopCloser(bytes.NewReader(answer))
	if req.Method != http.MethodGet && res.StatusCode < 300 && strings.Contains(req.URL.Path, "/events") {
		if name := path.Base(req.URL.Path); req.Method == http.MethodDelete {
			p.pending++
			w := p.newest[name]
			w.at = time.Now().UTC()
			p.writes[name] = w
		} else {
			p.wrote(answer, req.Method == http.MethodPost)
		}
	}
	return res, nil
}

// wrote notes what an Event has to say now.
func (p connection) wrote(answer []byte, created bool) {
	var e struct { // of either API
		metav1.ObjectMeta     `json:"metadata"`
		Reason, Message, Note string
	}
	if err := json.Unmarshal(answer, &e); err != nil {
		p.t.Error(err)
	}
	if _, known := p.writes[e.ResourceVersion]; known {
		return // it changed nothing, which is how WithSharedCounts reads
	}
	p.pending++
	s := p.find(e.Reason, e.Message+e.Note)
	if s == nil {
		p.t.Errorf("nobody was told to record %s", answer)
		return
	}
	if s.event != "" && s.event != e.Name {
		p.t.Errorf("%s is counted in %s and in %s", s.reason, s.event, e.Name)
	}
	s.event = e.Name
	if created {
		s.in = map[string]bool{}
	}
	// With shares it is counted from the write on that has its own; the one before only reads what is there.
	shares, ok := e.Annotations["eventseries.dev/counts"]
	s.in[p.process] = !ok || strings.Contains(shares, `"`+p.process+`"`)
	w := write{series: s, at: time.Now().UTC()}
	for i, o := range s.told {
		if s.in[o.by] {
			w.counted = append(w.counted, i)
		}
	}
	p.writes[e.ResourceVersion], p.newest[e.Name] = w, w
}

// find returns the newest series with that reason and note.
func (p *play) find(reason, note string) (found *series) {
	for _, s := range p.series {
		if s.reason == reason && strings.HasPrefix(note, s.note) {
			found = s
		}
	}
	return found
}

// newSeries says that what is recorded next with a reason, and a note that begins like that, is a new Event, whose times
// have that unit.
func (p *play) newSeries(unit time.Duration, reason, note string) *series {
	s := &series{reason: reason, note: note, unit: unit, said: map[int]bool{}}
	p.series = append(p.series, s)
	return s
}

// component is a process that records.
type component struct {
	process string
	eventf  func(reason, note string)
	stop    func()
}

// occur has a component record n occurrences of a series, and waits for what is written at once. Before another process
// counts in the same Event, it must have written all.
func (p *play) occur(c component, s *series, note string, n int) {
	for range n {
		s.told = append(s.told, occurrence{time.Now().UTC(), c.process})
		c.eventf(s.reason, note)
		synctest.Wait()
	}
}

// pass lets time pass, and with it what is written later.
func (p *play) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// expire deletes the Event of a series.
func (p *play) expire(s *series) {
	if err := p.client("").CoreV1().Events(p.env.Namespace).Delete(p.t.Context(), s.event, metav1.DeleteOptions{}); err != nil {
		p.t.Error(err)
	}
}

// pod is what all Events are about.
func (p *play) pod() *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.env.Namespace, Name: "web-0", UID: "9d5a3c1e-5c0e-4a77-9a3b-2f0b6d1c7e42"}}
}

// toolsRecord is client-go's recorder for core/v1.
func (p *play) toolsRecord() component {
	ctx, cancel := context.WithCancel(klog.NewContext(p.t.Context(), logr.Discard()))
	b := record.NewBroadcaster(record.WithContext(ctx))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: p.client("kubelet").CoreV1().Events("")})
	r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: "node-1"}).WithLogger(logr.Discard())
	return component{
		process: "kubelet",
		eventf:  func(reason, note string) { r.Event(p.pod(), corev1.EventTypeWarning, reason, note) },
		stop:    func() { b.Shutdown(); cancel(); synctest.Wait() },
	}
}

// toolsEvents is client-go's recorder for events.k8s.io/v1.
func (p *play) toolsEvents() component {
	ctx, cancel := context.WithCancel(klog.NewContext(p.t.Context(), logr.Discard()))
	b := clientevents.NewBroadcaster(&clientevents.EventSinkImpl{Interface: p.client("scheduler").EventsV1()})
	if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
		p.t.Error(err)
	}
	r := b.NewRecorder(scheme.Scheme, "default-scheduler").WithLogger(logr.Discard())
	return component{
		process: "scheduler",
		eventf: func(reason, note string) {
			r.Eventf(p.pod(), nil, corev1.EventTypeWarning, reason, "Scheduling", "%s", note)
		},
		stop: func() { cancel(); b.Shutdown(); synctest.Wait() },
	}
}

// sdk is this SDK.
func (p *play) sdk(instance string, mode adapter.Mode, opts ...adapter.Option) component {
	opts = append(opts, adapter.WithMode(mode), events.WithReportingInstance(instance), events.WithLogger(logr.Discard()))
	a := adapter.New(p.t.Context(), p.client(instance), opts...)
	if err := a.Start(p.t.Context()); err != nil {
		p.t.Error(err)
	}
	r := a.Recorder("example.com/crashes")
	return component{
		process: instance,
		eventf: func(reason, note string) {
			r.Eventf(p.pod(), nil, corev1.EventTypeWarning, reason, "Restart", "%s", note)
		},
		stop: func() {
			if err := a.Drain(p.t.Context()); err != nil {
				p.t.Error(err)
			}
		},
	}
}

// read begins to read: a list, and then what changes. A second time the server has forgotten what changed since, and the
// reader lists again.
func (p *play) read() {
	if p.Began.IsZero() {
		p.Began = time.Now().UTC()
	}
	p.pending = 0
	p.steps(false, func(api string) (sent []corpus.Sent) {
		p.watch(api, url.Values{"sendInitialEvents": {"true"}, "resourceVersionMatch": {"NotOlderThan"}, "allowWatchBookmarks": {"true"}},
			func(s corpus.Sent) bool { sent = append(sent, s); return s.IsListEnd() })
		return sent
	})
}

// sent adds what the reader has been sent since.
func (p *play) sent() {
	n := p.pending
	p.pending = 0
	if n == 0 {
		return
	}
	p.steps(true, func(api string) (sent []corpus.Sent) {
		p.watch(api, url.Values{"resourceVersion": {p.version[api]}},
			func(s corpus.Sent) bool { sent = append(sent, s); return len(sent) == n })
		return sent
	})
}

// watch passes on what an API sends, until take is content.
func (p *play) watch(api string, query url.Values, take func(corpus.Sent) bool) {
	root := "/apis/"
	if api == "v1" {
		root = "/api/"
	}
	query.Set("watch", "true")
	p.outside.do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), soon)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet,
			p.env.Config.Host+root+api+"/namespaces/"+p.env.Namespace+"/events?"+query.Encode(), nil)
		if err != nil {
			p.t.Error(err)
			return
		}
		res, err := p.http.RoundTrip(req)
		if err != nil {
			p.t.Error(err)
			return
		}
		defer func() { _ = res.Body.Close() }()
		for lines := json.NewDecoder(res.Body); ; {
			var s corpus.Sent
			if err := lines.Decode(&s); err != nil || s.Type == "ERROR" || s.Type == "" {
				p.t.Errorf("%s: %v, %s", api, err, s.Object)
				return
			}
			if take(s) {
				return
			}
		}
	})
}

// steps adds what both APIs have sent, and what a reader must say of it.
func (p *play) steps(live bool, read func(api string) []corpus.Sent) {
	sent := map[string][]corpus.Sent{}
	for _, api := range corpus.APIs {
		sent[api] = read(api)
	}
	for i := range sent["v1"] {
		step := corpus.Step{At: time.Now().UTC()}
		for _, api := range corpus.APIs {
			if len(sent[api]) != len(sent["v1"]) {
				p.t.Fatalf("%d lines over v1, %d over %s", len(sent["v1"]), len(sent[api]), api)
			}
			line := sent[api][i]
			var object struct {
				metav1.ObjectMeta `json:"metadata"`
			}
			if err := json.Unmarshal(line.Object, &object); err != nil {
				p.t.Error(err)
			}
			p.version[api] = object.ResourceVersion
			if api == "v1" && line.Type != "BOOKMARK" {
				p.say(&step, live, string(line.Type), &object.ObjectMeta)
			}
			*step.Sent(api) = line.Compact()
		}
		p.Steps = append(p.Steps, step)
	}
}

// say notes what is true of an Event that was sent.
func (p *play) say(step *corpus.Step, live bool, typ string, event *metav1.ObjectMeta) {
	key := event.ResourceVersion
	if typ == "DELETED" { // with a version of its own
		key = event.Name
	}
	w, ok := p.writes[key]
	if !ok {
		p.t.Errorf("nobody wrote %s of %s", event.ResourceVersion, event.Name)
		return
	}
	if live {
		step.At = w.at
	}
	at := func(i int) time.Time { return w.told[w.counted[i]].at.Truncate(w.unit) }
	n := len(w.counted)
	step.Say = &corpus.Say{First: at(0), Last: at(n - 1), Count: int64(n)}
	for _, i := range w.counted {
		if !w.said[i] {
			p.add(&step.Say.Sum, w.told[i].at)
		}
		w.said[i] = true
	}
}

// add counts an occurrence.
func (p *play) add(sum *corpus.Sum, at time.Time) {
	if at.Before(p.Began) {
		sum.Earlier++
	} else {
		sum.New++
	}
}

// addUp checks that a reader is told of all that was recorded.
func (p *play) addUp(t *testing.T) {
	for _, s := range p.series {
		for _, o := range s.told {
			if len(s.said) > 0 { // it was not gone before the reader began
				p.add(&p.Recorded, o.at)
			}
		}
	}
	var sum corpus.Sum
	for _, step := range p.Steps {
		if say := step.Say; say != nil {
			sum.Earlier += say.Earlier
			sum.New += say.New
		}
	}
	if sum != p.Recorded {
		t.Errorf("a reader is told of %+v, recorded were %+v", sum, p.Recorded)
	}
	for _, api := range corpus.APIs {
		for _, problem := range p.Problems(api) {
			t.Error(problem)
		}
	}
}
