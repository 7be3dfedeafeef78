// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// TestScenarios plays the scenarios of testdata/*.txtar. A line that begins with @ is a
// command at a time since the beginning:
//
//	@5s observe [xN] [note=N] [key=value ...]   occurrences, with annotations
//	@5s answers A ...                           what the next writes are answered; ok when there are no more
//	@5s release A                               answers the write that was answered "hold"
//	@5s flush | wait | stats
//	@0s limit N D                               of doubled counts
//
// An answer is ok, exists (as ok, but without an object), lost (the write's fate
// is unknown), busy (refused for now), held (this one is, by itself), conflict,
// expired, invalid or hold. Lines that are indented are what happens and are
// rewritten by -update.
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
	p := &player{t: t, cache: newCache(intervals, 16), now: epoch}
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

// player drives a cache as recorder, writer and server together, one thing at a
// time.
type player struct {
	t       *testing.T
	cache   *Cache
	now     time.Time
	out     strings.Builder
	answers []string
	version int       // of the one object on the server
	retryAt time.Time // when the writer sends again what failed
	retry   *Series
	held    *Series // its write has no answer yet
	holding *Write
	last    *Write
	created string // the name of the last Event
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
		if p.retry != nil && (next.IsZero() || p.retryAt.Before(next)) {
			next = p.retryAt
		}
		if next.IsZero() || next.After(end) {
			break
		}
		p.now = next
		if p.retry != nil && !p.now.Before(p.retryAt) {
			s := p.retry
			p.retry = nil
			p.write(s)
		}
	}
	p.now = end
}

// turn does what is due and returns when something will be.
func (p *player) turn() time.Time {
	for {
		due, dropped, next := expire(p.cache, p.now)
		p.give(dropped)
		for _, d := range due {
			p.write(seriesOf(d.Item))
		}
		if len(due) == 0 {
			return next
		}
	}
}

func (p *player) do(verb string, args []string) {
	switch verb {
	case "observe":
		p.observe(args)
	case "answers":
		p.answers = args
	case "release":
		s, w := p.held, p.holding
		p.held, p.holding = nil, nil
		p.settle(s, w, args[0])
	case "flush":
		due, f := flushAll(p.cache, p.now)
		for _, d := range due {
			p.write(seriesOf(d.Item))
		}
		select {
		case <-f.Done():
		default:
			p.printf("%d waited for", f.Remaining())
			f.Cancel()
		}
	case "stats":
		p.stats()
	case "limit":
		burst, _ := strconv.Atoi(args[0])
		interval, _ := time.ParseDuration(args[1])
		p.cache.LimitPublishing(burst, interval)
	case "wait":
	default:
		p.t.Fatalf("unknown command %q", verb)
	}
}

func (p *player) observe(args []string) {
	o, n := Occurrence{At: p.now}, 1
	for _, arg := range args {
		key, value, isAnnotation := strings.Cut(arg, "=")
		switch {
		case key == "note":
			o.Note, o.LatestNote = value, true
		case isAnnotation:
			if o.Annotations == nil {
				o.Annotations = map[string]string{}
			}
			o.Annotations[key] = value
		default:
			n, _ = strconv.Atoi(strings.TrimPrefix(arg, "x"))
		}
	}
	for range n {
		r := record(p.cache, keyOf("web", warning), o)
		p.give(r.Effects.Dropped)
		if r.Enqueue != 0 {
			p.write(r.Series)
		}
	}
}

// write sends the next write of s and lets the server answer.
func (p *player) write(s *Series) {
	w := begin(s)
	if w == nil {
		p.printf("nothing to write")
		return
	}
	p.print(w)
	p.last = w
	answer := "ok"
	if len(p.answers) > 0 {
		answer, p.answers = p.answers[0], p.answers[1:]
	}
	if answer == "hold" {
		p.held, p.holding = s, w
		return
	}
	p.settle(s, w, answer)
}

func (p *player) settle(s *Series, w *Write, what string) {
	a := busy
	switch what {
	case "ok":
		p.version++
		a = answer{accepted.Verdict, strconv.Itoa(p.version)}
	case "exists":
		a = accepted
		a.Exists = true
	case "lost":
		a = unanswered
	case "busy":
	case "held":
		a = held
	case "conflict":
		a.Action = request.Resend
	case "expired":
		a.Action = request.Recreate
	case "invalid":
		a = refused
	default:
		p.t.Fatalf("unknown answer %q", what)
	}
	p.printf("    %s", what)
	next, dropped := settle(s, w, a, p.now)
	p.give(dropped)
	switch {
	case next != 0 && a.Action == request.Retry: // the gate closes for a while
		p.retry, p.retryAt = s, p.now.Add(time.Second)
	case next != 0:
		p.write(s)
	}
}

func (p *player) print(w *Write) {
	line, annotations := fmt.Sprint("create count=", w.Count), w.Event.Annotations
	switch {
	case w.ReadVersion:
		line, annotations = "look", nil
	case w.Op == request.Patch:
		line, annotations = fmt.Sprint("patch count=", w.Count), w.annotations
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
	if len(annotations) > 0 {
		line += fmt.Sprintf(" %v", annotations)
	}
	if w.Event.Name != p.created && p.created != "" {
		line += " (another Event)"
	}
	if p.created = w.Event.Name; w == p.last {
		line += " (byte-identical)"
	}
	p.printf("%s", line)
}

func (p *player) give(dropped []Dropped) {
	for _, g := range dropped {
		p.printf("dropped %d %v", g.Occurrences, g.Reason)
	}
}

func (p *player) stats() {
	total, pending, size := snapshotOf(p.cache)
	line := fmt.Sprintf("observed=%d recorded=%d pending=%d unconfirmed=%d series=%d",
		total.Observed, total.Recorded, pending, total.Unconfirmed, size)
	for _, r := range stats.Reasons() {
		if total.Dropped[r] > 0 {
			line += fmt.Sprintf(" %v=%d", r, total.Dropped[r])
		}
	}
	p.printf("%s", line)
}

func (p *player) printf(format string, args ...any) {
	fmt.Fprintf(&p.out, "  %v "+format+"\n", slices.Insert(args, 0, any(p.now.Sub(epoch)))...)
}
