// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:debug randseednop=0

package eventview_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	oldrand "math/rand"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/eventview"
)

var seeds = flag.Int("seeds", 0, "how many seeds TestReaders plays, instead of 2000, or 100 with -short")

// TestReaders plays random schedules of writers, of a server, and of a reader that is killed and
// starts again, and compares the sums of the reader with the recorded occurrences. READER_SEED=n
// plays one seed and prints its trace.
//
// For all Events that were passed to the reader it demands:
//
//   - No delta is negative.
//   - The sum of New and Earlier is the highest count that the reader was passed.
//   - The sum of New is the number of occurrences since the tracker began, as far as an Event shows
//     that.
//   - Five minutes after the last failure, the reader has been passed every stored Event, and does
//     not send requests without a pause.
func TestReaders(t *testing.T) {
	cores := runtime.GOMAXPROCS(1) // the scheduler decides less
	defer runtime.GOMAXPROCS(cores)
	if text := os.Getenv("READER_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		w := play(t, seed)
		t.Logf("%s\n%s", strings.Join(w.lines, "\n"), strings.Join(w.problems, "\n"))
		if len(w.problems) > 0 {
			t.Fail()
		}
		return
	}
	n := 2000
	if testing.Short() {
		n = 100
	}
	if *seeds > 0 {
		n = *seeds
	}
	began := time.Now()
	var sum coverage
	failed := map[string][]uint64{}
	for seed := range uint64(n) {
		w := play(t, seed)
		sum.add(&w.coverage)
		if len(w.problems) == 0 {
			continue
		}
		rule, _, _ := strings.Cut(w.problems[0], ":")
		failed[rule] = append(failed[rule], seed)
		if len(failed[rule]) == 1 {
			last := w.lines[max(len(w.lines)-60, 0):]
			t.Errorf("READER_SEED=%d:\n%s\n%s", seed, strings.Join(last, "\n"), strings.Join(w.problems, "\n"))
		}
	}
	t.Logf("%d seeds in %v: %+v", n, time.Since(began).Round(time.Millisecond), sum)
	for _, rule := range slices.Sorted(maps.Keys(failed)) {
		t.Errorf("%s: %d seeds, such as %v", rule, len(failed[rule]), failed[rule][:min(len(failed[rule]), 10)])
	}
	if n >= 100 && sum.missing() {
		t.Errorf("%+v: something never happens", sum)
	}
}

// coverage counts how often something happened, so that a simulation in which it never happens
// fails.
type coverage struct {
	told, writes, expired, restores, kills, resumed, failures, checked, hidden int
}

func (c *coverage) add(o *coverage) {
	c.told += o.told
	c.writes += o.writes
	c.expired += o.expired
	c.restores += o.restores
	c.kills += o.kills
	c.resumed += o.resumed
	c.failures += o.failures
	c.checked += o.checked
	c.hidden += o.hidden
}

func (c *coverage) missing() bool {
	return min(c.told, c.writes, c.expired, c.restores, c.kills, c.resumed, c.failures, c.checked, c.hidden) == 0
}

// style is the set of fields in which a writer stores times and counts.
type style int

const (
	// bySeries is the style of client-go's tools/events and of this SDK.
	bySeries style = iota
	// byCount is the style of client-go's tools/record.
	byCount
	// byBoth is the style of this SDK through core/v1.
	byBoth
	// movingTime is the style of KubeBlocks.
	movingTime
	// byShares is the style of this SDK with WithSharedCounts.
	byShares
	// styles is the number of styles.
	styles
)

// counter is the count of one process in an Event.
type counter struct {
	id string
	// name is the name of the Event.
	name  string
	style style
	// ahead is the time by which the writer's clock is ahead.
	ahead time.Duration
	first time.Time
	count int64
}

// stages are the counts of one counter that the server has stored, in their order.
type stages struct {
	counter *counter
	at      []time.Time
	counts  []int64
	// lost is the first time at which a restore removed some of the counts.
	lost time.Time
}

func (s *stages) until(t time.Time) (count int64) {
	for i, at := range s.at {
		if !at.After(t) {
			count = max(count, s.counts[i])
		}
	}
	return count
}

// ledger has the results of a reader. The reader stores it together with a checkpoint.
type ledger struct {
	checkpoint []byte
	// sums has the sum of the deltas of each Event.
	sums map[string]eventview.Delta
	// readings has, for each Event, the number of readings that may be of a series that the tracker
	// had forgotten.
	readings map[string]int64
	// told has the highest count of each counter that the reader was passed.
	told map[string]int64
	// listed is the time at which the first list was complete.
	listed time.Time
	// inList has the counters that were in the first list.
	inList map[string]bool
	// created has the creation time of the Event in which each counter was first read.
	created map[string]time.Time
}

func (l *ledger) clone() *ledger {
	return &ledger{
		checkpoint: l.checkpoint,
		sums:       maps.Clone(l.sums),
		readings:   maps.Clone(l.readings),
		told:       maps.Clone(l.told),
		listed:     l.listed,
		inList:     maps.Clone(l.inList),
		created:    maps.Clone(l.created),
	}
}

// world is the simulation of one seed.
type world struct {
	coverage
	t      *testing.T
	random *rand.Rand
	server *etcd
	// began is the time at which the simulation began.
	began    time.Time
	counters []*counter
	stages   map[string]*stages
	// restored reports whether there was a restore since the tracker began.
	restored bool

	limit int64
	// series is the number of series that the tracker may know. 0 means the default.
	series int
	// every is the number of changes between two checkpoints.
	every int

	mu sync.Mutex
	// tracker is the time at which the tracker began.
	tracker time.Time
	stored  *ledger
	current *ledger
	slow    time.Duration
	// kill stops the reader. It is nil while the reader is stopped.
	kill context.CancelFunc
	dead chan struct{}

	traceMu  sync.Mutex
	lines    []string
	problems []string
}

func play(t *testing.T, seed uint64) (w *world) {
	// Package wait takes its jitter from the global random numbers.
	oldrand.Seed(int64(seed))
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(seed, 1))
		w = &world{
			t:      t,
			random: random,
			server: newEtcd(seed),
			began:  time.Now(),
			stages: map[string]*stages{},
			limit:  []int64{0, 2, 3, 5, 7}[random.IntN(5)],
			every:  1 + random.IntN(6),
		}
		if random.IntN(6) == 0 {
			w.series = 3 + random.IntN(10)
		}
		w.server.trace = w.trace
		w.server.listed = w.listed
		w.server.answers = answers{
			gone:    goneAnswer(random.IntN(4)),
			noToken: random.IntN(5) == 0,
			future:  []int{500, 504}[random.IntN(2)],
		}
		w.trace("%+v, limit %d, series %d, a checkpoint every %d", w.server.answers, w.limit, w.series, w.every)
		w.run()
	})
	return w
}

func (w *world) trace(format string, args ...any) {
	w.traceMu.Lock()
	defer w.traceMu.Unlock()
	at := time.Since(w.began).Round(time.Millisecond)
	w.lines = append(w.lines, fmt.Sprintf("%10v ", at)+fmt.Sprintf(format, args...))
}

// fail records that the reader has broken a rule.
func (w *world) fail(rule, format string, args ...any) {
	w.trace("FAIL %s: "+format, append([]any{rule}, args...)...)
	w.traceMu.Lock()
	defer w.traceMu.Unlock()
	w.problems = append(w.problems, fmt.Sprintf("%s: "+format, append([]any{rule}, args...)...))
}

// upTo returns a random duration below long.
func (w *world) upTo(long time.Duration) time.Duration {
	return time.Duration(w.random.Int64N(int64(long)))
}

func (w *world) run() {
	for range w.random.IntN(30) {
		w.occur()
		if w.random.IntN(8) == 0 {
			w.expire()
		}
		time.Sleep(w.upTo(10 * time.Minute))
	}
	w.beginAnew()
	for range 20 + w.random.IntN(60) {
		w.act()
		if len(w.problems) > 0 {
			break
		}
	}
	w.check()
	w.stop()
	w.server.cut()
}

// act plays one random step.
func (w *world) act() {
	switch n := w.random.IntN(100); {
	case n < 50:
		for range 1 + w.random.IntN(5) {
			w.occur()
		}
	case n < 56:
		w.expire()
	case n < 64:
		w.server.compact(w.random.Int64N(15))
	case n < 67:
		w.server.cut()
		w.server.set(failures{down: true})
		time.Sleep(w.upTo(5 * time.Minute))
		w.server.set(failures{})
	case n < 70:
		w.restore()
	case n < 76:
		w.failures++
		w.server.set(failures{
			list:  []int{0, 500, 429}[w.random.IntN(3)],
			watch: []int{0, 0, 500, 403, 429}[w.random.IntN(5)],
			short: w.random.IntN(3) == 0,
			lost:  w.random.IntN(3) == 0,
		})
		if w.random.IntN(2) == 0 {
			w.server.cut()
		}
	case n < 79:
		w.server.set(failures{})
	case n < 84:
		w.stop()
		time.Sleep(w.upTo(2 * time.Hour))
		w.start()
	case n < 86:
		w.beginAnew()
	case n < 91:
		w.mu.Lock()
		w.slow = w.upTo(90*time.Second) * time.Duration(w.random.IntN(2))
		w.mu.Unlock()
	case n < 95:
		w.check()
	default:
		time.Sleep(w.upTo(time.Hour))
	}
	if w.random.IntN(2) == 0 {
		time.Sleep(w.upTo(time.Minute))
	}
}

// occur adds occurrences to a random counter, and writes its Event.
func (w *world) occur() {
	var c *counter
	if i := w.random.IntN(len(w.counters) + 2); i < len(w.counters) {
		c = w.counters[i]
	} else {
		c = w.newCounter("", style(w.random.IntN(int(styles))))
		if c.style == byShares {
			w.newCounter(c.name, byShares).ahead = c.ahead
		}
	}
	now := time.Now().Add(c.ahead)
	if c.count == 0 {
		c.first = now
	}
	if w.server.newest(c.name) == nil && c.count > 0 && now.Sub(c.first) > time.Minute &&
		(c.style == movingTime || c.style != byShares && w.random.IntN(4) == 0) {
		// The Event is gone. The writer starts a new series under the same name.
		w.counters = slices.DeleteFunc(w.counters, func(other *counter) bool { return other == c })
		old := c
		c = w.newCounter(old.name, old.style)
		c.ahead = old.ahead
		c.first = now
	}
	c.count += 1 + w.random.Int64N(5)
	w.write(c, now)
}

// offsets are the times by which the clocks of some writers are ahead.
var offsets = []time.Duration{
	-time.Hour, -5 * time.Minute, -20 * time.Second, 20 * time.Second, 5 * time.Minute, time.Hour, 1000 * time.Hour,
}

// newCounter adds a counter. It counts in the Event of that name, or in an Event of its own if name
// is empty.
func (w *world) newCounter(name string, how style) *counter {
	c := &counter{id: fmt.Sprint("c", len(w.stages)), name: name, style: how}
	if name == "" {
		c.name = fmt.Sprintf("%c-%s", 'a'+rune(w.random.IntN(26)), c.id)
	}
	if w.random.IntN(3) == 0 {
		c.ahead = offsets[w.random.IntN(len(offsets))]
	}
	w.counters = append(w.counters, c)
	w.stages[c.id] = &stages{counter: c}
	return c
}

// parts is an annotation with the counters of an Event. Only the rules of the simulation read it.
const parts = "simulation/parts"

func partsIn(e *eventsv1.Event) map[string]int64 {
	counts := map[string]int64{}
	_ = json.Unmarshal([]byte(e.Annotations[parts]), &counts)
	return counts
}

func hasPart(e *eventsv1.Event, id string) bool {
	_, ok := partsIn(e)[id]
	return ok
}

func (w *world) write(c *counter, now time.Time) {
	if e := w.server.newest(c.name); e != nil && c.style != byShares && !hasPart(e, c.id) {
		// A restore has brought back an older Event of the same name, with another counter.
		w.counters = slices.DeleteFunc(w.counters, func(other *counter) bool { return other == c })
		return
	}
	done := w.server.write(c.name, func(stored *eventsv1.Event) *eventsv1.Event {
		counts := map[string]int64{c.id: c.count}
		first := c.first
		if stored != nil && c.style == byShares {
			counts = partsIn(stored)
			counts[c.id] = c.count
			first = stored.EventTime.Time
		}
		return event(c.style, counts, first, now)
	})
	if !done {
		return
	}
	w.writes++
	s := w.stages[c.id]
	s.at = append(s.at, time.Now())
	s.counts = append(s.counts, c.count)
}

// event returns an Event in the style of a writer.
func event(how style, counts map[string]int64, first, last time.Time) *eventsv1.Event {
	text, err := json.Marshal(counts)
	if err != nil {
		panic(err)
	}
	e := &eventsv1.Event{}
	e.Annotations = map[string]string{parts: string(text)}
	var sum int64
	var shares []map[string]any
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		sum += counts[id]
		shares = append(shares, map[string]any{"instance": "i", "id": id, "count": counts[id]})
	}
	switch how {
	case bySeries, byBoth, byShares:
		e.EventTime = metav1.NewMicroTime(first.Truncate(time.Microsecond))
		if sum > 1 {
			e.Series = &eventsv1.EventSeries{Count: int32(sum), LastObservedTime: metav1.NewMicroTime(last)}
		}
	case movingTime:
		e.EventTime = metav1.NewMicroTime(last.Truncate(time.Microsecond))
	}
	switch how {
	case byCount, byBoth, movingTime:
		e.DeprecatedFirstTimestamp = metav1.NewTime(first.Truncate(time.Second))
		e.DeprecatedLastTimestamp = metav1.NewTime(last.Truncate(time.Second))
		e.DeprecatedCount = int32(sum)
	case byShares:
		text, err := json.Marshal(shares)
		if err != nil {
			panic(err)
		}
		e.Annotations["eventseries.dev/counts"] = string(text)
	}
	return e
}

// expire deletes one random Event, or all Events that have been quiet for an hour.
func (w *world) expire() {
	all := w.server.stored()
	if len(all) == 0 {
		return
	}
	w.expired++
	if w.random.IntN(2) == 0 {
		w.server.remove(all[w.random.IntN(len(all))].Name)
		return
	}
	for _, e := range all {
		quiet := true
		for id := range partsIn(e) {
			at := w.stages[id].at
			quiet = quiet && time.Since(at[len(at)-1]) > time.Hour
		}
		if quiet {
			w.server.remove(e.Name)
		}
	}
}

func (w *world) restore() {
	w.restores++
	before := map[string]int64{}
	for _, e := range w.server.stored() {
		maps.Copy(before, partsIn(e))
	}
	w.server.restore()
	w.restored = true
	for _, e := range w.server.stored() {
		for id, count := range partsIn(e) {
			before[id] = max(before[id], w.stages[id].until(time.Now()))
			if count >= before[id] {
				delete(before, id)
			}
		}
	}
	for id := range before {
		if s := w.stages[id]; s.lost.IsZero() {
			s.lost = time.Now()
		}
	}
}

// beginAnew starts a reader without a checkpoint.
func (w *world) beginAnew() {
	w.stop()
	// No write is at the same time as the beginning of the tracker.
	time.Sleep(time.Millisecond)
	tracker := eventview.NewTracker(time.Now(), w.series)
	checkpoint, err := tracker.MarshalBinary()
	if err != nil {
		w.t.Fatal(err)
	}
	w.tracker = time.Now()
	w.restored = false
	w.stored = &ledger{
		checkpoint: checkpoint,
		sums:       map[string]eventview.Delta{},
		readings:   map[string]int64{},
		told:       map[string]int64{},
		inList:     map[string]bool{},
		created:    map[string]time.Time{},
	}
	w.trace("a tracker begins")
	w.start()
	time.Sleep(time.Millisecond)
}

// start starts the reader from its last stored checkpoint, unless it runs.
func (w *world) start() {
	if w.kill != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.kill = cancel
	w.dead = make(chan struct{})
	w.mu.Lock()
	w.current = w.stored.clone()
	w.mu.Unlock()
	w.server.begin()
	w.resumed++
	w.trace("the reader starts")
	go w.read(ctx, w.random.Uint64())
}

// stop kills the reader. Results that it has not stored are lost.
func (w *world) stop() {
	if w.kill == nil {
		return
	}
	w.kills++
	w.kill()
	<-w.dead
	w.kill = nil
	w.trace("the reader is dead")
}

func (w *world) read(ctx context.Context, seed uint64) {
	defer close(w.dead)
	random := rand.New(rand.NewPCG(seed, 3))
	tracker := eventview.NewTracker(time.Now(), w.series)
	if err := tracker.UnmarshalBinary(w.current.checkpoint); err != nil {
		w.t.Error(err)
		return
	}
	options := metav1.ListOptions{Limit: w.limit}
	n := 0
	for change, err := range eventview.Watch(ctx, w.server, options, tracker) {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			w.trace("the reader: %v", err)
			continue
		}
		w.tell(&change)
		if n++; n%w.every == 0 {
			w.store(tracker)
		}
		w.mu.Lock()
		slow := w.slow
		w.mu.Unlock()
		if slow > 0 {
			time.Sleep(time.Duration(random.Int64N(int64(slow))))
		}
	}
}

func (w *world) store(tracker *eventview.Tracker) {
	checkpoint, err := tracker.MarshalBinary()
	if err != nil {
		w.t.Error(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.current.checkpoint = checkpoint
	w.stored = w.current.clone()
}

// listed is called when the reader has read a complete list.
func (w *world) listed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current.listed.IsZero() {
		w.current.listed = time.Now()
	}
}

// tell adds a change that was passed to the reader to its results.
func (w *world) tell(change *eventview.Change) {
	d := change.Delta
	w.trace("told of %s x%d at %s, deleted %v, %v: %+v", change.Name, change.Count, change.ResourceVersion, change.Deleted,
		partsIn(change.Object.(*eventsv1.Event)), d)
	if d.New < 0 || d.Earlier < 0 {
		w.fail("a delta is negative", "%s %+v", change.Name, d)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told++
	l := w.current
	sum := l.sums[change.Name]
	sum.New += d.New
	sum.Earlier += d.Earlier
	l.sums[change.Name] = sum
	_, again := l.readings[change.Name]
	// The entry must exist from now on, even if it is 0.
	l.readings[change.Name] += 0
	if !change.Deleted && d.New == 1 && d.Earlier == change.Count-1 {
		l.readings[change.Name]++
	}
	for id, count := range partsIn(change.Object.(*eventsv1.Event)) {
		l.told[id] = max(l.told[id], count)
		// If another process adds its share to an Event that was read before, the share is New,
		// even if its occurrences are older.
		if l.listed.IsZero() && (len(change.Shares) == 0 || !again) {
			l.inList[id] = true
		}
		if _, ok := l.created[id]; !ok {
			l.created[id] = change.Created
		}
	}
}

// check ends all failures for five minutes, adds some occurrences, and then checks the rules.
func (w *world) check() {
	w.checked++
	w.mu.Lock()
	w.slow = 0
	w.mu.Unlock()
	w.server.set(failures{})
	w.start()
	for range 3 {
		w.occur()
	}
	before := w.server.asked()
	time.Sleep(5 * time.Minute)
	synctest.Wait()
	asked := w.server.asked() - before
	w.trace("check")
	all := w.server.stored()
	if most := 40 + 3*len(all); asked > most {
		w.fail("the reader asks all the time", "%d requests, want at most %d", asked, most)
	}
	stored := len(all)
	all = slices.DeleteFunc(all, w.server.isHidden)
	w.hidden += stored - len(all)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range all {
		for id, count := range partsIn(e) {
			if told := w.current.told[id]; told < count {
				w.fail("the reader is silent", "%s of %s has %d since %v, told of %d", id, e.Name, count, e.ResourceVersion, told)
			}
		}
	}
	w.checkSums()
}

// checkSums compares the sums of the reader with the recorded occurrences.
func (w *world) checkSums() {
	l := w.current
	byName := map[string][]*stages{}
	for id := range l.told {
		s := w.stages[id]
		byName[s.counter.name] = append(byName[s.counter.name], s)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		sum := l.sums[name]
		var told, most, least int64
		exactMost := true
		// early reports that an old series was first read after the first list. The tracker then
		// takes only one of its occurrences for New, so there is no lower bound.
		early := false
		for _, s := range byName[name] {
			late := w.tracker.Add(-58 * time.Second)
			old := s.counter.first.Before(late) || l.created[s.counter.id].Before(late)
			early = early || old && !l.inList[s.counter.id]
		}
		for _, s := range byName[name] {
			id := s.counter.id
			told += l.told[id]
			most += l.told[id] - min(s.until(w.tracker), l.told[id])
			exactMost = exactMost && w.shows(s)
			if !early && !l.listed.IsZero() {
				least += l.told[id] - min(s.until(l.listed), l.told[id])
			}
		}
		switch forgets := w.series > 0; {
		case forgets && sum.New+sum.Earlier < told, !forgets && sum.New+sum.Earlier != told:
			w.fail("New and Earlier do not add up", "%s: %+v, told of %d", name, sum, told)
		case !forgets && exactMost && sum.New > most:
			w.fail("what is from before is New", "%s: %+v, want at most %d New", name, sum, most)
		case forgets && exactMost && sum.New > most+l.readings[name]:
			w.fail("what was forgotten is New", "%s: %+v, want at most %d New, and %d", name, sum, most, l.readings[name])
		case !forgets && sum.New < least:
			w.fail("what is New is from before", "%s: %+v, want at least %d New", name, sum, least)
		}
	}
}

// shows reports whether the Event of a counter shows how many of its occurrences are from before
// the tracker began.
func (w *world) shows(s *stages) bool {
	l := w.current
	switch id := s.counter.id; {
	case !s.lost.IsZero() && (l.listed.IsZero() || !s.lost.After(l.listed)):
		// A restore had removed some counts before the first list.
		return false
	case w.series > 0 && (w.restored || s.counter.ahead > 50*time.Second || s.counter.style == byShares):
		// The tracker may have forgotten the series. After a restore its count may be lower or its
		// Event a new one, and a share has no first time of its own.
		return false
	case s.until(w.tracker) == 0:
		return true
	case l.created[id].After(w.tracker) &&
		(s.counter.style == byShares || !s.counter.first.Before(w.tracker.Add(-62*time.Second))):
		// The Event was created again, and its times do not show that the series is older than the
		// tracker.
		return false
	case l.inList[id]:
		return true
	case s.counter.style == byShares:
		return false
	}
	// The Event existed before the tracker began, but not at that time. Later it was created again
	// or restored.
	return !w.restored && s.counter.first.Before(w.tracker.Add(-62*time.Second))
}

// newest returns the newest stored Event of a name, or nil.
func (s *etcd) newest(name string) *eventsv1.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(name, s.revision)
}

// asked returns the number of requests.
func (s *etcd) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}
