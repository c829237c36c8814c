package storage

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SecretOrigin says where a folder's secret came from.
type SecretOrigin int

const (
	SecretGiven           SecretOrigin = iota // by the environment
	SecretKept                                // read from the folder
	SecretMade                                // made now, for a new database
	SecretMadeForExisting                     // made now, for a database that was signed with another: everybody must sign in again
)

// Secret is the text that every signed value is made with. given is the
// environment's; when it is empty, the folder's own secret is used, and made
// with mode 0600 when there is none.
func (f *Folder) Secret(given string) (secret string, origin SecretOrigin, err error) {
	if strings.TrimSpace(given) != "" {
		return given, SecretGiven, nil
	}
	path := filepath.Join(f.dir, secretName)
	kept, err := os.ReadFile(path)
	switch {
	case err == nil:
		return checkSecret(path, kept)
	case !errors.Is(err, fs.ErrNotExist):
		return "", 0, fmt.Errorf("the secret in %s can't be read (%w): give this user the right to read it, or set SECRET_KEY_BASE", path, reason(err))
	}
	origin = SecretMade
	if f.HasDatabase() {
		origin = SecretMadeForExisting
	}
	secret, err = makeSecret(path)
	return secret, origin, err
}

// secretMin is the least number of characters that can be a secret: anything
// shorter is a file that was cut off.
const secretMin = 32

func checkSecret(path string, kept []byte) (string, SecretOrigin, error) {
	secret := strings.TrimSpace(string(kept))
	if len(secret) < secretMin {
		return "", 0, fmt.Errorf("the secret in %s is cut off: restore that file from a backup, or remove it to get a new one (then everybody must sign in again)", path)
	}
	return secret, SecretKept, nil
}

func makeSecret(path string) (string, error) {
	random := make([]byte, 64)
	rand.Read(random)
	secret := hex.EncodeToString(random)
	if err := writeWhole(path, 0o600, []byte(secret+"\n")); err != nil {
		return "", fmt.Errorf("keep the secret: %w", err)
	}
	return secret, nil
}

// writeWhole makes the file at path hold data, or leaves what was there: the
// bytes are on the disk before the name is.
func writeWhole(path string, mode os.FileMode, data []byte) error {
	file, err := os.OpenFile(path+".partial", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return finish(file, path, err)
}

// finish syncs and closes a file and gives it its name, or removes it when
// writing it ended with err.
func finish(file *os.File, path string, err error) error {
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Sync()
}
