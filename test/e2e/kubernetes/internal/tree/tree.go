// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package tree

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Version is that of Kubernetes.
const Version = "v1.37.2"

const (
	module = "k8s.io/kubernetes@" + Version
	// staging is the version of the modules that are published from the tree of the module above.
	staging = "v0.37.2"
)

const kubelet = "hollow-kubelet"

// patterns are the packages that are migrated. Tests below test/ reach into fields of what is in pkg.
var patterns = []string{"./cmd/...", "./pkg/...", "./plugin/...", "./test/..."}

//go:embed files
var files embed.FS

// added says which file is where, and addedAfter which one is only where the migration is.
var added = map[string]string{
	"cmd/hollow-kubelet/main.go":                "hollow-kubelet.go.txt",
	"cmd/hollow-kubelet/containers.go":          "containers.go.txt",
	"cmd/hollow-kubelet/hollow.go":              "hollow.go.txt",
	"cmd/hollow-kubelet/machine.go":             "machine.go.txt",
	"cmd/kube-scheduler/app/logged_recorder.go": "recorder.go.txt",
}

var addedAfter = map[string]string{"cmd/hollow-kubelet/shutdown.go": "shutdown.go.txt"}

// shutdownPatch makes the components shut their recorders down before they exit.
const shutdownPatch = "upstream/14-shutdown.patch"

// The scheduler's recorders are made here.
const (
	schedulerFile = "cmd/kube-scheduler/app/server.go"
	recorderMade  = "return cc.EventBroadcaster.NewRecorder(name)"
	recorderGiven = "return loggedRecorder{cc.EventBroadcaster.NewRecorder(name)}"
)

// Tree is a copy of k8s.io/kubernetes. The zero value of Log discards what commands print.
type Tree struct {
	Kubelet bool // only the packages of the kubelet, without their tests

	Dir string    // of the copy
	Bin string    // of its programs
	SDK string    // the repository of the SDK
	Log io.Writer // gets what commands print
	Say func(format string, args ...any)
}

// Make makes the copy, migrated or not, and builds its programs. Steps that were done before are left out.
func (t *Tree) Make(ctx context.Context, migrated bool) error {
	if err := t.once("copied", func() error { return t.copy(ctx, migrated) }); err != nil {
		return err
	}
	if migrated {
		if err := t.once("migrated", func() error { return t.migrate(ctx) }); err != nil {
			return err
		}
	}
	return t.build(ctx)
}

// once runs a step whose mark is not in the tree yet.
func (t *Tree) once(step string, run func() error) error {
	mark := filepath.Join(t.Dir, "."+step)
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	if err := run(); err != nil {
		return fmt.Errorf("%s in %s: %w", step, t.Dir, err)
	}
	return os.WriteFile(mark, nil, 0o600)
}

func (t *Tree) copy(ctx context.Context, toMigrate bool) error {
	t.Say("copying %s to %s", module, t.Dir)
	source, err := download(ctx, module)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(t.Dir); err != nil {
		return err
	}
	if err := os.CopyFS(t.Dir, os.DirFS(source)); err != nil {
		return err
	}
	for _, name := range []string{"vendor", "go.work", "go.work.sum"} {
		if err := os.RemoveAll(t.file(name)); err != nil {
			return err
		}
	}
	err = errors.Join(t.edit("go.mod", publishedStaging), t.edit(schedulerFile, logRecorder), t.add(added))
	if err == nil && toMigrate {
		patch := filepath.Join(t.SDK, filepath.FromSlash(shutdownPatch))
		err = errors.Join(t.add(addedAfter), t.run(ctx, "git", "apply", "--exclude=*_test.go", patch))
	}
	if err != nil {
		return err
	}
	if err := t.run(ctx, "go", "mod", "tidy"); err != nil || !t.Kubelet {
		return err
	}
	return t.keepKubelet(ctx)
}

// keepKubelet removes all Go files that are not part of the kubelet. It makes a migration of minutes one of seconds.
func (t *Tree) keepKubelet(ctx context.Context) error {
	out, err := t.command(ctx, t.Dir, "go", "list", "-deps", "-f", "{{.Dir}}", "./cmd/"+kubelet).Output()
	if err != nil {
		return fmt.Errorf("packages of the kubelet: %w", err)
	}
	needed := map[string]bool{}
	for _, dir := range strings.Fields(string(out)) {
		needed[dir] = true
	}
	return filepath.WalkDir(t.Dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		if needed[filepath.Dir(file)] && !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		return os.Remove(file)
	})
}

// programs are built from the tree.
func (t *Tree) programs() []string {
	if t.Kubelet {
		return []string{kubelet}
	}
	return []string{"kube-controller-manager", "kube-scheduler", kubelet}
}

// download returns the directory of a module, as path@version, in the module cache.
func download(ctx context.Context, module string) (dir string, err error) {
	command := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	command.Dir = os.TempDir() // outside of all modules
	out, err := command.Output()
	var result struct{ Dir, Error string }
	if err := errors.Join(err, json.Unmarshal(out, &result)); err != nil {
		return "", fmt.Errorf("go mod download %s: %w %s", module, err, result.Error)
	}
	return result.Dir, nil
}

func (t *Tree) file(name string) string { return filepath.Join(t.Dir, filepath.FromSlash(name)) }

func (t *Tree) edit(name string, change func([]byte) ([]byte, error)) error {
	old, err := os.ReadFile(t.file(name))
	if err != nil {
		return err
	}
	changed, err := change(old)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(t.file(name), changed, 0o600)
}

var stagingDir = regexp.MustCompile(`(?m)=> \./staging/src/(\S+)$`)

// publishedStaging makes go.mod use the published modules, as the module has no staging directory.
func publishedStaging(mod []byte) ([]byte, error) {
	if !stagingDir.Match(mod) {
		return nil, errors.New("no module is replaced by one of staging")
	}
	return stagingDir.ReplaceAll(mod, []byte("=> $1 "+staging)), nil
}

func logRecorder(source []byte) ([]byte, error) {
	if !bytes.Contains(source, []byte(recorderMade)) {
		return nil, fmt.Errorf("no %q", recorderMade)
	}
	return bytes.Replace(source, []byte(recorderMade), []byte(recorderGiven), 1), nil
}

func (t *Tree) add(added map[string]string) error {
	for to, from := range added {
		content, err := fs.ReadFile(files, path.Join("files", from))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(t.file(to)), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(t.file(to), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tree) migrate(ctx context.Context) error {
	t.Say("migrating %s; minutes when cold", t.Dir)
	tool := filepath.Join(t.Bin, "eventsmigrate")
	if err := t.in(ctx, filepath.Join(t.SDK, "tools", "eventsmigrate"), "go", "build", "-o", tool, "."); err != nil {
		return err
	}
	selected := patterns
	if t.Kubelet {
		selected = []string{"./..."}
	}
	err := t.run(ctx, tool, append([]string{"-fix", "-sdk=" + t.SDK}, selected...)...)
	var left *exec.ExitError
	if errors.As(err, &left) && left.ExitCode() == 1 {
		t.Say("eventsmigrate left something to a human, see its report in the log")
	} else if err != nil {
		return err
	}
	if err := t.dropIn(); err != nil || t.Kubelet {
		return err // tidy would look for the packages of other systems
	}
	return t.run(ctx, "go", "mod", "tidy")
}

// The import of client-go's newer recorder, and that of the SDK in its place.
const (
	theirs = `"k8s.io/client-go/tools/events"`
	ours   = `"github.com/eventseries/eventseries/clientgo/events"`
)

// dropIn changes the import of client-go's newer recorder, which the scheduler and kube-proxy use. Nothing else changes
// there.
func (t *Tree) dropIn() error {
	return filepath.WalkDir(t.Dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(source, []byte(theirs)) {
			return err
		}
		return os.WriteFile(file, bytes.Replace(source, []byte(theirs), []byte(ours), 1), 0o600)
	})
}

// build builds the programs. The go command leaves out what is up to date.
func (t *Tree) build(ctx context.Context) error {
	t.Say("building %s; minutes when cold", strings.Join(t.programs(), ", "))
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", t.Bin + string(filepath.Separator)}
	for _, program := range t.programs() {
		args = append(args, "./cmd/"+program)
	}
	return t.run(ctx, "go", args...)
}

// run runs a command in the tree.
func (t *Tree) run(ctx context.Context, name string, args ...string) error {
	return t.in(ctx, t.Dir, name, args...)
}

func (t *Tree) in(ctx context.Context, dir, name string, args ...string) error {
	if err := os.MkdirAll(t.Bin, 0o700); err != nil {
		return err
	}
	command := t.command(ctx, dir, name, args...)
	var tail bytes.Buffer
	out := io.Writer(&tail)
	if t.Log != nil {
		out = io.MultiWriter(&tail, t.Log)
	}
	command.Stdout, command.Stderr = out, out
	if err := command.Run(); err != nil {
		const most = 3000
		text := bytes.TrimSpace(tail.Bytes())
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, text[max(0, len(text)-most):])
	}
	return nil
}

func (t *Tree) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	// Static programs need no C compiler, a go.work above the directory would drop the replacements, and in a repository
	// above it git would not apply a patch. With the flags of test/controlplane/build.sh, and without paths, both copies
	// and kube-apiserver share most of what is compiled.
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-buildvcs=false -trimpath -tags=grpcnotrace",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(t.Dir))
	return command
}
