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

// leaves returns the number of outcomes.
func (n *tree) leaves() (sum int) {
	if len(n.branches) == 0 {
		return 1
	}
	for _, next := range n.branches {
		sum += next.leaves()
	}
	return sum
}

// Where the questions and the outcomes stand in the picture.
var (
	columns = []float64{10, 110, 310}
	widths  = []float64{80, 180, 200}
)

const (
	outcomesAt, outcomeWidth = 530, 165
	rowHeight                = 40
)

func (n *tree) picture() string {
	d := &drawing{
		width: outcomesAt + outcomeWidth + 10, height: 50 + rowHeight*float64(n.leaves()),
		title: "Which API the adapter writes an Event through",
	}
	for i, q := range questions {
		d.text(grey, "start", point{columns[i], 22}, q.text)
	}
	d.text(grey, "start", point{outcomesAt, 22}, "Events go through")
	n.draw(d, point{}, 40)
	return d.String()
}

// draw puts the tree below top, with a line from where its question comes up, and returns where it ends.
func (n *tree) draw(d *drawing, from point, top float64) (bottom float64) {
	if len(n.branches) == 0 {
		y := top + rowHeight/2
		join(d, from, point{outcomesAt, y})
		d.box(tint(n.outcome), point{outcomesAt, y - 14}, point{outcomesAt + outcomeWidth, y + 14})
		d.text(tint(n.outcome), "middle", point{outcomesAt + outcomeWidth/2, y + 5}, n.outcome)
		return top + rowHeight
	}
	left, width := columns[n.question], widths[n.question]
	for _, next := range n.branches {
		y := top + rowHeight*float64(next.leaves())/2
		join(d, from, point{left, y})
		d.box(grey, point{left, y - 14}, point{left + width, y + 14})
		d.text(grey, "middle", point{left + width/2, y + 5}, next.text())
		top = next.draw(d, point{left + width, y}, top)
	}
	return top
}

// join draws a line with a bend, but for the first question, which comes from nowhere.
func join(d *drawing, from, to point) {
	if from != (point{}) {
		d.line(stroke(grey, 1), from, point{from.x + 10, from.y}, point{from.x + 10, to.y}, to)
	}
}

func tint(outcome string) string {
	switch {
	case outcome == "kept":
		return red
	case strings.HasPrefix(outcome, "core/v1"):
		return orange
	default:
		return blue
	}
}
