// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package counts

import (
	"fmt"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// compare plays a scene once with each contender, each in a bubble of its own.
func compare(bubble func(func()), s scene, contenders ...world.Contender) []outcome {
	outcomes := make([]outcome, len(contenders))
	for i, contender := range contenders {
		bubble(func() { outcomes[i] = observe(s, contender) })
	}
	return outcomes
}

func storm(bubble func(func()), s Storm) report.Section {
	all := compare(bubble, s, world.SDK, world.Literal, world.ToolsEvents, world.ToolsRecord)
	sdk, literal, toolsEvents, toolsRecord := all[0], all[1], all[2], all[3]

	rows := writes(all)
	rows[1].Demand = demand("≤ tools/events", literal.totals.Writes() <= toolsEvents.totals.Writes())
	rows[3].Demand = demand("> eventseries", toolsRecord.totals.Writes() > sdk.totals.Writes())
	excess := sdk.row("writes beyond KEP-383's, of the worst series", "× log2(count)", sdk.excess(literal))
	excess.Demand = demand("≤ 1", sdk.excess(literal) <= 1)
	rows = append(rows, excess)
	rows = append(rows, counted(all)...)
	return report.Section{
		Title: "A scheduling storm",
		Text: fmt.Sprintf("%d pods fit on no node. A scheduler says so of each of them every minute, "+
			"for %v of simulated time: %d occurrences. Its client may write 50 times a second, with bursts of 100.",
			s.Pods, s.Duration, sdk.totals.Occurrences),
		Rows: rows,
		After: fairness + " tools/record remembers the last 4,096 objects: of more it creates a new Event each time. " +
			"What its client has no time to write, its queue of 1,000 drops.",
	}
}

func crashLoop(bubble func(func()), c CrashLoop) report.Section {
	all := compare(bubble, c, world.SDK, world.ToolsEvents, world.ToolsRecord)
	sdk, toolsRecord := all[0], all[2]

	rows := writes(all)
	rows[2].Demand = demand("> eventseries", toolsRecord.totals.Writes() > sdk.totals.Writes())
	doubled := report.Rows{}
	for _, o := range all {
		doubled = append(doubled, o.row("until a doubled count is shown, at most", "s", o.doublings.Max().Seconds()))
	}
	doubled[0].Demand = demand("≤ 10 s and the write", sdk.doublings.Max() <= publish+latency)
	rows = append(rows, doubled...)
	rows = append(rows, counted(all)...)
	return report.Section{
		Title: "A crash-looping node",
		Text: fmt.Sprintf("%d pods of which each crashes, is restarted with kubelet's back-off, and crashes again, "+
			"for %v of simulated time: %d occurrences of Pulled, Created, Started and BackOff. "+
			"A count has doubled when it is twice what the server shows.",
			c.Pods, c.Duration, sdk.totals.Occurrences),
		Rows: rows,
		After: fairness + " tools/record's spam filter lets one occurrence in five minutes pass, of each pod and type, " +
			"whatever its reason: so some series hardly ever come to pass.",
	}
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

// fairness says what the numbers leave out.
const fairness = "All contenders write to the same server in memory, 10 ms away, " +
	"through client-go's rate limiter of the same size, and have 45 minutes after the end to deliver. " +
	"In the peers' favour, objects never change their resourceVersion (it is part of tools/events' key), " +
	"tools/events' cache is not locked while it writes, and nothing fails or restarts."
