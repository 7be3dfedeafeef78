// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package counts

import (
	"fmt"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// compare plays a scene once with each contender, each in a bubble of its own.
func compare(bubble func(func()), s scene, progress Progress, contenders ...world.Contender) []outcome {
	outcomes := make([]outcome, len(contenders))
	for i, contender := range contenders {
		progress(i, len(contenders), contender.Name)
		bubble(func() { outcomes[i] = observe(s, contender) })
	}
	return outcomes
}

func storm(bubble func(func()), s Storm, progress Progress) report.Section {
	all := compare(bubble, s, progress, world.SDK, world.Literal, world.ToolsEvents, world.ToolsRecord)
	sdk, literal, toolsEvents, toolsRecord := all[0], all[1], all[2], all[3]

	rows := writes(all)
	rows[0].Demand = atMost(all[0], 0.8, toolsEvents)
	rows[1].Demand = demand("≤ tools/events", literal.totals.Writes() <= toolsEvents.totals.Writes())
	rows[3].Demand = demand("> eventseries", toolsRecord.totals.Writes() > sdk.totals.Writes())
	excess := sdk.row("writes beyond KEP-383's, of the worst series", "× log2(count)", sdk.excess(literal))
	excess.Demand = demand("≤ 1", sdk.excess(literal) <= 1)
	rows = append(rows, excess)
	rows = append(rows, counted(all)...)
	return report.Section{
		Title: StormTitle,
		Text: fmt.Sprintf("%d pods fit on no node. A scheduler records that for each of them every minute of %v: "+
			"%d occurrences. Its client may write 50 times a second, with bursts of 100.",
			s.Pods, s.Duration, sdk.totals.Occurrences),
		Rows: rows,
		After: "tools/record remembers the last 4,096 objects: of more it creates a new Event each time. " +
			"What its client has no time to write, its queue of 1,000 drops.",
	}
}

func crashLoop(bubble func(func()), c CrashLoop, progress Progress) report.Section {
	all := compare(bubble, c, progress, world.SDK, world.Unlimited, world.ToolsEvents, world.ToolsRecord)
	sdk, toolsEvents, toolsRecord := all[0], all[2], all[3]

	rows := writes(all)
	rows[0].Demand = atMost(sdk, 1.02, toolsEvents)
	rows[3].Demand = demand("> eventseries", toolsRecord.totals.Writes() > sdk.totals.Writes())
	doubled := doublings(all)
	doubled[0].Demand = demand("≤ tools/events", sdk.doublings.Max() <= toolsEvents.doublings.Max())
	rows = append(rows, doubled...)
	rows = append(rows, counted(all)...)
	return report.Section{
		Title: CrashLoopTitle,
		Text: fmt.Sprintf("%d pods crash and are restarted with kubelet's back-off for %v: %d occurrences of Pulled, "+
			"Created, Started and BackOff. A count has doubled when it is twice what the server shows.",
			c.Pods, c.Duration, sdk.totals.Occurrences),
		Rows: rows,
		After: "To show every doubled count at once takes a write at four occurrences of each series and another at eight, " +
			"within minutes and without sparing a later one; the row without a limit has what that costs. With the limit, " +
			"which is there for the server, some of these counts wait until they have doubled again.\n\n" +
			"tools/record's spam filter lets one occurrence in five minutes pass, of each pod and type, whatever its " +
			"reason.",
	}
}

func hot(bubble func(func()), h Hot, progress Progress) report.Section {
	all := compare(bubble, h, progress, world.SDK, world.ToolsEvents, world.ToolsRecord)
	sdk := all[0]

	rows := writes(all)
	doubled := doublings(all)
	doubled[0].Demand = demand("≤ 10 s and the write", sdk.doublings.Max() <= publish+latency)
	rows = append(rows, doubled...)
	rows = append(rows, counted(all)...)
	return report.Section{
		Title: HotTitle,
		Text: fmt.Sprintf("One controller records the same about one object every %v for %v: %d occurrences. "+
			"A count has doubled when it is twice what the server shows.", h.Every, h.Duration, sdk.totals.Occurrences),
		Rows: rows,
	}
}

// A count that has doubled must be visible within publish and the time that the
// write of it takes.
const (
	publish = 10 * time.Second // the default of package events
	latency = 10 * time.Millisecond
)

// doublings is how long the server shows less than half of a count.
func doublings(all []outcome) (rows report.Rows) {
	for _, o := range all {
		rows = append(rows, o.row("until a doubled count is shown, at most", "s", o.doublings.Max().Seconds()))
	}
	return rows
}

// atMost demands that o has so many times the writes of another.
func atMost(o outcome, times float64, other outcome) *report.Demand {
	most := times * float64(other.totals.Writes())
	return demand(fmt.Sprintf("≤ %v × %s", times, other.contender), float64(o.totals.Writes()) <= most)
}

// writes is what the contenders sent to the server.
func writes(all []outcome) (rows report.Rows) {
	for _, o := range all {
		row := o.row("API writes", "writes", float64(o.totals.Writes()))
		row.Note = fmt.Sprintf("%d creates and %d patches, %d Events", o.totals.Creates, o.totals.Patches, o.totals.Events)
		rows = append(rows, row)
	}
	return rows
}

// counted is what the server has of it in the end.
func counted(all []outcome) (rows report.Rows) {
	for _, o := range all {
		row := o.row("series whose count is exact in the end", "%", o.exact())
		if lost := o.totals.Lost(); lost > 0 {
			row.Note = fmt.Sprintf("%d of %d occurrences are in no count", lost, o.totals.Occurrences)
		}
		if o.contender == world.SDK.Name || o.contender == world.Literal.Name {
			row.Demand = demand("100", o.totals.Inexact == 0)
		}
		rows = append(rows, row)
	}
	return rows
}

func demand(text string, pass bool) *report.Demand { return &report.Demand{Text: text, Pass: pass} }
