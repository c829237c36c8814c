package chat

import "hearth/sqlite"

// attachment is a row that ties a file to its owner.
type attachment struct {
	id   int64
	blob BlobID
}

// attachments returns what is attached to an owner, under any name.
func (r *Reader) attachments(ownerType string, owner int64) ([]attachment, error) {
	var found []attachment
	err := r.q.Query(`SELECT id, blob_id FROM active_storage_attachments WHERE record_type = ?1 AND record_id = ?2`, func(row sqlite.Row) error {
		found = append(found, attachment{row.Int(0), BlobID(row.Int(1))})
		return nil
	}, ownerType, owner)
	return found, err
}

// detach takes an owner's files away, and purges those that nobody else has.
func (w *writer) detach(ownerType string, owner int64) error {
	attached, err := w.attachments(ownerType, owner)
	if err != nil {
		return err
	}
	for _, a := range attached {
		if err := w.exec(`DELETE FROM active_storage_attachments WHERE id = ?1`, a.id); err != nil {
			return err
		}
		if err := w.purge(a.blob); err != nil {
			return err
		}
	}
	return nil
}

// purge deletes a file that nothing is attached to, with its preview and its
// variants, which are files themselves. The bytes go after the commit.
func (w *writer) purge(blob BlobID) error {
	used, err := exists(w.q, `SELECT 1 FROM active_storage_attachments WHERE blob_id = ?1`, blob)
	if err != nil || used {
		return err
	}
	if err := w.detach("ActiveStorage::Blob", int64(blob)); err != nil {
		return err
	}
	var variants []int64
	err = w.q.Query(`SELECT id FROM active_storage_variant_records WHERE blob_id = ?1`, func(row sqlite.Row) error {
		variants = append(variants, row.Int(0))
		return nil
	}, blob)
	if err != nil {
		return err
	}
	for _, id := range variants {
		if err := w.detach("ActiveStorage::VariantRecord", id); err != nil {
			return err
		}
		if err := w.exec(`DELETE FROM active_storage_variant_records WHERE id = ?1`, id); err != nil {
			return err
		}
	}
	_, err = w.q.One(`SELECT key FROM active_storage_blobs WHERE id = ?1`, func(row sqlite.Row) error {
		w.files = append(w.files, row.Text(0))
		return nil
	}, blob)
	if err != nil {
		return err
	}
	return w.exec(`DELETE FROM active_storage_blobs WHERE id = ?1`, blob)
}
