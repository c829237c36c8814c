// Bundle makes what browsers load from what we wrote and what npm installed:
//
//	go run ./internal/web/assets/bundle
//
// It reads src, static and node_modules beside it, needs no network, and gives
// the same bytes for the same input.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	root, err := findRoot()
	if err == nil {
		err = bundle(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// bundle replaces root/dist by a bundle of root/src and root/static.
func bundle(root string) error {
	start := time.Now()
	built, err := build(root)
	if err != nil {
		return err
	}
	copied, err := readStatic(filepath.Join(root, "static"))
	if err != nil {
		return err
	}
	notices, err := readNotices(root, built.packages)
	if err != nil {
		return err
	}
	files := append(append(built.files, copied...), notices)
	if err := writeDist(filepath.Join(root, "dist"), files); err != nil {
		return err
	}
	report(files, time.Since(start))
	return nil
}

// findRoot looks for the assets' folder from the module's root, or from inside it.
func findRoot() (string, error) {
	for _, candidate := range []string{"internal/web/assets", ".", ".."} {
		if _, err := os.Stat(filepath.Join(candidate, "src", "application.js")); err == nil {
			return filepath.Abs(candidate)
		}
	}
	return "", fmt.Errorf("find src/application.js: run this from the module's root")
}

func report(files []file, took time.Duration) {
	for _, f := range files {
		if f.entry {
			fmt.Printf("%-16s %8d bytes %8d compressed\n", f.name, len(f.content), len(compress(f.content)))
		}
	}
	fmt.Printf("bundled in %s\n", took.Round(time.Millisecond))
}
