package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// readStatic takes the files that are served as they are, named by their content.
func readStatic(folder string) ([]file, error) {
	found, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("read static files: %w", err)
	}
	var files []file
	for _, entry := range found {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("read static files: %w", err)
		}
		files = append(files, hashed(entry.Name(), content))
	}
	return files, nil
}

// hashed puts a hash of the content into the file's path.
func hashed(name string, content []byte) file {
	sum := sha256.Sum256(content)
	extension := filepath.Ext(name)
	path := strings.TrimSuffix(name, extension) + "-" + strings.ToUpper(hex.EncodeToString(sum[:4])) + extension
	return file{name: name, path: path, content: content, entry: true}
}

// writeDist replaces what an earlier run left, writes each file plain and,
// where that is shorter, compressed, and the manifest last: whoever sees it
// sees a whole bundle.
func writeDist(folder string, files []file) error {
	if err := clear(folder); err != nil {
		return err
	}
	manifest := map[string]string{}
	for _, f := range files {
		if f.entry {
			manifest[f.name] = f.path
		}
		if err := os.WriteFile(filepath.Join(folder, f.path), f.content, 0o644); err != nil {
			return fmt.Errorf("write dist: %w", err)
		}
		if short := compress(f.content); len(short) < len(f.content) {
			if err := os.WriteFile(filepath.Join(folder, f.path+".gz"), short, 0o644); err != nil {
				return fmt.Errorf("write dist: %w", err)
			}
		}
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	unfinished := filepath.Join(folder, ".manifest.json")
	if err := os.WriteFile(unfinished, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	return os.Rename(unfinished, filepath.Join(folder, "manifest.json"))
}

func clear(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("empty dist: %w", err)
	}
	old, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("empty dist: %w", err)
	}
	for _, entry := range old {
		if entry.Name() == ".gitkeep" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
			return fmt.Errorf("empty dist: %w", err)
		}
	}
	return nil
}

// compress gives the same bytes for the same content: the header has no time.
func compress(content []byte) []byte {
	var short bytes.Buffer
	writer, err := gzip.NewWriterLevel(&short, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	if _, err := writer.Write(content); err != nil {
		panic(err) // a buffer takes everything
	}
	if err := writer.Close(); err != nil {
		panic(err)
	}
	return short.Bytes()
}
