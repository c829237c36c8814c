package rails

import (
	"encoding/json"
	"regexp"
	"strings"
)

// UnverifiedMention returns whom a mention points to by the rule for showing it,
// which ignores the signature on purpose: mentions outlive the secret that signed
// them. It reads today's payload and that of Rails 7, which held a Ruby Marshal
// dump. Never decide who is told about a message by it.
func UnverifiedMention(sgid string) (userID int64, ok bool) {
	encoded, _, _ := strings.Cut(sgid, "--")
	if userID, ok := usualMention(encoded); ok {
		return userID, true
	}
	return anyMention(encoded)
}

func anyMention(encoded string) (userID int64, ok bool) {
	payload, err := decode64(encoded)
	if err != nil {
		return 0, false
	}
	var outer struct {
		Rails envelope `json:"_rails"`
	}
	if json.Unmarshal(payload, &outer) != nil {
		return 0, false
	}
	if outer.Rails.Data != nil {
		text, err := jsonString(outer.Rails.Data)
		if err != nil {
			return 0, false
		}
		class, id, err := parseGID(text)
		return id, err == nil && class == userClass
	}
	if outer.Rails.Message == nil {
		return 0, false
	}
	dump, err := decode64(*outer.Rails.Message)
	if err != nil {
		return 0, false
	}
	return mentionInDump(dump)
}

// usualMention reads, without allocating, exactly the payload that MentionSGID
// writes. Whatever else there is comes from elsewhere and goes the long way.
func usualMention(encoded string) (userID int64, ok bool) {
	const (
		before = `{"_rails":{"data":"` + gidPrefix + userClass + "/"
		after  = `?expires_in","pur":"` + attachable + `"}}`
	)
	var buffer [128]byte
	encoded = unpad64(encoded)
	if strictURL.DecodedLen(len(encoded)) > len(buffer) {
		return 0, false
	}
	n, err := strictURL.Decode(buffer[:], []byte(encoded))
	if err != nil {
		return 0, false
	}
	payload := buffer[:n]
	if n < len(before)+len(after) || string(payload[:len(before)]) != before || string(payload[n-len(after):]) != after {
		return 0, false
	}
	for _, digit := range payload[len(before) : n-len(after)] {
		if digit < '0' || digit > '9' || userID > (1<<63-1)/10-1 {
			return 0, false
		}
		userID = 10*userID + int64(digit-'0')
	}
	return userID, userID > 0
}

// gidInDump finds a global id between the bytes of a Marshal dump.
var gidInDump = regexp.MustCompile(`gid://campfire/([A-Za-z0-9_:]+)/([0-9]+)`)

func mentionInDump(dump []byte) (userID int64, ok bool) {
	found := gidInDump.FindSubmatch(dump)
	if found == nil || string(found[1]) != userClass {
		return 0, false
	}
	return parseID(string(found[2]))
}
