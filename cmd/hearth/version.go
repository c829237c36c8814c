package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

type versionCommand struct{}

func (versionCommand) Help() string { return "Example: hearth version" }

func (versionCommand) Run() error {
	fmt.Println(buildOf().String())
	return nil
}

// build is what the start line says of this binary, so that no measurement can
// belong to another build than it claims.
type build struct {
	Version, Commit, Go, Driver, GOGC string
	Procs                             int
	ProfileGuided                     bool
}

func buildOf() build {
	b := build{
		Version: version,
		Commit:  commit,
		Go:      runtime.Version(),
		Procs:   runtime.GOMAXPROCS(0),
		GOGC:    gogc(),
		Driver:  "unknown",
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, dependency := range info.Deps {
		if dependency.Path == sqliteDriver {
			b.Driver = dependency.Path + " " + dependency.Version
		}
	}
	for _, setting := range info.Settings {
		if setting.Key == "-pgo" && setting.Value != "" {
			b.ProfileGuided = true
		}
	}
	return b
}

const sqliteDriver = "zombiezen.com/go/sqlite"

// gogc reads the collector's target without changing it.
func gogc() string {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	if percent < 0 {
		return "off"
	}
	return fmt.Sprint(percent)
}

func (b build) String() string {
	guided := "no"
	if b.ProfileGuided {
		guided = "yes"
	}
	return strings.Join([]string{
		"hearth " + b.Version,
		"commit " + b.Commit,
		b.Go,
		fmt.Sprintf("GOMAXPROCS %d", b.Procs),
		"GOGC " + b.GOGC,
		"profile-guided " + guided,
		"driver " + b.Driver,
	}, ", ")
}
