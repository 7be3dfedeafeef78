// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// TestScenarios plays the scenarios of testdata/*.txtar. A line that begins with @ is a
// command at a time since the beginning:
//
//	@5s observe [NAME ...] [Normal] [xN] [reason=R] [note=N] [distinct=N] [key=value ...]
//	                        occurrences about each object, web if there is no name, with annotations;
//	                        a note is the latest, or one of so many that are distinct
//	@5s answers A ...       what the next writes are answered; ok when there are no more
//	@5s release A           answers the oldest of the writes that were answered "hold"
//	@5s flush | abandon | wait
//	@5s stats | list        the accounts, and the series with their counts
//	@0s max N | retry D     of all caches
//	@0s process NAME        one whose series survive, with a server that stores their Events
//	@0s expire | forge      all that it has stored; something under each of the first names of web
//	@0s edit JSON           the one Event that it has stored; OWN is the ID of its first share
//	@0s limit N D           of doubled counts
//	@0s objects N           different Events of an object
//
// An answer is ok, exists (as ok, but without an object), lost (the write's fate
// is unknown), busy (refused for now), failed (as its namespace is), forbidden (by RBAC),
// held (this one is, by itself), denied (as that, by a webhook), conflict, expired, invalid,
// nothing (as ok, by a sink that does not tell what is stored) or hold. Lines that are
// indented are what happens and are rewritten by -update.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, scenario := range strings.Split("\n"+strings.TrimSpace(string(data)), "\n-- ")[1:] {
			name, want, _ := strings.Cut(scenario+"\n", " --\n")
			t.Run(name, func(t *testing.T) {
				got := play(t, want)
				fmt.Fprintf(&all, "-- %s --\n%s", name, got)
				if diff := cmp.Diff(want, got); diff != "" && !*update {
					t.Errorf("-want +got (go test -update accepts it):\n%s", diff)
				}
			})
		}
		if *update {
			if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// play returns the script with what happens filled in.
func play(t *testing.T, script string) string {
	p := &player{t: t, iv: intervals, max: 16, now: epoch, created: map[string]string{}, last: map[string]*Write{}}
	p.reset()
	for line := range strings.Lines(script) {
		switch {
		case strings.HasPrefix(line, "@"):
			p.command(line)
		case !strings.HasPrefix(line, "  "):
			p.out.WriteString(line)
		}
	}
	return p.out.String()
}

// player drives caches as recorder, writer and server together, one thing at a time.
type player struct {
	t   *testing.T
	iv  Intervals
	max int

	caches []*Cache
	named  map[string]*Cache
	cache  *Cache // of the commands

	server   *shelf // of the processes
	instance string // the present one

	now     time.Time
	out     strings.Builder
	answers []string
	version int     // of the objects on the server
	retries []retry // what failed, and the writer sends again
	held    []held  // writes without an answer yet
	flushes []*Flush
	last    map[string]*Write // by the object
	created map[string]string // the name of the last Event, by the object
}

type retry struct {
	s  *entry
	at time.Time
}

type held struct {
	s *entry
	w *Write
}

// reset makes the caches anew.
func (p *player) reset() {
	p.caches, p.named, p.server = nil, map[string]*Cache{}, newShelf(p.t)
	p.use("")
}

// use makes the cache of that name the one of the commands.
func (p *player) use(name string) {
	if p.named[name] == nil {
		p.named[name] = NewCache(p.iv, p.max, epoch)
		p.caches = append(p.caches, p.named[name])
	}
	p.cache = p.named[name]
}

func (p *player) command(line string) {
	fields := strings.Fields(line)
	offset, err := time.ParseDuration(fields[0][1:])
	if err != nil || len(fields) < 2 {
		p.t.Fatalf("%q: %v", line, err)
	}
	p.sleepUntil(at(offset))
	p.out.WriteString(line)
	p.do(fields[1], fields[2:])
	p.turn()
}

// sleepUntil lets all deadlines until then come.
func (p *player) sleepUntil(end time.Time) {
	for {
		next := p.turn()
		if len(p.retries) > 0 && (next.IsZero() || p.retries[0].at.Before(next)) {
			next = p.retries[0].at
		}
		if next.IsZero() || next.After(end) {
			break
		}
		p.now = next
		for len(p.retries) > 0 && !p.now.Before(p.retries[0].at) {
			s := p.retries[0].s
			p.retries = p.retries[1:]
			p.write(s)
		}
	}
	p.now = end
}

// turn does what is due and returns when something will be.
func (p *player) turn() (next time.Time) {
	for again := true; again; {
		again, next = false, time.Time{}
		for _, c := range p.caches {
			due, dropped, at := expire(c, p.now)
			p.give(dropped)
			p.writeAll(due)
			again = again || len(due) > 0
			if !at.IsZero() && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	}
	p.flushes = slices.DeleteFunc(p.flushes, func(f *Flush) bool {
		select {
		case <-f.Done():
			p.printf("flushed")
			return true
		default:
			return false
		}
	})
	return next
}

func (p *player) do(verb string, args []string) {
	switch verb {
	case "observe":
		p.observe(args)
	case "answers":
		p.answers = args
	case "release":
		h := p.held[0]
		p.held = p.held[1:]
		p.settle(h.s, h.w, args[0])
	case "flush":
		due, f := flushAll(p.cache, p.now)
		p.writeAll(due)
		if n := f.Remaining(); n > 0 {
			p.printf("%d waited for", n)
			p.flushes = append(p.flushes, f)
		}
	case "abandon":
		p.give(p.cache.Abandon())
	case "stats":
		p.stats()
	case "list":
		p.list()
	case "process":
		p.use(args[0])
		if p.instance = args[0]; p.cache.shares == nil {
			p.cache.ShareCounts()
		}
	case "expire":
		clear(p.server.events)
	case "edit":
		edited := p.server.only()
		edited.ResourceVersion = "edited"
		shares, _ := SharesOf(edited.Annotations)
		text := strings.ReplaceAll(strings.Join(args, " "), "OWN", shares[0].ID)
		if err := json.Unmarshal([]byte(text), edited); err != nil {
			p.t.Fatal(err)
		}
	case "forge":
		p.server.forge(spread("web", warning))
	case "wait":
	default:
		p.set(verb, args)
	}
}

// set changes a setting of the caches.
func (p *player) set(verb string, args []string) {
	n, _ := strconv.Atoi(args[0])
	switch verb {
	case "max":
		p.max = n
		p.reset()
	case "retry":
		p.iv.RetryFor, _ = time.ParseDuration(args[0])
		p.reset()
	case "limit":
		interval, _ := time.ParseDuration(args[1])
		p.cache.LimitPublishing(n, interval)
	case "objects":
		p.cache.LimitObjects(n)
	default:
		p.t.Fatalf("unknown command %q", verb)
	}
}

func (p *player) observe(args []string) {
	o, n, names := Occurrence{Key: spread("web", warning), At: p.now}, 1, []string(nil)
	o.ReportingInstance = p.instance
	for _, arg := range args {
		key, value, isPair := strings.Cut(arg, "=")
		times, err := strconv.Atoi(strings.TrimPrefix(arg, "x"))
		switch {
		case err == nil:
			n = times
		case arg == normal:
			o.Type = normal
		case !isPair:
			names = append(names, arg)
		case key == "reason":
			o.Reason = value
		case key == "note":
			o.Note = value
		case key == "distinct":
			o.DistinctNotes, _ = strconv.Atoi(value)
		default:
			if o.Annotations == nil {
				o.Annotations = map[string]string{}
			}
			o.Annotations[key] = value
		}
	}
	o.LatestNote = o.Note != "" && o.DistinctNotes == 0
	for _, name := range append(names, "web")[:max(len(names), 1)] {
		o.Regarding.Name = name
		for range n {
			r := record(p.cache, o.Key, o)
			p.give(r.Effects.Dropped)
			if r.Series == nil {
				p.printf("dropped 1 %v", r.Dropped)
			}
			p.writeAll(r.Due)
		}
	}
}

func (p *player) writeAll(due []Due) {
	for _, d := range due {
		p.write(seriesOf(d.Item))
	}
}

// write sends the next write of s and lets the server answer.
func (p *player) write(s *entry) {
	w := begin(s)
	if w == nil {
		p.printf("nothing to write")
		return
	}
	p.print(w)
	answer := "ok"
	if len(p.answers) > 0 {
		answer, p.answers = p.answers[0], p.answers[1:]
	}
	if answer == "hold" {
		p.held = append(p.held, held{s, w})
		return
	}
	p.settle(s, w, answer)
}

// answers are what may be answered to a write.
var answers = map[string]answer{
	"ok": accepted, "exists": {Verdict: request.Verdict{Action: request.Stored, Exists: true}},
	"lost": unanswered, "busy": busy, "held": heldBack, "invalid": refused,
	"failed":    {Verdict: request.Verdict{Action: request.Retry, Gate: request.Namespace}},
	"forbidden": {Verdict: request.Verdict{Action: request.Forbidden, Gate: request.Namespace}},
	"denied": {Verdict: request.Verdict{
		Action: request.Forbidden, Gate: request.Namespace, Hold: true, Reason: stats.Rejected,
	}},
	"conflict": {Verdict: request.Verdict{Action: request.Resend}},
	"expired":  {Verdict: request.Verdict{Action: request.Recreate}},
	"nothing":  accepted,
}

func (p *player) settle(s *entry, w *Write, what string) {
	a, known := answers[what]
	if !known {
		p.t.Fatalf("unknown answer %q", what)
	}
	if what == "ok" {
		p.version++
		a.version = strconv.Itoa(p.version)
	}
	var stored *eventsv1.Event
	if p.instance != "" && what == "ok" {
		a.Verdict, stored = p.server.apply(w)
		what = map[request.Action]string{request.Stored: "ok", request.Resend: "conflict", request.Recreate: "expired"}[a.Action]
	} else if a.version != "" {
		stored = &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{ResourceVersion: a.version}}
	}
	p.printf("    %s", what)
	next, effects := s.Settle(w, a.Verdict, stored, p.now)
	p.give(effects.Dropped)
	switch {
	case next != 0 && (a.Action == request.Retry || a.Action == request.Forbidden): // the gate closes for a while
		p.retries = append(p.retries, retry{s, p.now.Add(time.Second)})
	case next != 0:
		p.write(s)
	}
}

func (p *player) print(w *Write) {
	verb, annotations, name := "create", w.Event.Annotations, w.Event.Regarding.Name
	switch {
	case w.ReadVersion:
		verb, annotations = "look", nil
	case w.Op == request.Patch:
		verb, annotations = "patch", w.annotations
	}
	line := verb
	if name != "web" {
		line += " " + name
	}
	if verb != "look" {
		line += fmt.Sprint(" count=", w.Count)
	}
	if verb != "look" && w.Total != w.Count {
		line += fmt.Sprintf(" adds %d to make %d", w.Delta, w.Total)
	}
	if s := w.Event.Series; s != nil {
		line += fmt.Sprintf(" series=%d last=%v", s.Count, s.LastObservedTime.Sub(epoch))
	}
	if w.Op == request.Patch && w.Unconditional && !w.ReadVersion {
		line += " unconditional"
	}
	if began := w.Event.EventTime.Time; w.Op == request.Create && !began.Equal(p.now) {
		line += fmt.Sprintf(" began=%v", began.Sub(epoch))
	}
	if shares, err := SharesOf(annotations); err == nil {
		line += " shares"
		for _, share := range shares {
			line += fmt.Sprintf(" %s:%d", share.Instance, share.Count)
		}
		annotations = maps.Clone(annotations)
		delete(annotations, Counts)
	}
	if len(annotations) > 0 {
		line += fmt.Sprintf(" %v", annotations)
	}
	if last := p.created[name]; w.Event.Name != last && last != "" {
		line += " (another Event)"
	}
	if w == p.last[name] {
		line += " (byte-identical)"
	}
	p.created[name], p.last[name] = w.Event.Name, w
	p.printf("%s", line)
}

func (p *player) give(dropped []Dropped) {
	for _, g := range dropped {
		p.printf("dropped %d %v", g.Occurrences, g.Reason)
	}
}

// list prints what is not as usual of each series.
func (p *player) list() {
	all, _ := p.cache.List(100, p.now)
	slices.SortStableFunc(all, func(a, b State) int {
		if a.Observed != b.Observed {
			return int(b.Observed - a.Observed)
		}
		return a.First.Compare(b.First)
	})
	var series []string
	for _, s := range all {
		text := s.Regarding.Name
		if s.Reason != "Killing" {
			text += " " + s.Reason
		}
		if s.Note != "" && s.Reason != OverflowReason {
			text += " " + s.Note
		}
		if s.Name != p.created[s.Regarding.Name] && p.instance != "" {
			text += " under another name"
		}
		series = append(series, fmt.Sprint(text, " ", s.Observed))
	}
	p.printf("has %s", strings.Join(series, ", "))
}

func (p *player) stats() {
	total, pending, size := snapshotOf(p.cache)
	line := fmt.Sprintf("observed=%d recorded=%d pending=%d unconfirmed=%d series=%d",
		total.Observed, total.Recorded, pending, total.Unconfirmed, size)
	sum := total.Recorded + pending
	for _, r := range stats.Reasons() {
		if sum += total.Dropped[r]; total.Dropped[r] > 0 {
			line += fmt.Sprintf(" %v=%d", r, total.Dropped[r])
		}
	}
	if sum != total.Observed {
		p.t.Errorf("I1: observed %d, accounted for %d", total.Observed, sum)
	}
	p.printf("%s", line)
}

func (p *player) printf(format string, args ...any) {
	fmt.Fprintf(&p.out, "  %v "+format+"\n", slices.Insert(args, 0, any(p.now.Sub(epoch)))...)
}
