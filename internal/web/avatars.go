package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"

	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// pictureMax bounds a stored picture that is sent as it is.
const pictureMax = 5 << 20

// pictureTypes are the kinds of pictures that are sent as they are, told by
// their bytes and not by what somebody called them.
var pictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// showAvatar answers with somebody's picture: theirs, or their initials.
func (x *exchange) showAvatar(in *chat.Reader) error {
	id, err := x.server.keys.VerifySignedID(x.value("token"), "user/avatar", x.now)
	if err != nil {
		return chat.ErrNotFound
	}
	someone, err := in.User(chat.UserID(id))
	if err != nil {
		return err
	}
	x.w.Header().Set("Cache-Control", "max-age=1800, public, stale-while-revalidate=604800")
	blob, err := in.Avatar(someone.ID)
	if err == nil {
		var sent bool
		if sent, err = x.sendPicture(blob); err != nil || sent {
			return err
		}
	} else if !errors.Is(err, chat.ErrNotFound) {
		return err
	}
	return x.sendDrawing(drawAvatar(someone))
}

// sendPicture sends a stored picture if it is one that browsers show.
func (x *exchange) sendPicture(blob chat.Blob) (sent bool, err error) {
	file, info, err := x.openFile(blob.Key)
	if errors.Is(err, chat.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	kind, err := sniff(file)
	if err != nil || !pictureTypes[kind] || info.Size() > pictureMax {
		file.Close()
		return false, err
	}
	header := x.w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", "inline")
	header.Set("ETag", `W/"`+blob.Key+`"`) // a file never changes under its key
	return true, x.stream(content{ReadSeekCloser: file})
}

// sniff tells what the first bytes of a file are.
func sniff(file io.Reader) (string, error) {
	var start [512]byte
	n, err := io.ReadFull(file, start[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read picture: %w", err)
	}
	return http.DetectContentType(start[:n]), nil
}

// sendDrawing sends a picture that was drawn for this request.
func (x *exchange) sendDrawing(svg []byte) error {
	sum := sha256.Sum256(svg)
	x.w.Header().Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
	x.w.Header().Set("Content-Security-Policy", "default-src 'none'")
	return x.append(http.StatusOK, "image/svg+xml", func(dst []byte) []byte { return append(dst, svg...) })
}

// avatarColors are what initials stand on; a person's id chooses.
var avatarColors = [...]string{
	"#AF2E1B", "#CC6324", "#3B4B59", "#BFA07A", "#ED8008", "#ED3F1C", "#BF1B1B", "#736B1E", "#D07B53",
	"#736356", "#AD1D1D", "#BF7C2A", "#C09C6F", "#698F9C", "#7C956B", "#5D618F", "#3B3633", "#67695E",
}

func avatarColor(id chat.UserID) string {
	sum := crc32.ChecksumIEEE(strconv.AppendInt(nil, int64(id), 10))
	return avatarColors[sum%uint32(len(avatarColors))]
}

//go:embed pictures/bot.svg
var botPicture []byte

// drawAvatar draws initials on the person's colour, or a robot.
func drawAvatar(u chat.User) []byte {
	if u.Bot() {
		return botPicture
	}
	initials := u.Initials()
	svg := []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" rx="50" fill="`)
	svg = append(svg, avatarColor(u.ID)...)
	svg = append(svg, `"/><text x="50%" y="50%" fill="#FFFFFF" text-anchor="middle" dominant-baseline="central" font-family="system-ui, sans-serif" font-size="230" font-weight="800"`...)
	if len([]rune(initials)) >= 3 {
		svg = append(svg, ` textLength="85%" lengthAdjust="spacingAndGlyphs"`...)
	}
	svg = append(svg, '>')
	svg = richtext.AppendEscape(svg, initials)
	return append(svg, `</text></svg>`...)
}
