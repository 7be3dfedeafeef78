// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var size = flag.String("size", "", "measure on Kubernetes, whose copy is in this directory; it is made if it is missing")

var sizeRounds = flag.Int("size-rounds", 2, "how often -size measures")

// What the time and the memory of a run may be, as shares of those of go vet and in GiB.
const (
	mostTime   = 1.2
	mostMemory = 4
)

// A run on Kubernetes is measured beside go vet, in the same rounds, and SIZE.md gets the figures. It takes half an hour
// where the build cache is empty, so it runs when -size says where.
func TestSize(t *testing.T) {
	if *size == "" {
		t.Skip("no -size")
	}
	m := &module{t: t, dir: *size}
	if _, err := os.Stat(filepath.Join(m.dir, "go.mod")); err != nil {
		m.copyOf("k8s.io/kubernetes@v1.36.3", "v0.36.3")
		m.run("go", "mod", "tidy")
	}
	root, err := filepath.Abs("../../..")
	m.must(err)
	fresh := 0
	commands := []*measured{
		{name: "`go vet ./...`, nothing vetted before", args: func() []string {
			fresh++ // go vet keeps results by its flags; the compiled packages stay
			return []string{"go", "vet", fmt.Sprintf("-printf.funcs=size%d%d", os.Getpid(), fresh), "./..."}
		}},
		{name: "`eventsmigrate ./...`", args: func() []string { return []string{tool, "-json", "-sdk", root, "./..."} }},
		{name: "`go vet ./...`, all vetted before", args: func() []string { return []string{"go", "vet", "./..."} }},
	}
	for _, c := range commands[1:] { // these fill the build cache
		t.Logf("before: %s: %v", c.name, m.measure(c.args()))
	}
	for round := range *sizeRounds {
		for _, c := range commands {
			r := m.measure(c.args())
			t.Logf("round %d: %s: %v", round+1, c.name, r)
			c.runs = append(c.runs, r)
		}
	}
	m.must(os.WriteFile(filepath.Join("..", "SIZE.md"), m.page(commands), 0o644))
}

// copyOf copies a module of the proxy, and makes it require the other modules of its repository at a version.
func (m *module) copyOf(name, version string) {
	m.t.Helper()
	m.must(os.MkdirAll(m.dir, 0o700))
	var found struct{ Dir string }
	m.must(json.Unmarshal([]byte(m.run("go", "mod", "download", "-json", name)), &found))
	m.must(os.CopyFS(m.dir, os.DirFS(found.Dir)))
	m.must(filepath.WalkDir(m.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		m.must(err)
		return os.Chmod(path, info.Mode()|0o200) // the module cache is read-only
	}))
	for _, name := range []string{"vendor", "go.work", "go.work.sum"} {
		m.must(os.RemoveAll(filepath.Join(m.dir, name)))
	}
	m.published(version)
}

// published takes modules of the same repository from the proxy, because a module has no directories of others.
func (m *module) published(version string) {
	m.t.Helper()
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	m.must(json.Unmarshal([]byte(m.run("go", "mod", "edit", "-json")), &mod))
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, ".") {
			m.run("go", "mod", "edit", "-dropreplace="+r.Old.Path, "-require="+r.Old.Path+"@"+version)
		}
	}
}

// measured is a command and its runs.
type measured struct {
	name string
	args func() []string
	runs []usage
}

// usage is what a command and its children used.
type usage struct {
	wall, cpu time.Duration
	memory    int64 // most bytes at once, of all processes together
}

func (u usage) String() string {
	return fmt.Sprintf("%.0f s, %.0f s of CPU, %.1f GiB", u.wall.Seconds(), u.cpu.Seconds(), u.gibibytes())
}

func (u usage) gibibytes() float64 { return float64(u.memory) / (1 << 30) }

// best has the shortest times of the runs, and the most memory.
func (c *measured) best() usage {
	best := c.runs[0]
	for _, r := range c.runs[1:] {
		best = usage{min(best.wall, r.wall), min(best.cpu, r.cpu), max(best.memory, r.memory)}
	}
	return best
}

// measure runs a command, which may exit with 1 because it has found something.
func (m *module) measure(args []string) usage {
	m.t.Helper()
	command := m.command(args...)
	command.Env = append(command.Env, "CGO_ENABLED=0")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begun := time.Now()
	m.must(command.Start())
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	var u usage
	for ticker := time.NewTicker(50 * time.Millisecond); ; {
		select {
		case <-ticker.C:
			u.memory = max(u.memory, residentOf(command.Process.Pid))
		case err := <-ended:
			ticker.Stop()
			if command.ProcessState.ExitCode() > 1 || !command.ProcessState.Exited() {
				m.t.Fatalf("%v: %v", args, err)
			}
			u.wall, u.cpu = time.Since(begun), command.ProcessState.UserTime()+command.ProcessState.SystemTime()
			return u
		}
	}
}

// residentOf is the memory of all processes of a group. What they share counts several times.
func residentOf(group int) (sum int64) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, name := range stats {
		text, _ := os.ReadFile(name) // empty if the process has ended
		_, after, _ := bytes.Cut(text, []byte(") "))
		fields := strings.Fields(string(after)) // from the third field of proc(5) on
		if len(fields) > 21 && fields[2] == strconv.Itoa(group) {
			pages, _ := strconv.ParseInt(fields[21], 10, 64) // always a number
			sum += pages * int64(os.Getpagesize())
		}
	}
	return sum
}

// page is SIZE.md.
func (m *module) page(commands []*measured) []byte {
	files, lines := m.code()
	var b bytes.Buffer
	fmt.Fprintf(&b, "# eventsmigrate on Kubernetes\n\nk8s.io/kubernetes v1.36.3, its staging modules from the module proxy: %d Go "+
		"files, %d lines.\n`make size` measures it: %d cores, %s, the module and build caches filled, CGO_ENABLED=0. Times are the "+
		"shortest\nand memory the most of %d round(s), in which the commands take turns. Memory is that of all processes together.\n\n"+
		"| | time | CPU time | memory |\n|---|---|---|---|\n",
		files, lines, runtime.NumCPU(), runtime.Version(), len(commands[0].runs))
	for _, c := range commands {
		u := c.best()
		fmt.Fprintf(&b, "| %s | %.0f s | %.0f s | %.1f GiB |\n", c.name, u.wall.Seconds(), u.cpu.Seconds(), u.gibibytes())
	}
	ours := commands[1].best()
	fmt.Fprintf(&b, "\nWanted is at most %.1f × the time of go vet, and %d GiB:\n\n", mostTime, mostMemory)
	for _, c := range []*measured{commands[0], commands[2]} {
		ratio := ours.wall.Seconds() / c.best().wall.Seconds()
		fmt.Fprintf(&b, "* %.2f × %s: %s\n", ratio, c.name, met(cmp.Compare(ratio, mostTime) <= 0))
	}
	fmt.Fprintf(&b, "* %.1f GiB: %s\n", ours.gibibytes(), met(ours.gibibytes() <= mostMemory))
	b.WriteString("\nWhere all was vetted before, go vet only finds that nothing has changed. eventsmigrate keeps nothing between runs.\n")
	return b.Bytes()
}

func met(ok bool) string {
	if ok {
		return "met"
	}
	return "not met"
}

// code counts the Go files and their lines.
func (m *module) code() (files, lines int) {
	m.t.Helper()
	out, err := exec.Command("find", m.dir, "-name", "*.go", "-type", "f").Output()
	m.must(err)
	names := slices.Collect(strings.SplitSeq(strings.TrimSpace(string(out)), "\n"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		m.must(err)
		lines += bytes.Count(text, []byte("\n"))
	}
	return len(names), lines
}
