package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Folder is an open storage folder. All its methods may be called from any goroutine.
type Folder struct {
	dir  string   // absolute
	lock *os.File // nil for a folder that is only looked at
}

const (
	databaseName = "production.sqlite3"
	lockName     = "hearth.lock"
	secretName   = "hearth.secret"
)

// InUseError means that another process serves the folder.
type InUseError struct {
	Dir string
	PID int // 0 when it can't be told
}

func (e *InUseError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("another process serves the storage folder %s: stop it, or choose another folder with --storage", e.Dir)
	}
	return fmt.Sprintf("process %d serves the storage folder %s already: stop it, or choose another folder with --storage", e.PID, e.Dir)
}

// Open makes what is missing of the folder and locks it for this process until
// Close. *InUseError when another process holds it. What it makes is for its owner
// alone: the database holds what signs people in.
func Open(dir string) (*Folder, error) {
	f, err := Look(dir)
	if err != nil {
		return nil, err
	}
	for _, part := range []string{"db", "files", "backups"} {
		if err := os.MkdirAll(filepath.Join(f.dir, part), 0o700); err != nil {
			return nil, fmt.Errorf("the storage folder %s can't be written (%w): give this user the right to, or choose another with --storage", f.dir, reason(err))
		}
	}
	if f.lock, err = takeLock(f.dir); err != nil {
		return nil, err
	}
	if err := writable(filepath.Join(f.dir, "db")); err != nil {
		f.lock.Close()
		return nil, fmt.Errorf("the storage folder %s can't be written (%w): give this user the right to, or choose another with --storage", f.dir, reason(err))
	}
	return f, nil
}

// Look opens a folder beside the process that serves it: nothing is made, and
// nothing is locked.
func Look(dir string) (*Folder, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open storage folder %s: %w", dir, err)
	}
	return &Folder{dir: absolute}, nil
}

// Close gives the lock back. Close the database first.
func (f *Folder) Close() error {
	if f.lock == nil {
		return nil
	}
	return f.lock.Close() // the kernel drops the lock with the file
}

// Dir is the folder's absolute path.
func (f *Folder) Dir() string { return f.dir }

// DatabasePath is where the database lies.
func (f *Folder) DatabasePath() string { return filepath.Join(f.dir, "db", databaseName) }

// BackupsPath is where copies of the database and backups go by default.
func (f *Folder) BackupsPath() string { return filepath.Join(f.dir, "backups") }

func (f *Folder) filesPath() string { return filepath.Join(f.dir, "files") }

// HasDatabase reports whether there is a database, of whatever content.
func (f *Folder) HasDatabase() bool {
	info, err := os.Stat(f.DatabasePath())
	return err == nil && info.Size() > 0
}

// FilePath is where the bytes of the blob with this key lie. A key that could
// lead out of the folder has no path: the result is then empty, which no file
// has for a name.
func (f *Folder) FilePath(key string) string {
	if !plainKey(key) {
		return ""
	}
	return filepath.Join(f.filesPath(), key[0:2], key[2:4], key)
}

// plainKey reports whether key can be a file's name: Active Storage makes keys
// of 28 characters of 0-9 and a-z.
func plainKey(key string) bool {
	if len(key) < 4 || len(key) > 128 {
		return false
	}
	for _, c := range []byte(key) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// RemoveBlob removes the file with this key, and the variants that old servers
// kept beside it. A file that is not there is no error.
func (f *Folder) RemoveBlob(key string) error {
	path := f.FilePath(key)
	if path == "" {
		return fmt.Errorf("remove file: %q is no key", key)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove file: %w", err)
	}
	// Active Storage files a prefix like any other key: by its first letters.
	if err := os.RemoveAll(filepath.Join(f.filesPath(), "va", "ri", "variants", key)); err != nil {
		return fmt.Errorf("remove variants: %w", err)
	}
	return nil
}

// takeLock locks the folder for this process and writes down who has it.
func takeLock(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the storage folder %s can't be locked (%w): give this user the right to write in it", dir, reason(err))
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder := lockHolder(file)
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &InUseError{Dir: dir, PID: holder}
		}
		return nil, fmt.Errorf("the storage folder %s can't be locked (%w): choose a folder on a local disk", dir, err)
	}
	if err := writeHolder(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("lock the storage folder %s: %w", dir, err)
	}
	return file, nil
}

func writeHolder(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

func lockHolder(file *os.File) int {
	text := make([]byte, 20)
	n, _ := file.ReadAt(text, 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil {
		return 0
	}
	return pid
}

// writable tries to write, because permission bits don't tell (a read-only
// disk, another user's folder, root).
func writable(dir string) error {
	file, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return err
	}
	file.Close()
	return os.Remove(file.Name())
}

// reason is the system's own word for what went wrong, without the path that
// the sentence around it names already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
