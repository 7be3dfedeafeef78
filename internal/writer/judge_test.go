// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
)

var words = map[blame]string{
	noEvidence: "no evidence", allWell: "all well", badItem: "item", badNamespace: "namespace", overloaded: "overloaded",
	unreachable: "unreachable",
}

// The judge is asked about one answer after the other, as "namespace answer" or, for one that took longer than a second,
// "namespace slow answer". A number is that of seconds that pass.
func TestJudge(t *testing.T) {
	answers := map[string]request.Verdict{
		"201":       {Action: request.Stored},
		"rejected":  {Action: request.Drop},
		"filtered":  {Action: request.Drop, Unanswered: true},
		"skipped":   {Action: request.Skip, Gate: request.Server},
		"429":       {Action: request.Retry, Gate: request.Shared},
		"500":       {Action: request.Retry, Gate: request.Namespace},
		"none":      request.NoAnswer,
		"403 RBAC":  {Action: request.Forbidden, Gate: request.Namespace},
		"403 hold":  {Action: request.Forbidden, Gate: request.Namespace, Hold: true},
		"refused":   {Action: request.Retry, Gate: request.Server, Unanswered: true},
		"throttled": {Action: request.Retry, Wait: throttled, Unanswered: true},
	}
	type step struct {
		namespace string
		answer    string
		want      string
	}
	for name, steps := range map[string][]step{
		"what was handled is well": {
			{"a", "201", "all well"}, {"a", "rejected", "all well"},
		},
		"what was not sent is no evidence": {
			{"a", "filtered", "no evidence"}, {"a", "skipped", "no evidence"},
		},
		"one failure is the item's, two in a row are the namespace's": {
			{"a", "201", "all well"}, {"a", "500", "item"}, {"a", "201", "all well"}, {"a", "500", "item"},
			{"b", "500", "item"}, {"a", "500", "namespace"},
		},
		"what RBAC forbids it forbids to all": {
			{"a", "403 hold", "item"}, {"b", "403 RBAC", "namespace"},
		},
		"a write that was given up says nothing, unless it was slow and nothing else was answered": {
			{"a", "skipped", "no evidence"}, {"a", "500", "item"}, {"b", "slow skipped", "no evidence"},
			{"b", "500", "namespace"}, {"c", "slow overtaken skipped", "no evidence"}, {"c", "500", "item"},
		},
		"the last answer outside of a namespace is kept, however many it had itself": {
			{"b", "201", "all well"}, {"a", "201", "all well"}, {"a", "201", "all well"}, {"a", "429", "item"},
		},
		"the answers of a namespace are no evidence about others": {
			{"a", "201", "all well"}, {"a", "201", "all well"}, {"a", "429", "overloaded"},
		},
		"no connection is the server's": {
			{"a", "refused", "unreachable"}, {"a", "throttled", "unreachable"},
		},
		"a slow failure is the namespace's": {
			{"a", "201", "all well"}, {"a", "slow none", "namespace"}, {"b", "slow 500", "namespace"},
		},
		"a slow failure is the item's while others of its namespace are answered": {
			{"a", "slow overtaken none", "item"},
		},
		"a slow good answer is a good answer": {
			{"a", "500", "item"}, {"a", "slow 201", "all well"}, {"a", "500", "item"},
		},
		"a refusal is the server's if nobody else is answered": {
			{"a", "429", "overloaded"}, {"a", "201", "all well"}, {"a", "429", "overloaded"},
			{"b", "201", "all well"}, {"a", "11", ""}, {"a", "429", "overloaded"},
		},
		"a refusal is the namespace's while others are answered": {
			{"b", "201", "all well"}, {"a", "429", "item"}, {"a", "429", "namespace"}, {"a", "201", "all well"},
			{"a", "429", "item"},
		},
		"refusals in several namespaces are the server's": {
			{"c", "201", "all well"}, {"a", "429", "item"}, {"b", "429", "overloaded"},
		},
		"namespaces with rate limits of their own are known after their first refusals": {
			{"c", "201", "all well"}, {"a", "429", "item"}, {"b", "429", "overloaded"}, {"a", "201", "all well"},
			{"a", "429", "item"}, {"b", "429", "namespace"},
		},
		"who is written seldom is no witness that the server has room": {
			{"quiet", "201", "all well"}, {"a", "429", "item"}, {"b", "429", "overloaded"},
			{"a", "429", "namespace"}, {"b", "429", "namespace"}, {"a", "429", "namespace"}, {"b", "429", "overloaded"},
			{"quiet", "201", "all well"}, {"a", "429", "namespace"},
		},
		"what refuses itself is no witness that others are answered": {
			{"b", "201", "all well"}, {"b", "429", "overloaded"}, {"b", "201", "all well"}, {"a", "429", "overloaded"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var g judge
			now := time.Unix(1e9, 0)
			records := map[string]*record{}
			begun := uint64(0)
			for i, s := range steps {
				var seconds int
				if n, _ := fmt.Sscan(s.answer, &seconds); n == 1 && s.want == "" {
					now = now.Add(time.Duration(seconds) * time.Second)
					continue
				}
				r := records[s.namespace]
				if r == nil {
					r = &record{}
					records[s.namespace] = r
				}
				begun++
				a := answer{job: begun, lastID: begun, now: now}
				text := s.answer
				if rest, ok := strings.CutPrefix(text, "slow "); ok {
					a.slow = true
					text = rest
				}
				if rest, ok := strings.CutPrefix(text, "overtaken "); ok {
					begun++
					g.decide(r, answer{verdict: answers["201"], job: begun, lastID: begun, now: now})
					text = rest
				}
				verdict, known := answers[text]
				if !known {
					t.Fatalf("no answer is called %q", text)
				}
				a.verdict = verdict
				if got := words[g.decide(r, a)]; !cmp.Equal(got, s.want) {
					t.Errorf("step %d, %s %s: %s, want %s", i, s.namespace, s.answer, got, s.want)
				}
			}
		})
	}
}

// Answers come in any order, so a write is overtaken by the latest write of another namespace and not by the latest
// answer.
func TestOvertaken(t *testing.T) {
	var g judge
	var a, b, c record
	for _, x := range []struct {
		in  *record
		job uint64
	}{{&b, 9}, {&b, 3}, {&c, 4}} {
		g.decide(x.in, answer{verdict: stored, job: x.job, lastID: 9, now: time.Unix(1e9, 0)})
	}
	if !g.overtaken(&a, 8) {
		t.Error("job 8 is not overtaken, although job 9 of another namespace is stored")
	}
	if g.overtaken(&b, 8) {
		t.Error("job 8 is overtaken by its own namespace")
	}
}

const throttled = 250 * time.Millisecond
