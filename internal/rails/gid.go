package rails

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// A global id is gid://campfire/CLASS/ID. The class is the concrete one, so that
// a room's changes when the room is converted.
const gidPrefix = "gid://campfire/"

// userClass is the class that mentions point to.
const userClass = "User"

// attachable is the purpose of a signed global id in a message.
const attachable = "attachable"

// GIDParam returns a record's global id as stream names hold it.
func GIDParam(class string, id int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte(gid(class, id)))
}

// ParseGIDParam is the reverse of GIDParam.
func ParseGIDParam(s string) (class string, id int64, err error) {
	raw, err := decode64(s)
	if err != nil {
		return "", 0, err
	}
	return parseGID(string(raw))
}

// MentionSGID returns what a mention of a person carries in a message's body.
func (k *Keys) MentionSGID(userID int64) string {
	// Campfire's library leaves the empty query behind; it is part of the signed text.
	value := appendPlainJSON(nil, gid(userClass, userID)+"?expires_in")
	return k.mentions.sign(seal(value, attachable, time.Time{}))
}

// VerifyMentionSGID returns whom a mention points to, if we signed it: what
// decides about notifications and webhooks. To show a mention, see UnverifiedMention.
func (k *Keys) VerifyMentionSGID(sgid string) (userID int64, err error) {
	payload, err := k.mentions.verify(sgid)
	if err != nil {
		return 0, err
	}
	value, err := open(payload, attachable, time.Time{})
	if err != nil {
		return 0, err
	}
	text, err := jsonString(value)
	if err != nil {
		return 0, err
	}
	class, id, err := parseGID(text)
	if err != nil || class != userClass {
		return 0, ErrInvalid
	}
	return id, nil
}

func gid(class string, id int64) string {
	return gidPrefix + class + "/" + strconv.FormatInt(id, 10)
}

// parseGID accepts any query, as Campfire does.
func parseGID(text string) (class string, id int64, err error) {
	rest, ok := strings.CutPrefix(text, gidPrefix)
	if !ok {
		return "", 0, ErrInvalid
	}
	rest, _, _ = strings.Cut(rest, "?")
	class, digits, ok := strings.Cut(rest, "/")
	if !ok || class == "" {
		return "", 0, ErrInvalid
	}
	id, ok = parseID(digits)
	if !ok {
		return "", 0, ErrInvalid
	}
	return class, id, nil
}

// parseID reads decimal digits only: no sign, nothing around them.
func parseID(digits string) (int64, bool) {
	if digits == "" || len(digits) > len("9223372036854775807") {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
	}
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, err == nil
}
