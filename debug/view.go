// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"sync"
)

//go:embed page.html.tmpl page.css
var files embed.FS

// style is the style sheet, which the page has within.
var style = sync.OnceValue(func() string {
	text, _ := files.ReadFile("page.css") // it is in the program
	return string(text)
})

// contentSecurityPolicy allows the style sheet of the page, and nothing else: no script, no
// request, no frame around it. The style sheet is allowed by its hash, so attributes called
// style are not, and an attacker who could insert markup could not even move anything.
var contentSecurityPolicy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(style()))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})

// pageTemplate is parsed when the first page is asked for: importing the package runs
// nothing.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html.tmpl").Funcs(template.FuncMap{
		"style":   func() template.CSS { return template.CSS(style()) },
		"count":   count[int64],
		"number":  count[int],
		"list":    newTable,
		"nonzero": nonzero,
	}).ParseFS(files, "page.html.tmpl"))
})
