package rails

import (
	"encoding/json"
	"strconv"
	"time"
)

// Purposes of Active Storage's tokens. In a path the "/" of their base64 has to
// be escaped.
const (
	blobPurpose      = "blob_id"
	variationPurpose = "variation"
	readPurpose      = "blob_key"
	uploadPurpose    = "blob_token"
)

// BlobID returns a stored file's id as it stands in links, which last forever.
func (k *Keys) BlobID(id int64) string {
	return k.storage.sign(seal(strconv.AppendInt(nil, id, 10), blobPurpose, time.Time{}))
}

// VerifyBlobID returns the id in such a token.
func (k *Keys) VerifyBlobID(token string) (int64, error) {
	return verifyInt(k.storage, token, blobPurpose, time.Time{})
}

// VariationKey returns a variation as it stands in links, which last forever.
func (k *Keys) VariationKey(v Variation) string {
	return k.storage.sign(seal(v.json(), variationPurpose, time.Time{}))
}

// VerifyVariationKey returns the variation in such a token.
func (k *Keys) VerifyVariationKey(token string) (Variation, error) {
	value, err := k.openStorage(token, variationPurpose, time.Time{})
	if err != nil {
		return Variation{}, err
	}
	return parseVariation(value)
}

// A DiskFile is what a short-lived link to a stored file's bytes allows.
type DiskFile struct {
	Key         string `json:"key"`
	Disposition string `json:"disposition"` // the whole header value
	ContentType string `json:"content_type"`
	ServiceName string `json:"service_name"` // "local"
}

// DiskKey returns the token of such a link.
func (k *Keys) DiskKey(file DiskFile, expires time.Time) string {
	return k.storage.sign(seal(escapedJSON(file), readPurpose, expires))
}

// VerifyDiskKey returns what a link to a file's bytes allows now.
func (k *Keys) VerifyDiskKey(token string, now time.Time) (DiskFile, error) {
	var file DiskFile
	return file, k.openInto(&file, token, readPurpose, now)
}

// A DiskUpload is what a direct upload may write.
type DiskUpload struct {
	Key           string `json:"key"`
	ContentType   string `json:"content_type"`
	ContentLength int64  `json:"content_length"`
	Checksum      string `json:"checksum"` // base64 of the MD5
	ServiceName   string `json:"service_name"`
}

// DiskToken returns the token of a direct upload.
func (k *Keys) DiskToken(upload DiskUpload, expires time.Time) string {
	return k.storage.sign(seal(escapedJSON(upload), uploadPurpose, expires))
}

// VerifyDiskToken returns what an upload may write now.
func (k *Keys) VerifyDiskToken(token string, now time.Time) (DiskUpload, error) {
	var upload DiskUpload
	return upload, k.openInto(&upload, token, uploadPurpose, now)
}

func (k *Keys) openStorage(token, purpose string, now time.Time) (json.RawMessage, error) {
	payload, err := k.storage.verify(token)
	if err != nil {
		return nil, err
	}
	return open(payload, purpose, now)
}

func (k *Keys) openInto(target any, token, purpose string, now time.Time) error {
	value, err := k.openStorage(token, purpose, now)
	if err != nil {
		return err
	}
	if json.Unmarshal(value, target) != nil {
		return ErrInvalid
	}
	return nil
}
