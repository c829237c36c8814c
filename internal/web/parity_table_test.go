package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const parityFolder = "testdata/parity"

// fact is one row of the tables: one thing that one answer must hold. The README
// beside them explains the columns.
type fact struct {
	area     string // the file's name
	line     int
	request  string
	as       string
	kind     string
	what     string
	expected string
	source   string
	mark     string // "", "later" or "differs"
	note     string // why it differs, or what will bring it
}

// String is how a fact is listed: where it stands, what it says, where it is from.
func (f *fact) String() string {
	return fmt.Sprintf("%s.tsv:%d: %s, as %s: %s %s %s [%s]", f.area, f.line, f.request, f.as, f.kind, f.what, f.expected, f.source)
}

const paritySheet = "request\tas\tkind\twhat\texpected\tsource\tmark\tnote"

// readFacts reads one table.
func readFacts(area, text string) ([]*fact, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != paritySheet {
		return nil, fmt.Errorf("%s.tsv: first line is %q, want %q", area, lines[0], paritySheet)
	}
	var facts []*fact
	seen := map[string]int{}
	for i, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != 8 {
			return nil, fmt.Errorf("%s.tsv:%d: %d columns, want 8", area, i+2, len(cells))
		}
		f := &fact{area, i + 2, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]}
		switch {
		case f.request == "" || f.as == "" || f.kind == "" || f.source == "":
			return nil, fmt.Errorf("%s.tsv:%d: a row needs request, as, kind and source", area, f.line)
		case f.mark != "" && f.mark != "later" && f.mark != "differs":
			return nil, fmt.Errorf("%s.tsv:%d: mark %q, want later, differs or none", area, f.line, f.mark)
		case f.mark == "differs" && f.note == "":
			return nil, fmt.Errorf("%s.tsv:%d: differs, but doesn't say why", area, f.line)
		}
		key := strings.Join(cells[:5], "\t")
		if first, twice := seen[key]; twice {
			return nil, fmt.Errorf("%s.tsv:%d: says what line %d says", area, f.line, first)
		}
		seen[key] = f.line
		facts = append(facts, f)
	}
	return facts, nil
}

// parityFacts reads all tables; "styles" comes last, because it asks for what
// all the other answers have used.
func parityFacts(t testing.TB) map[string][]*fact {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(parityFolder, "*.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("tables in %s: %d, error %v", parityFolder, len(files), err)
	}
	tables := map[string][]*fact{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		area := strings.TrimSuffix(filepath.Base(file), ".tsv")
		if tables[area], err = readFacts(area, string(text)); err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

// fits compares a text with what a cell expects: "*" stands for anything, and
// after "~" the cell is a regular expression.
func fits(expected, got string) (bool, error) {
	if pattern, ok := strings.CutPrefix(expected, "~"); ok {
		re, err := regexp.Compile("^(?s:" + pattern + ")$")
		return err == nil && re.MatchString(got), err
	}
	pieces := strings.Split(expected, "*")
	if len(pieces) == 1 {
		return got == expected, nil
	}
	first, last := pieces[0], pieces[len(pieces)-1]
	if !strings.HasPrefix(got, first) || !strings.HasSuffix(got[len(first):], last) {
		return false, nil
	}
	got = got[len(first) : len(got)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		at := strings.Index(got, piece)
		if at < 0 {
			return false, nil
		}
		got = got[at+len(piece):]
	}
	return true, nil
}
