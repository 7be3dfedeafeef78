// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"time"
)

// chart is one stretch of a history: what the component has counted and what the server shows, over time.
type chart struct {
	*drawing
	*history
	left, right, top, base float64       // of its axes
	above, until           time.Duration // above: what the chart before this one shows in detail
	most                   int           // count
	tick                   time.Duration
}

// picture draws the first minute, and the first hour.
func (h *history) picture() string {
	d := &drawing{width: 780, height: 570, title: "Occurrences of a series, and what is written of them"}
	legend(d)
	minute := chart{d, h, 52, 752, 66, 196, 0, time.Minute, 60, 10 * time.Second}
	minute.draw("The first minute: an occurrence every second")
	hour := chart{d, h, 52, 752, 346, 476, time.Minute, 62 * time.Minute, 75, 10 * time.Minute}
	hour.draw("The first hour: an occurrence every five minutes, then silence, then another one")
	return d.String()
}

func legend(d *drawing) {
	for i, entry := range []struct{ colour, text string }{
		{orange, "occurrences, counted in memory"}, {blue, "count on the server"}, {green, "requests"},
	} {
		x := 52 + 255*float64(i)
		d.box(entry.colour, point{x, 10}, point{x + 14, 24})
		d.text(grey, "start", point{x + 22, 22}, entry.text)
	}
}

func (c *chart) x(at time.Duration) float64 {
	return c.left + (c.right-c.left)*at.Seconds()/c.until.Seconds()
}

func (c *chart) y(count int) float64 {
	return c.base - (c.base-c.top)*float64(count)/float64(c.most)
}

func (c *chart) draw(title string) {
	c.text(grey, "start", point{c.left, c.top - 14}, title)
	c.line(stroke(grey, 1), point{c.left, c.top}, point{c.left, c.base}, point{c.right, c.base})
	for at := time.Duration(0); at <= c.until; at += c.tick {
		c.line(stroke(grey, 1), point{c.x(at), c.base}, point{c.x(at), c.base + 5})
		c.text(grey, "middle", point{c.x(at), c.base + 19}, short(at))
	}
	for count := 20; count <= c.most; count += 20 {
		c.line(stroke(grey, 1), point{c.left - 5, c.y(count)}, point{c.left, c.y(count)})
		c.text(grey, "end", point{c.left - 9, c.y(count) + 4}, fmt.Sprint(count))
	}
	c.counted()
	c.written()
}

// short formats a time for an axis.
func short(at time.Duration) string {
	switch {
	case at == 0:
		return "0"
	case at < time.Minute:
		return fmt.Sprintf("%d s", int(at.Seconds()))
	}
	return fmt.Sprintf("%d min", int(at.Minutes()))
}

// counted draws each occurrence, and the series' count in memory until the series is forgotten.
func (c *chart) counted() {
	count := 0
	var steps []point
	for _, at := range c.occurrences {
		if at > c.until {
			break
		}
		if before, ended := c.endBefore(at); ended {
			c.line(stroke(orange, 2), append(steps, point{c.x(before), c.y(count)})...)
			steps, count = nil, 0
		}
		steps = append(steps, point{c.x(at), c.y(count)})
		count++
		steps = append(steps, point{c.x(at), c.y(count)})
		c.dot(orange, point{c.x(at), c.y(count)}, 2.5)
	}
	c.line(stroke(orange, 2), append(steps, point{c.right, c.y(count)})...)
}

// endBefore returns the time of the last write of the previous series.
func (c *chart) endBefore(at time.Duration) (end time.Duration, ended bool) {
	for i, r := range c.requests {
		if r.create && r.at == at && i > 0 {
			return c.requests[i-1].at, true
		}
	}
	return 0, false
}

// written draws the requests, and the count that the server shows of each Event.
func (c *chart) written() {
	var steps []point
	shown, below := 0, labels{chart: c}
	for i, r := range c.requests {
		if r.at > c.until {
			break
		}
		if r.create && i > 0 {
			c.line(stroke(blue, 2), append(steps, point{c.right, c.y(shown)})...)
			steps, shown = nil, 0
		}
		steps = append(steps, point{c.x(r.at), c.y(shown)}, point{c.x(r.at), c.y(r.count)})
		shown = r.count
		c.dot(green, point{c.x(r.at), c.base}, 4)
		if word, _ := c.because(i); r.at >= c.above {
			below.add(c.x(r.at), fmt.Sprintf("%s %d: %s", r.verb(), r.count, word))
		} else if i == 0 {
			below.add(c.x(r.at), "as above")
		}
	}
	c.line(stroke(blue, 2), append(steps, point{c.right, c.y(shown)})...)
}

// labels stand below the axis, in rows so that none covers another.
type labels struct {
	*chart
	ends [4]float64 // of the rows
}

func (l *labels) add(x float64, text string) {
	width := 7.2 * float64(len(text))
	anchor, from := "start", x
	if x+width > l.right+20 {
		anchor, from = "end", x-width
	}
	row := 0
	for row < len(l.ends)-1 && l.ends[row] > from {
		row++
	}
	l.ends[row] = from + width + 8
	y := l.base + 42 + 18*float64(row)
	l.line(stroke(green, 1)+` stroke-dasharray="2 3"`, point{x, l.base}, point{x, y - 11})
	l.text(green, anchor, point{x, y}, text)
}
