package hearth

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers is the architecture as data: each room, and the rooms of ours that its
// production files may import. Test files are exempt, so that a store's tests
// may use the suite that all stores share. A room that is not listed here may
// not exist; a room may be listed before it does.
//
// "*" allows everything: only what ties the parts together has it.
var layers = map[string][]string{
	".":                          {},
	"isolate":                    {},
	"isolate/process":            {"isolate"},
	"sharecheck":                 {},
	"cmd/sharecheck":             {"sharecheck"},
	"resp":                       {},
	"redis":                      {"resp"},
	"redis/redistest":            {"redis", "resp"},
	"sqlite":                     {},
	"jobs":                       {"isolate"},
	"jobs/sqlitestore":           {"jobs", "sqlite"},
	"jobs/redisstore":            {"jobs", "redis"},
	"jobs/storetest":             {"jobs"},
	"jobs/jobstest":              {"jobs"},
	"jobs/dashboard":             {"jobs"},
	"sky":                        {},
	"sky/generate":               {},
	"sky/accuracy":               {"sky"},
	"sky/cities":                 {"sky"},
	"sky/skyhttp":                {"sky", "sky/cities", "isolate"},
	"internal/rails":             {},
	"internal/richtext":          {"internal/rails"},
	"internal/netguard":          {},
	"internal/storage":           {"sqlite"},
	"internal/chat":              {"sqlite", "jobs", "internal/rails", "internal/richtext"},
	"internal/chat/chattest":     {"internal/chat", "internal/rails", "sqlite"},
	"internal/view":              {"internal/chat", "internal/richtext", "internal/rails"},
	"internal/splice":            {},
	"internal/cable":             {},
	"internal/media":             {"internal/chat", "jobs", "isolate/process", "internal/rails"},
	"internal/unfurl":            {"internal/chat", "jobs", "internal/netguard"},
	"internal/push":              {"internal/chat", "jobs", "internal/netguard"},
	"internal/webhook":           {"internal/chat", "jobs", "internal/netguard"},
	"internal/web":               {"internal/chat", "internal/view", "internal/splice", "internal/cable", "internal/rails", "internal/richtext", "internal/media", "internal/unfurl", "internal/push", "internal/storage", "internal/web/assets", "jobs", "jobs/dashboard"},
	"internal/web/assets":        {},
	"internal/web/assets/bundle": {},
	"cmd/hearth":                 {"*"},
	"bench":                      {"*"},
	"bench/measure":              {},
	"bench/sky":                  {"*"},
}

// outside is what rooms may import that is neither ours nor the standard library's,
// each for one reason (docs/decisions/0010). A room that isn't named here needs
// nothing but the standard library.
var outside = map[string][]string{
	"sqlite":                     {"zombiezen.com/go/sqlite"},
	"sharecheck":                 {"golang.org/x/tools"},
	"cmd/sharecheck":             {"golang.org/x/tools"},
	"internal/richtext":          {"golang.org/x/net/html"},
	"internal/chat":              {"golang.org/x/crypto/bcrypt"},
	"internal/cable":             {"github.com/gobwas/ws"},
	"internal/web":               {"github.com/klauspost/compress"},
	"internal/web/assets/bundle": {"github.com/evanw/esbuild"},
	"cmd/hearth":                 {"github.com/alecthomas/kong"},
	"bench/measure":              {"golang.org/x/sys/unix"},
	"bench":                      {"github.com/gobwas/ws", "github.com/klauspost/compress", "golang.org/x/sys/unix"},
}

const module = "hearth"

func TestImportsFollowTheTableOfRooms(t *testing.T) {
	for room, files := range productionFiles(t) {
		allowed, listed := layers[room]
		if !listed {
			t.Errorf("folder %s is not in the table of rooms: add it there, and to docs/decisions why it exists", room)
			continue
		}
		for _, file := range files {
			for _, target := range importsOf(t, file) {
				if why := forbidden(room, allowed, target); why != "" {
					t.Errorf("%s imports %s: %s", file, target, why)
				}
			}
		}
	}
}

// TestTheTableRefusesAPlantedImport proves that the check above can fail.
func TestTheTableRefusesAPlantedImport(t *testing.T) {
	for _, planted := range []struct{ room, target string }{
		{"sqlite", module + "/internal/chat"},
		{"internal/chat", module + "/internal/view"},
		{"internal/cable", module + "/internal/web"},
		{"resp", "golang.org/x/net/html"},
		{"internal/chat", "zombiezen.com/go/sqlite"},
		{"internal/cable", "github.com/gobwas/wsevil"},
		{"internal/view", "net/http"},
	} {
		if forbidden(planted.room, layers[planted.room], planted.target) == "" {
			t.Errorf("%s may import %s, which breaks the architecture", planted.room, planted.target)
		}
	}
}

// forbidden says why room may not import target; empty means it may.
func forbidden(room string, allowed []string, target string) string {
	own, ours := strings.CutPrefix(target, module+"/")
	switch {
	case ours && own != room && !slices.Contains(allowed, own) && !slices.Contains(allowed, "*"):
		return "the table of rooms does not allow it"
	case !ours && strings.Contains(firstElement(target), ".") && !slices.ContainsFunc(outside[room], func(root string) bool { return within(target, root) }):
		return "the table of what is not ours does not allow it"
	case target == "net/http" && (room == "internal/chat" || room == "internal/view"):
		return "the domain and its pages know no HTTP"
	}
	return ""
}

// within reports whether a package is root or below it.
func within(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

func firstElement(importPath string) string {
	first, _, _ := strings.Cut(importPath, "/")
	return first
}

// productionFiles returns the Go files of each room that end up in a program.
func productionFiles(t *testing.T) map[string][]string {
	t.Helper()
	rooms := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(name, entry.Name())
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			room := path.Dir(filepath.ToSlash(name))
			rooms[room] = append(rooms[room], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(rooms) < 5 {
		t.Fatalf("found only %d rooms: the walk is broken", len(rooms))
	}
	return rooms
}

// skipFolder leaves out what is not ours or has a module of its own.
func skipFolder(name, base string) error {
	if name == "." {
		return nil
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	ownModule := err == nil
	if ownModule || base == "testdata" || base == "node_modules" || base == "storage" || strings.HasPrefix(base, ".") {
		return filepath.SkipDir
	}
	return nil
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, spec := range parsed.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
	}
	return targets
}
