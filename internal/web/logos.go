package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"

	"hearth/internal/chat"
)

// Our own mark, for an account without a picture of its own: 512 and 192 pixels
// square, made from the logo of the pages.
//
//go:embed pictures/logo-512.png
var stockLogo []byte

//go:embed pictures/logo-192.png
var stockLogoSmall []byte

// showLogo answers with the account's picture, also to visitors.
func (x *exchange) showLogo(in *chat.Reader) error {
	x.w.Header().Set("Cache-Control", "max-age=300, public, stale-while-revalidate=604800")
	switch logo, err := in.Logo(); {
	case err == nil:
		if sent, err := x.sendPicture(logo); err != nil || sent {
			return err
		}
	case !errors.Is(err, chat.ErrNotFound):
		return err
	}
	picture := stockLogo
	if x.text("size") == "small" {
		picture = stockLogoSmall
	}
	sum := sha256.Sum256(picture)
	header := x.w.Header()
	header.Set("Content-Type", "image/png")
	header.Set("Content-Disposition", "inline")
	header.Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
	return x.stream(inMemory(picture))
}
