package chat

import (
	"fmt"

	"hearth/sqlite"
)

// Blob returns a stored file by its id.
func (r *Reader) Blob(id BlobID) (Blob, error) {
	b, err := r.blobWhere(`b.id = ?1`, id)
	if err != nil {
		return b, fmt.Errorf("load blob %d: %w", id, err)
	}
	return b, nil
}

// Avatar returns the picture that somebody has put up; ErrNotFound for who has none.
func (r *Reader) Avatar(user UserID) (Blob, error) {
	b, err := r.attached("User", int64(user), "avatar")
	if err != nil {
		return b, fmt.Errorf("load avatar of user %d: %w", user, err)
	}
	return b, nil
}

// Logo returns the picture of the account; ErrNotFound when it has none.
func (r *Reader) Logo() (Blob, error) {
	account, err := r.Account()
	if err != nil {
		return Blob{}, fmt.Errorf("load logo: %w", err)
	}
	b, err := r.attached("Account", account.ID, "logo")
	if err != nil {
		return b, fmt.Errorf("load logo: %w", err)
	}
	return b, nil
}

// attached returns the newest file that a record has under a name.
func (r *Reader) attached(record string, id int64, name string) (Blob, error) {
	return r.blobWhere(`b.id = (SELECT a.blob_id FROM active_storage_attachments a
		WHERE a.record_type = ?1 AND a.record_id = ?2 AND a.name = ?3 ORDER BY a.id DESC LIMIT 1)`, record, id, name)
}

func (r *Reader) blobWhere(condition string, args ...any) (Blob, error) {
	var b Blob
	found, err := r.q.One(`SELECT b.id, b.key, b.filename, b.content_type, b.byte_size, b.checksum FROM active_storage_blobs b WHERE `+condition,
		func(row sqlite.Row) error {
			b = Blob{
				ID: BlobID(row.Int(0)), Key: row.Text(1), Filename: row.Text(2),
				ContentType: row.Text(3), ByteSize: row.Int(4), Checksum: row.Text(5),
			}
			return nil
		}, args...)
	if err == nil && !found {
		err = ErrNotFound
	}
	return b, err
}
