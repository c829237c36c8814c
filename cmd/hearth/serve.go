package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"hearth/internal/cable"
	"hearth/internal/chat"
	"hearth/internal/rails"
	"hearth/internal/storage"
	"hearth/internal/view"
	"hearth/internal/web"
	"hearth/internal/web/assets"
	"hearth/sqlite"
)

type serveCommand struct {
	Storage   string   `default:"./storage" placeholder:"DIR" help:"The storage folder; it is made when it is not there (${default})."`
	Addr      string   `placeholder:"HOST:PORT" help:"Where to listen (127.0.0.1:3000, or PORT of the environment)."`
	AssumeSSL bool     `name:"assume-ssl" help:"Take every request for https, because a proxy in front speaks it."`
	Metrics   string   `placeholder:"HOST:PORT" help:"Serve Prometheus metrics on a listener of their own."`
	Pprof     bool     `help:"Serve profiles there too; needs --metrics."`
	BenchOff  []string `name:"bench-off" placeholder:"NAME" help:"Switch mechanisms off to measure them: ${mechanisms}."`
}

func (serveCommand) Help() string {
	return `Serves the chat until it is told to stop (Ctrl-C or SIGTERM).

Example: hearth serve --storage ./storage --addr 127.0.0.1:3000

On the folder of a Campfire installation, set SECRET_KEY_BASE to its secret, and people stay signed in:

    SECRET_KEY_BASE=… hearth serve --storage /var/lib/campfire/storage

Environment: SECRET_KEY_BASE, PORT, DISABLE_SSL, VAPID_PUBLIC_KEY, APP_VERSION, GIT_REVISION.`
}

// Limits of the listener. Reading and writing may take as long as a large file
// on a slow line does.
const (
	headerTimeout   = 10 * time.Second
	idleTimeout     = 60 * time.Second
	transferTimeout = 300 * time.Second
	headerMax       = 64 << 10 // bytes
	stopTimeout     = 10 * time.Second
)

func (c serveCommand) Run(ctx context.Context) error {
	env := readEnvironment()
	off, err := parseSwitches(c.BenchOff)
	if err != nil {
		return err
	}
	addr, err := listenAddr(c.Addr, env.Port)
	if err != nil {
		return err
	}
	if c.Pprof && c.Metrics == "" {
		return errors.New("--pprof has no listener without --metrics; write for example --metrics 127.0.0.1:9090 --pprof")
	}
	if env.TLSDomain != "" {
		return errors.New("TLS_DOMAIN is set, but this version doesn't speak TLS itself: put a proxy in front, unset TLS_DOMAIN and start with --assume-ssl")
	}
	bundle, err := assets.Open()
	if err != nil {
		return err
	}
	listener, err := listen(addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	folder, err := storage.Open(c.Storage)
	if err != nil {
		return err
	}
	defer folder.Close()

	app := &application{log: newLogger(os.Stderr, slog.LevelInfo), env: env, off: off, folder: folder, bundle: bundle, assumeSSL: c.AssumeSSL}
	if err := app.open(ctx); err != nil {
		return err
	}
	defer app.close()
	if c.Metrics != "" {
		stop, err := app.serveMetrics(c.Metrics, c.Pprof)
		if err != nil {
			return err
		}
		defer stop()
	}
	return app.serve(ctx, listener)
}

// listen opens the address, or says in a sentence why it can't.
func listen(addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("another program listens on %s: stop it, or choose another address with --addr", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen on %s: choose a port above 1023 with --addr", addr)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w; choose another address with --addr", addr, err)
	}
	return listener, nil
}

// application is everything that serves one storage folder.
type application struct {
	log       *slog.Logger
	env       environment
	off       switches
	folder    *storage.Folder
	bundle    *assets.Bundle
	assumeSSL bool

	db      *sqlite.DB
	domain  *chat.Chat
	hub     *cable.Hub
	handler *requestCounter
}

// open builds the parts from the ground up: database, domain, hub, routes.
func (a *application) open(ctx context.Context) error {
	secret, origin, err := a.folder.Secret(a.env.SecretKeyBase)
	if err != nil {
		return err
	}
	a.db, err = sqlite.Open(ctx, a.folder.DatabasePath(), sqlite.Options{
		NoGroupCommit:  a.off.off("group-commit"),
		NoCheckpointer: a.off.off("checkpointer"),
		NoSnapshot:     a.off.off("snapshot"),
	})
	if err != nil {
		return fmt.Errorf("open the database %s: %w; hearth doctor says more", a.folder.DatabasePath(), err)
	}
	if err := a.prepare(ctx); err != nil {
		a.db.Close()
		return err
	}
	if origin == storage.SecretMadeForExisting {
		a.log.Warn("SECRET_KEY_BASE is not set, so this database's own secret is unknown and a new one was made: people must sign in again. Set it to keep them signed in.")
	}
	if err := a.build(rails.NewKeys(secret)); err != nil {
		a.db.Close()
		return err
	}
	return nil
}

// prepare makes the schema, or brings an older one up to date after a backup.
func (a *application) prepare(ctx context.Context) error {
	return chat.Prepare(ctx, a.db, "production", func(version string) error {
		path, err := a.folder.BackupDatabase(ctx, a.db, version)
		if err == nil {
			a.log.Info("the database is of an older version and will be upgraded", "version", version, "copy", path)
		}
		return err
	})
}

func (a *application) build(keys *rails.Keys) error {
	ssl := web.SSL{Assume: a.assumeSSL, Disable: a.env.DisableSSL}
	site := view.New(view.Options{Keys: keys, Asset: a.bundle.Path, Version: version})
	announcer := web.NewAnnouncer(site)
	a.domain = chat.New(a.db, keys, chat.Options{Announce: announcer, Files: a.folder, Log: a.log})
	a.hub = web.NewCable(web.CableOptions{Chat: a.domain, Keys: keys, SSL: ssl, Log: a.log, NoPreparedFrames: a.off.off("prepared-frames")})
	announcer.Connect(a.hub)

	server, err := web.New(web.Options{
		Chat: a.domain, Site: site, Keys: keys,
		Cable: a.hub, Assets: a.bundle, FilePath: a.folder.FilePath,
		Log: a.log, Version: firstOf(a.env.AppVersion, a.env.Revision), Revision: a.env.Revision,
		SSL: ssl, VAPIDPublicKey: a.env.VAPIDPublicKey,
	})
	if err != nil {
		return err
	}
	a.handler = &requestCounter{next: server}
	return nil
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// serve answers until ctx ends, then lets what has begun come to its end.
func (a *application) serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           a.handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       transferTimeout,
		WriteTimeout:      transferTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerMax,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop() // what runs beside the listener, when that failed
	running.Go(func() { a.hub.Run(ctx) })
	running.Go(func() { a.resume(ctx) })
	failed := make(chan error, 1)
	running.Go(func() { failed <- server.Serve(listener) })
	a.sayStarted(listener.Addr())

	var err error
	select {
	case <-ctx.Done():
		a.log.Info("stopping")
	case err = <-failed:
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if hubErr := a.hub.Shutdown(stopping); hubErr != nil {
		a.log.Warn("some sockets were cut", "error", hubErr)
	}
	if stopErr := server.Shutdown(stopping); stopErr != nil {
		a.log.Warn("some requests were cut", "error", stopErr)
		server.Close()
	}
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// resume finishes what an earlier process had begun to delete, while people talk:
// a big room's messages may take minutes. What is left when ctx ends, the next
// start finds.
func (a *application) resume(ctx context.Context) {
	if err := a.domain.Resume(ctx); err != nil && ctx.Err() == nil {
		a.log.Error("not all that was deleted is gone", "error", err)
	}
}

// sayStarted writes the start line: which build this is, what is switched off,
// and where to find it.
func (a *application) sayStarted(addr net.Addr) {
	b, database := buildOf(), a.db.Stats()
	a.log.Info("hearth serves http://"+addr.String(),
		"version", b.Version, "commit", b.Commit, "go", b.Go, "gomaxprocs", b.Procs, "gogc", b.GOGC,
		"profile_guided", b.ProfileGuided, "sqlite", database.Version, "driver", b.Driver,
		"synchronous", database.Synchronous.String(), "off", a.off.String(), "storage", a.folder.Dir())
}

// close ends what open began; nothing is served any more.
func (a *application) close() {
	if err := a.db.Close(); err != nil {
		a.log.Error("close the database", "error", err)
	}
}

// serveMetrics listens on an address of its own, which is nobody's but the operator's.
func (a *application) serveMetrics(addr string, profiling bool) (stop func(), err error) {
	listener, err := listen(addr)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: metrics(a.db, a.hub, a.handler, profiling), ReadHeaderTimeout: headerTimeout}
	var running sync.WaitGroup
	running.Go(func() { server.Serve(listener) })
	a.log.Info("metrics", "addr", listener.Addr().String(), "pprof", profiling)
	return func() {
		server.Close()
		running.Wait()
	}, nil
}
