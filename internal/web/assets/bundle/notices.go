package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// readNotices gathers the licences of the packages that went into the bundle,
// as those licences ask.
func readNotices(root string, packages []string) (file, error) {
	var text strings.Builder
	text.WriteString("The scripts and styles beside this file contain the following packages.\n")
	for _, name := range packages {
		folder := filepath.Join(root, "node_modules", filepath.FromSlash(name))
		about, err := describe(folder)
		if err != nil {
			return file{}, fmt.Errorf("read the licence of %s: %w", name, err)
		}
		fmt.Fprintf(&text, "\n%s\n%s\n", strings.Repeat("-", 72), about)
	}
	return hashed("licences.txt", []byte(text.String())), nil
}

func describe(folder string) (string, error) {
	manifest, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", err
	}
	var about struct {
		Name, Version, License string
		Author                 any
	}
	if err := json.Unmarshal(manifest, &about); err != nil {
		return "", err
	}
	head := fmt.Sprintf("%s %s (%s)\n\n", about.Name, about.Version, about.License)
	texts, err := filepath.Glob(filepath.Join(folder, "LICEN*"))
	if err != nil {
		return "", err
	}
	sort.Strings(texts)
	if len(texts) > 0 {
		text, err := os.ReadFile(texts[0])
		return head + strings.TrimSpace(string(text)), err
	}
	if about.License != "MIT" {
		return "", fmt.Errorf("it brings no licence file, and %q is not known here", about.License)
	}
	return head + "Copyright (c) " + authorName(about.Author, about.Name) + "\n\n" + mit, nil
}

// authorName reads the two forms that package.json allows.
func authorName(author any, fallback string) string {
	switch author := author.(type) {
	case string:
		if author != "" {
			return author
		}
	case map[string]any:
		if name, ok := author["name"].(string); ok {
			return name
		}
	}
	return "the authors of " + fallback
}

// mit is the licence's text, for packages that only name it.
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`
