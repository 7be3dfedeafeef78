// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"strings"
	"testing"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
)

func podNote(note string) *eventview.Event {
	return &eventview.Event{
		Note: note,
		Regarding: corev1.ObjectReference{
			Kind:      "Pod",
			Namespace: "shop",
			Name:      "web-7d4b9c6f5x-x2rvq",
			FieldPath: "spec.containers{proxy}",
		},
	}
}

func TestTemplate(t *testing.T) {
	for name, test := range map[string]struct{ note, want string }{
		"image": {
			`Failed to pull image "reg.example.com/web:1.4": unexpected status from HEAD request to https://reg.example.com/v2: 429 Too Many Requests`,
			"Failed to pull image * unexpected status from HEAD request to * Too Many Requests",
		},
		"own names":           {"restarting container proxy in pod web-7d4b9c6f5x-x2rvq_shop(9d5a)", "restarting container * in pod *"},
		"owner":               {"Created pod of web for shop/web", "Created pod of * for *"},
		"generated name":      {"Created pod: cart-xkqzt", "Created pod *"},
		"no generated name":   {"a read-only file, Back-off", "a read-only file Back-off"},
		"apostrophe":          {"2 node(s) didn't match Pod's node affinity", "* node(s didn't match Pod's node affinity"},
		"escaped quotes":      {`cannot \"do\" this: "a \"b\" c" failed`, "cannot * this * failed"},
		"single quotes":       {"list remote for 'https://git.example.com': denied", "list remote for * denied"},
		"quotes never end":    {`he said "no`, "he said no"},
		"value":               {"used: requests.cpu=500m, limited=x", "used requests.cpu= * limited= x"},
		"quoted value":        {`plugin type="aws-cni" failed (add): no address`, "plugin type= * failed add no address"},
		"host":                {"lookup registry.example.com on 10.96.0.10:53: no such host", "lookup * on * no such host"},
		"no host":             {"MountVolume.SetUp failed, requests.cpu", "MountVolume.SetUp failed requests.cpu"},
		"combined":            {"(combined from similar events): it failed", "it failed"},
		"preemption":          {"0/6 nodes are available: 6 Insufficient cpu. preemption: 0/6 nodes", "* nodes are available * Insufficient cpu"},
		"only what is masked": {`1 2 "3" 10.0.0.1`, "*"},
		"empty":               {"", ""},
	} {
		got := templateOf(podNote(test.note))
		if text := strings.Join(got.words, " "); text != test.want {
			t.Errorf("%s: %q, want %q", name, text, test.want)
		}
	}
}

// The end of a note is what comes after the last colon, without masks.
func TestShapeOfEnd(t *testing.T) {
	end := func(note string) []uint32 {
		template := templateOf(podNote(note))
		return template.shape().End
	}
	same := [][2]string{
		{"pull failed: HEAD https://a/b: 429 Too Many Requests", "cannot read the layer: status: 429 Too Many Requests"},
		{"cannot mount: secret \"a\" not found", "other: secret \"b\" not found:"},
	}
	for _, pair := range same {
		if !overlap(end(pair[0]), end(pair[1]), 4) {
			t.Errorf("%q and %q end differently", pair[0], pair[1])
		}
	}
	if overlap(end("pull failed: 429 Too Many Requests"), end("pull failed: not found"), 1) {
		t.Error("two root causes have the same end")
	}
}

func TestOwner(t *testing.T) {
	for object, want := range map[string]string{
		"Pod/web-7d4b9c6f5x-x2rvq":                     "web",
		"ReplicaSet/web-7d4b9c6f5x":                    "web",
		"Deployment/web":                               "web",
		"Pod/db-0":                                     "db",
		"Pod/fluent-bit-x2rvq":                         "fluent-bit",
		"Job/backup-29384520":                          "backup",
		"Pod/backup-29384520-8rvqk":                    "backup",
		"Challenge/shop-tls-4-2736451098-1029384756":   "shop-tls",
		"Deployment/ingress-nginx":                     "ingress-nginx",
		"Node/ip-10-0-1-42":                            "ip-10-0-1-42",
		"PersistentVolume/pvc-94f8c4b7-361d-439a-87d0": "pvc-94f8c4b7-361d-439a-87d0",
		"Pod/web-7d4b9c6f5x-abide":                     "web",
		"Pod/batch-29384520-a1b2c":                     "batch",
		"Deployment/redis-proxy":                       "redis-proxy",
		"Pod/0":                                        "0",
	} {
		kind, name, _ := strings.Cut(object, "/")
		if got := owner(&corev1.ObjectReference{Kind: kind, Name: name}); got != want {
			t.Errorf("the owner of %s is %q, want %q", object, got, want)
		}
	}
}

// A template of any note has a bounded number of words, and is the template of each note that
// differs in a number only. The work for a note is bounded, because no more than maxNote bytes are
// read, each of them a bounded number of times.
func FuzzTemplate(f *testing.F) {
	for _, note := range []string{
		"", "a", `"`, `\`, `'`, `"\`, "\xff\xfe", "1 2 3", "a=b=c=", `x="y"z`, ": : :", "don't 'do' it",
		strings.Repeat("a", 5000), strings.Repeat(`"`, 5000), strings.Repeat(`'a`, 2000), strings.Repeat("=", 5000),
		strings.Repeat("7 ", 3000), strings.Repeat("(combined from similar events): ", 99),
	} {
		f.Add(note)
	}
	f.Fuzz(func(t *testing.T, note string) {
		e := podNote(note)
		template := templateOf(e)
		if len(template.words) > maxWords {
			t.Fatalf("%d words", len(template.words))
		}
		if template.last > len(template.words) {
			t.Fatalf("the last clause begins at %d of %d words", template.last, len(template.words))
		}
		for i, word := range template.words {
			if len(word) > maxWord {
				t.Fatalf("word %q is longer than %d", word, maxWord)
			}
			if word == mask && i > 0 && template.words[i-1] == mask {
				t.Fatal("two masks in a row")
			}
			if strings.ContainsAny(word, "0123456789\n\t ") {
				t.Fatalf("%q is no word", word)
			}
		}
		if shape := template.shape(); len(shape.End) > len(shape.Words) || len(shape.Words) > maxWords {
			t.Fatalf("%d words, and %d at the end", len(shape.Words), len(shape.End))
		}
		if len(note) > maxNote || strings.Trim(note, "0123456789") != note || !utf8.ValidString(note) {
			return
		}
		e.Note = "1 " + note
		first := templateOf(e)
		e.Note = "22 " + note
		second := templateOf(e)
		if len(note) < maxNote-3 && strings.Join(first.words, " ") != strings.Join(second.words, " ") {
			t.Fatalf("%q and %q", first.words, second.words)
		}
	})
}
