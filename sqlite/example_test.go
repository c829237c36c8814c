package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hearth/sqlite"
)

func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()

	db, err := sqlite.Open(ctx, filepath.Join(folder, "chat.db"), sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	err = db.Write(ctx, func(tx *sqlite.Tx) error {
		return errors.Join(
			tx.Exec("CREATE TABLE messages (id INTEGER PRIMARY KEY, room INTEGER, body TEXT)"),
			tx.Exec("INSERT INTO messages (room, body) VALUES (?, ?), (?, ?)", 7, "hello", 7, "is anybody here?"))
	})
	if err != nil {
		log.Fatal(err)
	}

	err = db.Read(ctx, func(s *sqlite.Snapshot) error {
		return s.Query("SELECT id, body FROM messages WHERE room = ? ORDER BY id", func(r sqlite.Row) error {
			fmt.Println(r.Int(0), r.Text(1))
			return nil
		}, 7)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 hello
	// 2 is anybody here?
}

// A value that Write leaves outside is set, not added to: the function may run
// more than once.
func ExampleDB_Write() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	db, err := sqlite.Open(ctx, filepath.Join(folder, "people.db"), sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	join := func(email string) (id int64, err error) {
		err = db.Write(ctx, func(tx *sqlite.Tx) error {
			if err := tx.Exec("CREATE TABLE IF NOT EXISTS people (id INTEGER PRIMARY KEY, email TEXT UNIQUE)"); err != nil {
				return err
			}
			if err := tx.Exec("INSERT INTO people (email) VALUES (?)", email); err != nil {
				return err
			}
			id = tx.LastInsertID()
			return nil
		})
		return id, err
	}
	fmt.Println(join("ada@example.org"))
	_, err = join("ada@example.org")
	fmt.Println("taken:", sqlite.IsUnique(err))
	// Output:
	// 1 <nil>
	// taken: true
}
