// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/readme"
)

// The program in the README, as it stands there, builds, prints nothing, writes its three occurrences to a server with an
// API server's rules, and ends with 0. A second run makes a second Event.
//
// Caught: a program without Shutdown, which ends before it has written; one that does not read $KUBECONFIG; an empty note;
// an object without a UID, about which the SDK logs a line.
func TestReadmeProgramRecords(t *testing.T) {
	atRoot(t)
	t.Parallel()
	program := build(t, readmeProgram(t))
	cluster := apiserver.New()
	cluster.Answer("GET /api/v1/namespaces/default/services/kubernetes", serveService)
	server := httptest.NewServer(cluster)
	defer server.Close()

	home, file := readme.Kubeconfig(t, server.URL)
	empty := t.TempDir()
	for _, env := range [][]string{
		{"HOME=" + home, "USERPROFILE=" + home, "KUBECONFIG="},
		{"HOME=" + empty, "USERPROFILE=" + empty, "KUBECONFIG=" + file},
	} {
		run := exec.CommandContext(t.Context(), program)
		run.Env = append(append(os.Environ(), "HTTP_PROXY=", "http_proxy="), env...)
		if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("the README's program with %v: %v\n%s", env, err, out)
		}
	}
	want := []eventstest.Series{{
		Type:      "Normal",
		Reason:    "Greeted",
		Action:    "Greet",
		Note:      "hello number 1",
		Regarding: eventstest.Object{Kind: "Service", Namespace: "default", Name: "kubernetes"},
		Count:     3,
	}}
	want = append(want, want[0]) // one of each run
	if diff := cmp.Diff(want, eventstest.SeriesOf(cluster.Events()...)); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
}

// serveService answers as an API server does that is asked for the Service kubernetes.
func serveService(w http.ResponseWriter, _ *http.Request) {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "kubernetes", UID: "1"}}
	service.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Service"))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(service)
}

// "Before and after" shows the lines that kubectl describe prints of the Events that the two recorders store, and the
// numbers of the text are those of the Events. In test/e2e the same lines are printed by kubectl itself.
//
// Caught: another number in the README; a recorder without the final count.
func TestReadmeShowsBeforeAndAfter(t *testing.T) {
	atRoot(t)
	newClient := func() kubernetes.Interface { return eventstest.NewClientset() }
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	var got []string
	for _, record := range []readme.Record{readme.RecordWithToolsRecord, readme.RecordWithSDK} {
		stored, now := readme.Hour(t, newClient, record, pod)
		got = append(got, readme.Describe(stored, now))
	}
	page := text(t, "README.md")
	if diff := cmp.Diff(readme.Described(page), got); diff != "" {
		t.Errorf("README.md shows other Events than are stored (-README +stored):\n%s", diff)
	}
	stored, _ := readme.Hour(t, newClient, readme.RecordWithToolsEvents, pod)
	if want := fmt.Sprintf("stores %d Events in the same hour", len(stored)); !strings.Contains(oneLine(page), want) {
		t.Errorf("README.md does not say that client-go's tools/events %s", want)
	}
	if want := "the last 29 failures are in no count"; !strings.Contains(oneLine(page), want) ||
		!strings.Contains(got[0], "(x331 ") || !strings.Contains(got[1], "(x360 ") {
		t.Errorf("README.md has no %q, or the counts differ by another number:\n%s", want, got)
	}
}

// The README and the front door's package comment have the same text up to the first program, so that GitHub and
// pkg.go.dev cannot disagree. They differ only in their markup.
//
// Caught: a word that was changed in one of them; a bullet that one of them lacks.
func TestReadmeIsTheFrontDoor(t *testing.T) {
	atRoot(t)
	_, page, _ := strings.Cut(text(t, "README.md"), "# eventseries\n")
	page, _, found := strings.Cut(page, "\n## Quick start\n")
	if !found {
		t.Fatal("README.md has no quick start")
	}
	_, front, _ := strings.Cut(packageComment(t, "adapter"), "\n\n")
	front, _, found = strings.Cut(front, "\n# Usage\n")
	if !found {
		t.Fatal("adapter/doc.go has no section Usage")
	}
	if diff := cmp.Diff(paragraphs(page), paragraphs(front)); diff != "" {
		t.Errorf("README.md and the comment of package adapter (-README +adapter):\n%s", diff)
	}
}

// The three nouns are defined in the same words wherever a reader may begin.
//
// Caught: a definition that was changed in one place.
func TestNounsAreDefinedOnce(t *testing.T) {
	atRoot(t)
	_, page, _ := strings.Cut(text(t, "README.md"), "\n* An **occurrence** ")
	page, _, found := strings.Cut("* An **occurrence** "+page, "\n\n")
	if !found {
		t.Fatal("README.md does not define an occurrence")
	}
	want := paragraphs(page)[0]
	for name, content := range map[string]string{
		"events/doc.go":  packageComment(t, "events"),
		"adapter/doc.go": packageComment(t, "adapter"),
		"docs/README.md": text(t, "docs/README.md"),
	} {
		if !slices.Contains(paragraphs(content), want) {
			t.Errorf("%s does not have the nouns as README.md has them: %s", name, want)
		}
	}
}

// The blocks in the section Usage of a package comment are code of a Go file, or the Output of an Example.
//
// Caught: a step of the comment without its Example; an Output that the comment still showed as it was.
func TestUsageIsTested(t *testing.T) {
	atRoot(t)
	sources := readSources(t)
	for _, dir := range []string{"adapter", "events"} {
		_, usage, found := strings.Cut(packageComment(t, dir), "\n# Usage\n")
		usage, _, _ = strings.Cut(usage, "\n# ")
		if !found {
			t.Errorf("the comment of package %s has no section Usage", dir)
		}
		for _, part := range new(comment.Parser).Parse(usage).Content {
			block, isCode := part.(*comment.Code)
			if isCode && !within(sources.goFiles, block.Text) && !within(sources.texts, block.Text) {
				t.Errorf("the comment of package %s shows what is in no Go file and no Output:\n%s", dir, block.Text)
			}
		}
	}
}

// packageComment returns the comment of the package in a directory, without the marks of a comment.
func packageComment(t *testing.T, dir string) string {
	t.Helper()
	for _, file := range goFiles(t) {
		if file.path == dir+"/doc.go" {
			return file.Doc.Text()
		}
	}
	t.Fatalf("there is no %s/doc.go", dir)
	return ""
}

var (
	markup  = regexp.MustCompile("(?m)^#+ |^ *[*-] |^```.*$|\\*\\*|`")
	linked  = regexp.MustCompile(`\[([^\]]*)\](\([^)]*\))?`)
	between = regexp.MustCompile(`\n\s*\n`)
)

// paragraphs returns the paragraphs of Markdown or of a package comment, without markup and line breaks.
func paragraphs(content string) (all []string) {
	content = linked.ReplaceAllString(markup.ReplaceAllString(content, ""), "$1")
	for _, paragraph := range between.Split(content, -1) {
		if line := oneLine(paragraph); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// oneLine returns text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func readmeProgram(t *testing.T) string {
	t.Helper()
	for _, b := range parsePage("README.md", text(t, "README.md")).blocks {
		if b.language == "go" && strings.HasPrefix(b.text, "package main\n") {
			return b.text
		}
	}
	t.Fatal("README.md has no program")
	return ""
}

// build returns the program that source is, as one of the SDK's own module.
func build(t *testing.T, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return readme.Build(t, file)
}
