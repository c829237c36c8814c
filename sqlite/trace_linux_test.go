package sqlite

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// tracedCall is one system call of a traced child on one of the files that matter.
// Time is counted in lines of the trace: strace prints a call when it ends, or,
// when another thread's call comes between, its beginning and its end apart.
type tracedCall struct {
	name       string
	file       string // last element of the path
	data       []byte // of a write
	offset     int64  // of a write; new size of a truncation
	start, end int
	result     int64
}

// traceSyscalls runs a postChild under strace and returns its calls on the
// database, its log, their folder and the file acks, in the order they began.
func traceSyscalls(t *testing.T, folder string, env []string) []tracedCall {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Fatal("strace is not in PATH: install it (apt-get install strace), as `make test` does")
	}
	acks, err := os.Create(filepath.Join(folder, "acks"))
	if err != nil {
		t.Fatal(err)
	}
	defer acks.Close()
	output := filepath.Join(t.TempDir(), "trace")
	child := childCommand("post", env...)
	// Every call that could change a file is traced ("?": where the machine has it).
	child.Args = []string{"strace", "-f", "-qq", "-y", "-xx", "-s", "100000", "-e", "signal=none", "-o", output,
		"-e", "trace=?open,openat,?creat,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,copy_file_range,sendfile,fsync,fdatasync,sync_file_range,?unlink,unlinkat,?rename,?renameat,renameat2,mmap"}
	for _, name := range []string{"posts.db", "posts.db-wal", "posts.db-journal", "acks", ""} {
		child.Args = append(child.Args, "-P", filepath.Join(folder, name))
	}
	child.Args = append(child.Args, os.Args[0])
	child.Path, err = exec.LookPath("strace")
	if err != nil {
		t.Fatal(err)
	}
	child.ExtraFiles = []*os.File{acks}
	if err := child.Run(); err != nil {
		t.Fatalf("traced child: %v", err)
	}
	return parseTrace(t, output)
}

func parseTrace(t *testing.T, path string) []tracedCall {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var calls []tracedCall
	unfinished := map[string]int{} // by thread, an index of calls
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); n++ {
		thread, line, _ := strings.Cut(lines.Text(), " ")
		line = strings.TrimLeft(line, " ")
		if strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---") {
			continue
		}
		if strings.HasPrefix(line, "<... ") {
			c := &calls[unfinished[thread]]
			delete(unfinished, thread)
			c.end, c.result = n, resultOf(line)
			continue
		}
		c, err := parseCall(line)
		if err != nil {
			t.Fatalf("line %d of the trace: %v", n+1, err)
		}
		c.start, c.end, c.result = n, n, resultOf(line)
		if strings.HasSuffix(line, "<unfinished ...>") {
			c.end = 1 << 62 // until it is resumed, if ever
			unfinished[thread] = len(calls)
		}
		calls = append(calls, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return calls
}

// parseCall reads what strace prints at a call's beginning, such as
//
//	pwrite64(6<\x2f\x74>, "\x00\x01", 2, 4096)
//	openat(AT_FDCWD<\x2f>, "\x2f\x74", O_RDWR|O_CREAT, 0644)
//
// A call that could change a file in a way that the harness doesn't model is an
// error.
func parseCall(line string) (tracedCall, error) {
	name, args, found := strings.Cut(line, "(")
	if !found {
		return tracedCall{}, fmt.Errorf("not understood: %.200s", line)
	}
	c := tracedCall{name: name}
	if name == "mmap" {
		if strings.Contains(args, "PROT_WRITE") && strings.Contains(args, "MAP_SHARED") {
			return c, fmt.Errorf("a file is written through a map, which no trace shows: %.200s", line)
		}
		return c, nil
	}
	if strings.HasPrefix(args, "AT_FDCWD") {
		_, args, _ = strings.Cut(args, ", ")
	}
	target, rest, _ := strings.Cut(args, ", ")
	path := strings.FieldsFunc(target, func(r rune) bool { return strings.ContainsRune(`<>"`, r) })
	if target[0] == '"' {
		path = append([]string{""}, path...)
	}
	if len(path) < 2 {
		return c, fmt.Errorf("no path: %.200s", line)
	}
	c.file = filepath.Base(string(unhex(path[1]))) // after the descriptor
	switch c.name {
	case "write", "pwrite64":
		quoted, more, _ := strings.Cut(strings.TrimPrefix(rest, `"`), `"`)
		c.data = unhex(quoted)
		numbers := numbersIn(more)
		if len(numbers) == 0 || numbers[0] != int64(len(c.data)) {
			return c, fmt.Errorf("a write was cut short by strace: %.200s", more)
		}
		if c.name == "pwrite64" {
			c.offset = numbers[1]
		}
	case "ftruncate":
		c.offset = numbersIn(rest)[0]
	case "open", "openat":
		if !strings.Contains(rest, "O_CREAT") {
			c.name = "look"
		}
	case "fsync", "fdatasync", "unlink":
	default:
		return c, fmt.Errorf("the harness doesn't know what %s does to %s", c.name, c.file)
	}
	return c, nil
}

// numbersIn returns the numbers between a call's other words.
func numbersIn(s string) []int64 {
	var numbers []int64
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,()=", r) }) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// resultOf returns the number behind the last " = ", -1 when there is none.
func resultOf(line string) int64 {
	i := strings.LastIndex(line, " = ")
	if i < 0 {
		return -1
	}
	n := numbersIn(line[i:])
	if len(n) == 0 {
		return -1
	}
	return n[0]
}

// unhex reads strace's "\x2f\x74".
func unhex(s string) []byte {
	b := make([]byte, len(s)/4)
	for i := range b {
		if _, err := hex.Decode(b[i:i+1], []byte(s[4*i+2:4*i+4])); err != nil {
			return []byte(s)
		}
	}
	return b
}
