package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
)

// mechanisms are what --bench-off can switch off, to measure what each is worth.
// Every one of them is there for speed alone: off, the answers are the same.
var mechanisms = []string{"snapshot", "group-commit", "checkpointer", "prepared-frames"}

// switches is the set of mechanisms that are off.
type switches []string

func parseSwitches(list []string) (switches, error) {
	for _, name := range list {
		if !slices.Contains(mechanisms, name) {
			return nil, fmt.Errorf("--bench-off knows no %q; it can switch off %s", name, strings.Join(mechanisms, ", "))
		}
	}
	return switches(list), nil
}

func (s switches) off(name string) bool { return slices.Contains(s, name) }

func (s switches) String() string {
	if len(s) == 0 {
		return "none"
	}
	return strings.Join(s, " ")
}

// environment is what Hearth reads of its process's environment; the names are
// the reference's, so that an installation's settings go on working.
type environment struct {
	SecretKeyBase  string // SECRET_KEY_BASE; empty: the one in the storage folder
	Port           string // PORT
	TLSDomain      string // TLS_DOMAIN
	DisableSSL     bool   // DISABLE_SSL, any text that is not blank
	VAPIDPublicKey string // VAPID_PUBLIC_KEY
	AppVersion     string // APP_VERSION
	Revision       string // GIT_REVISION
}

func readEnvironment() environment {
	return environment{
		SecretKeyBase:  os.Getenv("SECRET_KEY_BASE"),
		Port:           os.Getenv("PORT"),
		TLSDomain:      os.Getenv("TLS_DOMAIN"),
		DisableSSL:     strings.TrimSpace(os.Getenv("DISABLE_SSL")) != "",
		VAPIDPublicKey: os.Getenv("VAPID_PUBLIC_KEY"),
		AppVersion:     os.Getenv("APP_VERSION"),
		Revision:       os.Getenv("GIT_REVISION"),
	}
}

const defaultAddr = "127.0.0.1:3000"

// listenAddr decides where to listen: the flag, else PORT on the default host,
// else the default. A value that can't be understood stops the start.
func listenAddr(flag, port string) (string, error) {
	addr := defaultAddr
	switch {
	case flag != "":
		addr = flag
	case port != "":
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	_, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("--addr %q is no HOST:PORT; write for example --addr 127.0.0.1:3000", addr)
	}
	if number, err := strconv.Atoi(text); err != nil || number < 0 || number > 65535 {
		return "", fmt.Errorf("%q is no port; use a number from 1 to 65535, or 0 for any free one", text)
	}
	return addr, nil
}

// newLogger writes lines to read on a terminal and JSON anywhere else.
func newLogger(file *os.File, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return slog.New(slog.NewTextHandler(file, options))
	}
	return slog.New(slog.NewJSONHandler(file, options))
}
