package rails

import (
	"strconv"
	"time"
)

// Purposes of signed ids.
const (
	AvatarPurpose   = "user/avatar"   // never expires
	TransferPurpose = "user/transfer" // four hours
)

// SignedID returns a record's id as a token for one purpose. A zero time never expires.
func (k *Keys) SignedID(id int64, purpose string, expires time.Time) string {
	return k.ids.sign(seal(strconv.AppendInt(nil, id, 10), purpose, expires))
}

// VerifySignedID returns the id in a token made for this purpose.
func (k *Keys) VerifySignedID(token, purpose string, now time.Time) (int64, error) {
	return verifyInt(k.ids, token, purpose, now)
}

func verifyInt(s signer, token, purpose string, now time.Time) (int64, error) {
	payload, err := s.verify(token)
	if err != nil {
		return 0, err
	}
	value, err := open(payload, purpose, now)
	if err != nil {
		return 0, err
	}
	return jsonInt(value)
}
