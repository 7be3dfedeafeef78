// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// user is a directory outside of this repository, with a module that is no part of it.
type user struct {
	dir string
	env []string
}

// user makes one, with the files of a project.
func (r *Rehearsal) user(ctx context.Context, name string, files *txtar.Archive) (*user, error) {
	dir, err := r.dir(filepath.Join("users", name))
	if err != nil {
		return nil, err
	}
	for _, f := range files.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return nil, err
		}
	}
	env, err := r.env(ctx)
	if err != nil {
		return nil, err
	}
	return &user{dir: dir, env: env}, nil
}

// env lets the go command find the rehearsed modules first, then what this machine has downloaded before, then what its
// proxies have. What it downloads goes with the rehearsal: the machine's own cache must not keep the version, and take it
// for the released one. Paths are trimmed, so that the build cache knows what it has built in other rehearsals.
// GONOPROXY is empty, since with any value go asks the modules that it has before the proxies, and misses nested ones.
func (r *Rehearsal) env(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, err
	}
	cache, proxies, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	rehearsed, downloaded := filepath.Join(r.work, proxyDir), filepath.Join(cache, "cache", "download")
	return append(os.Environ(),
		"GOPROXY="+fileURL(rehearsed)+","+fileURL(downloaded)+","+proxies,
		"GONOSUMDB="+r.gomod.Module.Mod.Path, "GOPRIVATE=", "GONOPROXY=",
		"GOMODCACHE="+filepath.Join(r.work, "modules"),
		"GOFLAGS=-mod=mod -modcacherw -trimpath -buildvcs=false", "GOWORK=off",
	), nil
}

func fileURL(path string) string {
	slashed := filepath.ToSlash(path)
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
}

// run runs a command in the user's directory and returns what it printed. Its error has all that was printed.
func (u *user) run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = u.dir, u.env
	var out, complaint strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		command := strings.Join(append([]string{name}, args...), " ")
		return out.String(), fmt.Errorf("%s: %w\n%s%s", command, err, out.String(), complaint.String())
	}
	return out.String(), nil
}

// each runs go commands, each given as its arguments, up to the first that fails.
func (u *user) each(ctx context.Context, commands ...[]string) error {
	for _, args := range commands {
		if _, err := u.run(ctx, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// failedAs tells whether a command ended by itself with this code.
func failedAs(err error, code int) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == code
}
