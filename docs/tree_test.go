// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"slices"
	"strings"
)

// tree is a decision tree of questions. It leaves out a question that decides nothing, and answers with the same
// outcome share a branch.
type tree struct {
	question int
	branches []branch
	outcome  string // of a leaf
}

type branch struct {
	answers []string
	*tree
}

// grow returns the tree of the runs that match the answers so far.
func grow(runs map[circumstances]outcome, before circumstances, question int, show func(outcome) string) *tree {
	if question == len(questions) {
		return &tree{outcome: show(runs[before])}
	}
	node := &tree{question: question}
	for _, answer := range questions[question].answers {
		given := before
		given[question] = answer
		node.add(answer, grow(runs, given, question+1, show))
	}
	if len(node.branches) == 1 {
		return node.branches[0].tree
	}
	return node
}

func (n *tree) add(answer string, next *tree) {
	for i := range n.branches {
		if n.branches[i].key() == next.key() {
			n.branches[i].answers = append(n.branches[i].answers, answer)
			return
		}
	}
	n.branches = append(n.branches, branch{[]string{answer}, next})
}

// key returns a string that is equal for equal trees.
func (n *tree) key() string {
	if len(n.branches) == 0 {
		return n.outcome
	}
	var b strings.Builder
	for _, next := range n.branches {
		b.WriteString(questions[n.question].text + "=" + next.text() + "(" + next.key() + ")")
	}
	return b.String()
}

func (b branch) text() string {
	last := len(b.answers) - 1
	if last == 0 {
		return b.answers[0]
	}
	return strings.Join(b.answers[:last], ", ") + " or " + b.answers[last]
}

// rows returns a row for each leaf: an answer to each question, and the outcome.
func (n *tree) rows(given []string) (rows [][]string) {
	if len(n.branches) == 0 {
		return [][]string{append(slices.Clone(given), n.outcome)}
	}
	for _, next := range n.branches {
		answered := slices.Clone(given)
		answered[n.question] = next.text()
		rows = append(rows, next.rows(answered)...)
	}
	return rows
}
