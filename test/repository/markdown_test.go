// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// page has the parts of a Markdown file that tests check.
type page struct {
	path     string
	blocks   []block
	links    []link
	spans    []span
	anchors  []string
	problems []string
}

// block is a fenced block, link the target of a link or an image, and span a piece of `code` in the text.
type (
	block struct {
		page, language, text string
		line                 int
	}
	link struct {
		target string
		line   int
	}
	span struct {
		code string
		line int
	}
)

var (
	fence     = regexp.MustCompile("^( *)(`{3,}|~{3,})(.*)$")
	heading   = regexp.MustCompile(`^#{1,6} +(.+?)(?: +#+)?$`)
	inline    = regexp.MustCompile(`\]\(<?([^)\s>]*)>?(?: "[^"]*")?\)`)
	reference = regexp.MustCompile(`^\[[^\]]+\]: +<?(\S+?)>?$`)
	autolink  = regexp.MustCompile(`<(https?://[^>\s]+)>`)
	attribute = regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`)
	anchor    = regexp.MustCompile(`(?:id|name)="([^"]*)"`)
	code      = regexp.MustCompile("`([^`]+)`")
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N}\p{M}_\- ]`)
)

// pages returns every Markdown file without those in testdata.
func pages(t *testing.T) []page {
	t.Helper()
	all := must(t, parsePages)
	if len(all) < 10 {
		t.Fatalf("%d pages were found, want all of the repository", len(all))
	}
	return all
}

var parsePages = sync.OnceValues(func() (all []page, err error) {
	files, err := walkTree()
	for _, file := range files {
		if path.Ext(file) != ".md" || strings.Contains(file, "/testdata/") {
			continue
		}
		content, err := read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, parsePage(file, content))
	}
	return all, err
})

func parsePage(file, content string) page {
	p, open, body := page{path: file}, "", []string(nil)
	slugs := map[string]int{}
	for i, line := range strings.Split(content, "\n") {
		mark := fence.FindStringSubmatch(line)
		switch {
		case open == "" && mark != nil:
			open, body = mark[2], nil
			p.blocks = append(p.blocks, block{language: strings.TrimSpace(mark[3]), line: i + 1})
		case open != "" && mark != nil && strings.HasPrefix(mark[2], open) && strings.TrimSpace(mark[3]) == "":
			p.blocks[len(p.blocks)-1].text = strings.Join(body, "\n") + "\n"
			open = ""
		case open != "":
			body = append(body, line)
		default:
			p.readProse(line, i+1, slugs)
		}
	}
	if open != "" {
		last := p.blocks[len(p.blocks)-1]
		p.problems = append(p.problems, fmt.Sprintf("line %d: the block is not closed", last.line))
	}
	return p
}

// readProse reads a line outside of code blocks. Text in code spans that looks like a link is no
// link.
func (p *page) readProse(line string, number int, slugs map[string]int) {
	if match := heading.FindStringSubmatch(line); match != nil {
		slug := slugOf(match[1])
		if n := slugs[slug]; n > 0 {
			p.anchors = append(p.anchors, fmt.Sprintf("%s-%d", slug, n))
		} else {
			p.anchors = append(p.anchors, slug)
		}
		slugs[slug]++
	}
	for _, match := range code.FindAllStringSubmatch(line, -1) {
		p.spans = append(p.spans, span{match[1], number})
	}
	rest := code.ReplaceAllString(line, "code")
	for _, form := range []*regexp.Regexp{inline, reference, autolink, attribute} {
		for _, match := range form.FindAllStringSubmatch(rest, -1) {
			p.links = append(p.links, link{match[1], number})
		}
	}
	for _, match := range anchor.FindAllStringSubmatch(rest, -1) {
		p.anchors = append(p.anchors, match[1])
	}
}

// slugOf is the anchor that GitHub gives a heading.
func slugOf(title string) string {
	title = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(title, "$1")
	return strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")
}
