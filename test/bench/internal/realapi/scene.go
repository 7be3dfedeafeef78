// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"fmt"

	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// scene is something to write and those who write it.
type scene struct {
	title, text, after string
	slug               string // for namespaces
	what               string // for rows
	size               int    // pods, and writes that are measured
	count              int64  // that every Event says afterwards
	warmups            int    // rounds that are not told of
	contenders         []contender
}

func scenes(o Options) []scene {
	return []scene{
		{
			title: Creates,
			text: fmt.Sprintf("%d events about as many pods in %d namespaces, as fast as Eventf takes them, until "+
				"the last one is answered. The bare client has %d goroutines, the SDK as many writes at a time.",
				o.Events, numNamespaces, o.Writers),
			after: peersLose,
			slug:  "create", what: "creates", size: o.Events, count: 1, warmups: 1,
			contenders: []contender{
				{report.Bare, bareCreates}, {report.SDK, sdkCreates},
				{report.ToolsEvents, toolsEvents}, {report.ToolsRecord, toolsRecord},
			},
		},
		{
			title: Drain,
			text: fmt.Sprintf("Drain of %d series of %d occurrences, of which %d are on the server, and the same patches "+
				"by the bare client with %d goroutines.",
				o.Series, final, opened, o.Writers),
			after: "client-go's recorders write no counts when they are shut down.",
			slug:  "drain", what: "patches", size: o.Series, count: final, warmups: 1,
			contenders: []contender{{report.Bare, barePatches}, {report.SDK, sdkDrain}},
		},
	}
}

const peersLose = "tools/events writes from a goroutine for each event, tools/record from one, as JSON where all " +
	"others send protobuf; both lose what their queues of 1000 cannot take. Their rate is until the last " +
	"event that arrived."

// play lets all contenders have their turn in every round. Who is first is another
// one each time: a server gets faster as it warms up, and slower as it fills.
func (s *scene) play(ctx context.Context, config *rest.Config, o Options) (rounds [][]sample, err error) {
	for round := range s.warmups + o.Rounds {
		samples := make([]sample, len(s.contenders))
		for i := range s.contenders {
			who := (round + i) % len(s.contenders)
			o.Progress(round*len(s.contenders)+i, (s.warmups+o.Rounds)*len(s.contenders), s.contenders[who].name)
			if samples[who], err = s.turn(ctx, config, who, round, o.Writers); err != nil {
				return nil, fmt.Errorf("%s, round %d: %w", s.contenders[who].name, round, err)
			}
		}
		if round >= s.warmups {
			rounds = append(rounds, samples)
		}
	}
	return rounds, nil
}

func (s *scene) turn(ctx context.Context, config *rest.Config, who, round, writers int) (sample, error) {
	t, err := newTrial(ctx, config, fmt.Sprintf("%s-%d-%d", s.slug, round, who), s.size, writers)
	if err != nil {
		return sample{}, err
	}
	defer t.close()
	return measure(ctx, s.contenders[who], t, s.count)
}
