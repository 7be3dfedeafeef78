// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// format is a form of the answer.
type format int

const (
	asHTML format = iota
	asJSON
)

var contentTypes = [...]string{asHTML: "text/html; charset=utf-8", asJSON: "application/json"}

// formatOf returns what the client wants, or what is wrong with that. The parameter is for
// links and for clients that cannot set a header.
func formatOf(r *http.Request) (f format, problem string) {
	switch r.URL.Query().Get("format") {
	case "json":
		return asJSON, ""
	case "html":
		return asHTML, ""
	case "":
		return negotiate(strings.Join(r.Header.Values("Accept"), ","))
	}
	return 0, "want format=html or format=json"
}

// negotiate chooses by the header Accept (RFC 9110, section 12.5.1). If both are equally
// welcome, the one that is named wins, and then HTML.
func negotiate(accept string) (f format, problem string) {
	if strings.TrimSpace(accept) == "" {
		return asHTML, ""
	}
	html, json := preferenceFor("text/html", accept), preferenceFor("application/json", accept)
	switch {
	case html.quality == 0 && json.quality == 0:
		return 0, "want Accept: text/html or application/json"
	case json.quality > html.quality, json.quality == html.quality && json.precision > html.precision:
		return asJSON, ""
	}
	return asHTML, ""
}

// preference says how much a type is wanted: by the most precise range that includes it.
type preference struct {
	quality   float64
	precision int // 1: */*, 2: text/*, 3: text/html
}

// preferenceFor returns the preference for a media type. A range that does not parse counts
// for nothing, and a quality that does not parse for 1.
func preferenceFor(mediaType, accept string) (best preference) {
	family, _, _ := strings.Cut(mediaType, "/")
	precisions := map[string]int{"*/*": 1, family + "/*": 2, mediaType: 3}
	for part := range strings.SplitSeq(accept, ",") {
		name, params, err := mime.ParseMediaType(part)
		precision := precisions[name]
		if err != nil || precision <= best.precision {
			continue
		}
		quality, err := strconv.ParseFloat(params["q"], 64)
		if err != nil {
			quality = 1
		}
		best = preference{quality, precision}
	}
	return best
}
