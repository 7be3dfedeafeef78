// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/eventview"
)

const (
	// maxNote is the number of bytes of a note that are read. The API server refuses longer notes
	// in events.k8s.io/v1.
	maxNote = 1024
	// maxWords is the maximum number of words in a template.
	maxWords = 64
	// maxQuote is the maximum length of a quoted text that is masked. A longer one is an error that
	// somebody has quoted, and not a name.
	maxQuote = 256
	// maxWord is the length from which on a word counts as generated.
	maxWord = 40
)

// mask stands for the words of a note that differ between two occurrences of one cause.
const mask = "*"

// template is a note in which the words that differ between occurrences are masked.
type template struct {
	// words has no two masks in a row.
	words []string
	// last is the index of the first word after the last colon. A Go error ends with its root
	// cause, because each caller writes its own text in front of the error that it returns.
	last int
}

// templateOf masks numbers, identifiers, addresses, quoted texts, and the names of the objects that
// the Event is about.
func templateOf(e *eventview.Event) (t template) {
	own := ownNames(e)
	colon := false
	for word := range splitNote(cutNote(e.Note)) {
		if len(t.words) == maxWords {
			break
		}
		ends := strings.HasSuffix(word, ":")
		word = maskWord(word, own)
		if word != mask && colon {
			t.last = len(t.words)
			colon = false
		}
		if n := len(t.words); word != mask || n == 0 || t.words[n-1] != mask {
			t.words = append(t.words, word)
		}
		colon = colon || ends
	}
	return t
}

// shape is what is compared of two templates.
type shape struct {
	// Words are the hashes of the words without masks, and End those after the last colon. They
	// are sorted.
	Words []uint32
	End   []uint32
	// Tail is a hash of the last words, or 0 if the note is shorter.
	Tail uint64
}

// tailWords is the number of words in a tail. It is more than the number of words with which many
// unrelated errors end, such as "rpc error: code = DeadlineExceeded desc = context deadline exceeded".
const tailWords = 12

func (t *template) shape() (s shape) {
	for i, word := range t.words {
		if word == mask {
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		s.Words = append(s.Words, h.Sum32())
		if i >= t.last {
			s.End = append(s.End, h.Sum32())
		}
	}
	if n := len(s.Words); n >= tailWords {
		var tail []byte
		for _, h := range s.Words[n-tailWords:] {
			tail = binary.BigEndian.AppendUint32(tail, h)
		}
		s.Tail = hash("tail", string(tail))
	}
	s.Words = sortedSet(s.Words)
	s.End = sortedSet(s.End)
	return s
}

// cutNote returns the part of a note that says what failed.
func cutNote(note string) string {
	note = note[:min(len(note), maxNote)]
	note = strings.TrimPrefix(note, "(combined from similar events): ")
	// After this word, kube-scheduler says what it tried next.
	note, _, _ = strings.Cut(note, " preemption: ")
	return note
}

// splitNote yields the words of a note. A quoted text is one word. The value in name=value is a
// word of its own.
func splitNote(note string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(note); {
			n := wordLength(note[i:], i > 0 && isLetter(note[i-1]))
			if n > 0 && !yield(note[i:i+n]) {
				return
			}
			i += max(n, 1)
		}
	}
}

// wordLength returns the length of the word at the beginning of text, or 0 if there is a space. An
// apostrophe in a word, as in "didn't", begins no quotation.
func wordLength(text string, inWord bool) int {
	if n := quotation(text); n > 0 && !(inWord && text[0] == '\'') {
		return n
	}
	for i := range len(text) {
		switch text[i] {
		case ' ', '\t', '\n', '\r':
			return i
		case '=':
			return i + 1
		case '"', '`':
			if i > 0 {
				return i
			}
		}
	}
	return len(text)
}

// quotation returns the length of the quoted text at the beginning of text, with its quotes and
// the punctuation after it, or 0 if there is none.
func quotation(text string) int {
	text = text[:min(len(text), maxQuote)]
	if inner, ok := strings.CutPrefix(text, `\"`); ok {
		// The note quotes another text, and the beginning of that was cut off or has no quotes.
		if end := strings.Index(inner, `\"`); end >= 0 {
			return end + 4
		}
		return 0
	}
	if !strings.ContainsRune("\"'`", rune(text[0])) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			if text[0] == '\'' && i+1 < len(text) && isLetter(text[i+1]) {
				continue
			}
			for i+1 < len(text) && strings.IndexByte(":,;.)]", text[i+1]) >= 0 {
				i++
			}
			return i + 1
		}
	}
	return 0
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// maskWord returns the word without punctuation, or a mask.
func maskWord(word string, own []string) string {
	if quotation(word) > 0 {
		return mask
	}
	word = strings.Trim(word, `()[]{}<>.,;:!"'`)
	switch {
	case word == "",
		len(word) > maxWord,
		strings.IndexFunc(word, isIdentifying) >= 0,
		word[0] == '/',
		isHost(word),
		hasRandomEnd(word):
		return mask
	}
	for _, name := range own {
		if strings.Contains(word, name) && slices.Contains(strings.FieldsFunc(word, isSeparator), name) {
			return mask
		}
	}
	return word
}

// isIdentifying reports whether a word with this letter is a number, an identifier or an address.
func isIdentifying(r rune) bool { return '0' <= r && r <= ':' || r == '@' || r == '\\' }

// isSeparator reports whether the letter stands between two names in a word, as in shop/web.
func isSeparator(r rune) bool { return r == '/' || r == '_' || r == '(' || r == ')' }

// hasRandomEnd reports whether a word is a generated name.
func hasRandomEnd(word string) bool {
	dash := strings.LastIndexByte(word, '-')
	return dash > 0 && len(word)-dash-1 == randomLength && isRandom(word[dash+1:])
}

// isHost reports whether a word is the name of a host.
func isHost(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	if dot <= 0 || strings.ContainsAny(word, "/=") || strings.ToLower(word) != word {
		return false
	}
	switch word[dot:] {
	case ".com", ".dev", ".internal", ".io", ".local", ".net", ".org", ".svc":
		return true
	}
	return strings.IndexByte(word, '.') < dot
}

// ownNames returns the names of the objects and of the container of an Event.
func ownNames(e *eventview.Event) []string {
	own := []string{e.Regarding.Name, owner(&e.Regarding)}
	for _, name := range []string{e.Related.Name, container(&e.Regarding)} {
		if name != "" {
			own = append(own, name)
		}
	}
	return own
}

// overlap reports whether two sets have at least a part of the smaller one in common. The part is
// given in quarters.
func overlap(a, b []uint32, quarters int) bool {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			common++
			i++
			j++
		}
	}
	smaller := min(len(a), len(b))
	return smaller > 0 && 4*common >= quarters*smaller
}

func sortedSet(words []uint32) []uint32 {
	slices.Sort(words)
	return slices.Compact(words)
}

// hash returns a hash of texts. It is the same in each process, because it is stored in
// checkpoints and shown as the ID of an incident.
func hash(texts ...string) uint64 {
	b := make([]byte, 0, 256)
	for _, text := range texts {
		b = append(append(b, text...), 0)
	}
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:])
}
