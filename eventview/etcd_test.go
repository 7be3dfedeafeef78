// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// etcd is an API server that stores the Events of one namespace. It behaves as kube-apiserver does
// with etcd and without a watch cache, and follows k8s.io/apiserver/pkg/storage/etcd3. One reader
// reads from it. It runs in the synctest bubble of a test, so its sleeps and timers take no time.
type etcd struct {
	mu     sync.Mutex
	random *rand.Rand
	// revision is the newest revision.
	revision int64
	// compacted is the oldest revision that can be read.
	compacted int64
	keys      map[string][]version
	// changes are in the order of their revisions.
	changes  []change
	streams  map[*stream]struct{}
	failing  failures
	answers  answers
	requests int
	trace    func(format string, args ...any)

	// restores is the number of times that etcd was restored to an older state. The revisions
	// continue from that state, so one revision can belong to two states. If the server passes the
	// revision that a reader knows before the reader returns, the reader cannot recognise the
	// restore.
	restores int
	// sent has, for each revision, the number of restores at the time when it was first sent.
	sent map[int64]int
	// newestSent is the newest revision that was sent to this process of the reader. sentSince is
	// the number of restores at its last list.
	newestSent int64
	sentSince  int
	// hidden has the revisions of Events that the reader cannot know of, because it cannot
	// recognise a restore.
	hidden map[string]int64
	// lastPage reports that the reader was just sent the last page of a list. Its next request
	// shows that it has read the page, and then listed is called.
	lastPage bool
	listed   func()
}

// version is the state of an Event from a revision on.
type version struct {
	revision int64
	// event is nil if the Event was deleted.
	event *eventsv1.Event
	// restores is the number of restores at the time of the write.
	restores int
}

// change is a change that a watch sends.
type change struct {
	revision int64
	watch.Event
}

// failures are the current failures of the server.
type failures struct {
	// down means that there is no connection.
	down bool
	// list is the status with which a list fails, or 0.
	list int
	// watch is the status with which a watch fails, or 0.
	watch int
	// short means that a proxy ends each watch after some seconds.
	short bool
	// lost means that some responses to a list are lost.
	lost bool
}

// answers are the ways in which servers differ.
type answers struct {
	gone goneAnswer
	// noToken means that the response to an expired list has no token, as a proxy may answer.
	noToken bool
	// future is the status for a token of a revision that is not reached: 504, or 500 until
	// Kubernetes 1.33.
	future int
}

// goneAnswer is the response to a watch from a revision that was compacted.
type goneAnswer int

const (
	goneInStream goneAnswer = iota
	goneAtOnce
	goneSilently
	goneVariously
)

// stream is a watch.
type stream struct {
	server *etcd
	// after is the revision after which the stream has the changes.
	after int64
	lines chan watch.Event
	timer *time.Timer
	ended bool
}

func newEtcd(seed uint64) *etcd {
	random := rand.New(rand.NewPCG(seed, 2))
	return &etcd{
		random:   random,
		revision: 100 + random.Int64N(900),
		keys:     map[string][]version{},
		streams:  map[*stream]struct{}{},
		sent:     map[int64]int{},
		hidden:   map[string]int64{},
	}
}

// get returns the Event that is stored under a name at a revision, or nil. The caller holds the
// lock.
func (s *etcd) get(name string, revision int64) *eventsv1.Event {
	for _, v := range slices.Backward(s.keys[name]) {
		if v.revision <= revision {
			return v.event
		}
	}
	return nil
}

// stored returns all Events, in the order of their names.
func (s *etcd) stored() (all []*eventsv1.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.keys)) {
		if e := s.get(name, s.revision); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// isHidden reports whether the reader cannot know of the newest state of an Event.
func (s *etcd) isHidden(e *eventsv1.Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strconv.FormatInt(s.hidden[e.Name], 10) == e.ResourceVersion
}

// write replaces the stored Event, which may be nil, by the result of update. It returns false
// while the server is down.
func (s *etcd) write(name string, update func(stored *eventsv1.Event) *eventsv1.Event) (done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failing.down {
		return false
	}
	// Other writers of the same etcd use revisions, too.
	s.revision += 1 + s.random.Int64N(3)
	stored := s.get(name, s.revision)
	e := update(stored)
	e.Name = name
	e.Namespace = "default"
	e.ResourceVersion = strconv.FormatInt(s.revision, 10)
	kind := watch.Added
	e.CreationTimestamp = metav1.NewTime(time.Now().Truncate(time.Second))
	e.UID = types.UID(e.ResourceVersion)
	if stored != nil {
		kind = watch.Modified
		e.CreationTimestamp = stored.CreationTimestamp
		e.UID = stored.UID
	}
	s.put(name, e, watch.Event{Type: kind, Object: e})
	return true
}

// remove deletes an Event.
func (s *etcd) remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stored := s.get(name, s.revision)
	if stored == nil {
		return
	}
	s.revision++
	gone := stored.DeepCopy()
	gone.ResourceVersion = strconv.FormatInt(s.revision, 10)
	s.put(name, nil, watch.Event{Type: watch.Deleted, Object: gone})
}

func (s *etcd) put(name string, e *eventsv1.Event, line watch.Event) {
	s.keys[name] = append(s.keys[name], version{s.revision, e, s.restores})
	c := change{s.revision, line}
	s.changes = append(s.changes, c)
	s.trace("%s %s at %d", line.Type, name, s.revision)
	for st := range s.streams {
		st.send(c)
	}
}

// compact forgets all revisions except the newest ones.
func (s *etcd) compact(keep int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compacted = max(s.compacted, s.revision-keep)
	s.trace("compacted at %d of %d", s.compacted, s.revision)
}

// cut ends all watches.
func (s *etcd) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for st := range s.streams {
		st.end()
	}
}

// restore puts the server back to an older state. The server is down meanwhile.
func (s *etcd) restore() {
	s.set(failures{down: true})
	s.cut()
	s.mu.Lock()
	back := s.revision - max(s.compacted, 1)
	if back > 0 {
		back = s.random.Int64N(back + 1)
	}
	s.revision -= back
	s.restores++
	for name, versions := range s.keys {
		left := slices.DeleteFunc(versions, func(v version) bool { return v.revision > s.revision })
		if len(left) > 0 && len(left) < len(versions) {
			// The older state is the current one again.
			left[len(left)-1].restores = s.restores
		}
		s.keys[name] = left
	}
	s.changes = slices.DeleteFunc(s.changes, func(c change) bool { return c.revision > s.revision })
	s.trace("restored to %d, which is %d back", s.revision, back)
	long := 20*time.Second + time.Duration(s.random.Int64N(int64(time.Minute)))
	s.mu.Unlock()
	time.Sleep(long)
	s.set(failures{})
}

func (s *etcd) set(f failures) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing = f
	s.trace("from now on %+v", f)
}

// begin is called when a new process of the reader starts.
func (s *etcd) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastPage = false
	s.newestSent = 0
	s.sentSince = s.restores
}

// asks counts a request.
func (s *etcd) asks() {
	s.requests++
	if s.lastPage {
		s.listed()
	}
	s.lastPage = false
}

// sends records that the reader knows a revision.
func (s *etcd) sends(revision int64) {
	s.newestSent = max(s.newestSent, revision)
	if _, ok := s.sent[revision]; !ok {
		s.sent[revision] = s.restores
	}
}

// hide records that the reader cannot know of the changes after a restore up to a revision, because
// it believes that it has read them.
func (s *etcd) hide(restores int, upTo int64) {
	if restores == s.restores || upTo > s.revision {
		return
	}
	for name, versions := range s.keys {
		if len(versions) == 0 {
			continue
		}
		if v := versions[len(versions)-1]; v.restores > restores && v.revision <= upTo {
			s.hidden[name] = v.revision
		}
	}
}

// refuse returns the error with a status, or nil for 0.
func refuse(code int) error {
	switch code {
	case 0:
		return nil
	case 403:
		return apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "", nil)
	case 429:
		return apierrors.NewTooManyRequests("later", 1)
	case 504:
		err := apierrors.NewTimeoutError("Too large resource version", 0)
		err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}
		return err
	}
	return apierrors.NewInternalError(errors.New("etcdserver: request timed out"))
}

// List returns a page at the newest revision, or at the revision of a token. A token is
// "revision:key". The revision -1 is the newest.
func (s *etcd) List(ctx context.Context, opts metav1.ListOptions) (*eventsv1.EventList, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks()
	list, err := s.list(opts)
	if err != nil {
		s.trace("list %s: %v", opts.Continue, err)
		return nil, err
	}
	s.trace("list limit %d %s: %d Events at %s", opts.Limit, opts.Continue, len(list.Items), list.ResourceVersion)
	return list, ctx.Err()
}

func (s *etcd) list(opts metav1.ListOptions) (*eventsv1.EventList, error) {
	if s.failing.down {
		return nil, errors.New("connection refused")
	}
	if err := refuse(s.failing.list); err != nil {
		return nil, err
	}
	revision := s.revision
	key := ""
	if opts.Continue != "" {
		if _, err := fmt.Sscanf(opts.Continue, "%d:%s", &revision, &key); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		switch {
		case revision == -1:
			revision = s.revision
		case revision > s.revision:
			return nil, refuse(s.answers.future)
		case revision < s.compacted:
			err := apierrors.NewResourceExpired("the continue parameter is too old")
			if !s.answers.noToken {
				err.ErrStatus.Continue = "-1:" + key
			}
			return nil, err
		}
	}
	list := &eventsv1.EventList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.FormatInt(revision, 10)}}
	for _, name := range slices.Sorted(maps.Keys(s.keys)) {
		e := s.get(name, revision)
		if e == nil || name < key {
			continue
		}
		if opts.Limit > 0 && len(list.Items) == int(opts.Limit) {
			list.Continue = fmt.Sprintf("%d:%s", revision, name)
			break
		}
		list.Items = append(list.Items, *e)
	}
	if s.failing.lost && s.random.IntN(3) == 0 {
		return nil, errors.New("unexpected EOF")
	}
	if s.sentSince < s.restores {
		s.hide(s.sentSince, s.newestSent)
		s.sentSince = s.restores
	}
	s.sends(revision)
	s.lastPage = list.Continue == "" && opts.Limit != 1 // with 1 it asks only for the revision
	return list, nil
}

// Watch sends the changes after a revision.
func (s *etcd) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks()
	s.trace("watch from %s", opts.ResourceVersion)
	if s.failing.down {
		return nil, errors.New("connection refused")
	}
	if err := refuse(s.failing.watch); err != nil {
		return nil, err
	}
	after, err := strconv.ParseInt(opts.ResourceVersion, 10, 64)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	s.hide(s.sent[after], after)
	st := &stream{
		server: s,
		after:  after,
		lines:  make(chan watch.Event, 64),
	}
	long := 30*time.Minute + time.Duration(s.random.Int64N(int64(30*time.Minute)))
	if s.failing.short {
		long = time.Duration(s.random.Int64N(int64(8 * time.Second)))
	}
	if after < s.compacted {
		gone := apierrors.NewResourceExpired("the resourceVersion for the provided watch is too old")
		answer := s.answers.gone
		if answer == goneVariously {
			answer = goneAnswer(s.random.IntN(int(goneVariously)))
		}
		switch answer {
		case goneAtOnce:
			return nil, gone
		case goneInStream:
			st.lines <- watch.Event{Type: watch.Error, Object: &gone.ErrStatus}
		}
		st.end()
		return st, ctx.Err()
	}
	s.streams[st] = struct{}{}
	st.timer = time.AfterFunc(long, st.Stop)
	first, _ := slices.BinarySearchFunc(s.changes, after+1, func(c change, revision int64) int {
		return int(c.revision - revision)
	})
	for _, c := range s.changes[first:] {
		st.send(c)
	}
	return st, ctx.Err()
}

// send passes a change on to a stream. It ends the stream if the reader is too slow.
func (st *stream) send(c change) {
	if st.ended || c.revision <= st.after {
		return
	}
	select {
	case st.lines <- c.Event:
		st.server.sends(c.revision)
	default:
		st.end()
	}
}

func (st *stream) end() {
	if st.ended {
		return
	}
	st.ended = true
	close(st.lines)
	delete(st.server.streams, st)
	if st.timer != nil {
		st.timer.Stop()
	}
}

// Stop implements [watch.Interface].
func (st *stream) Stop() {
	st.server.mu.Lock()
	defer st.server.mu.Unlock()
	st.end()
}

// ResultChan implements [watch.Interface].
func (st *stream) ResultChan() <-chan watch.Event { return st.lines }
