package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

var update = flag.Bool("update", false, "take what is seen now for right, and store it in testdata")

const (
	designers        = "/rooms/654632876" // one message of every kind
	designersFirst   = 933434482          // where that begins; before it is chatter
	designersPicture = "testdata/designers.png"
)

// Two pictures look the same when they have the same size and at most
// cellsAllowed of their cells differ. A cell is a square of cellSize pixels; it
// differs when its mean differs by more than cellTolerance (of 255) in a colour.
// Letters come from fonts that the test brings, so that only emoji and the
// smoothing of edges depend on the machine: a cell's mean forgives smoothing,
// and all emoji of the room together are fewer cells than are allowed.
const (
	cellSize      = 8
	cellTolerance = 20
	cellsAllowed  = 0.008
)

// fixedClock stands still at the moment that the sample was made for.
const fixedClock = `(() => {
	const Real = Date, now = Real.parse("2026-11-30T17:00:00Z")
	globalThis.Date = class Date extends Real {
		constructor(...args) { args.length > 0 ? super(...args) : super(now) }
		static now() { return now }
	}
})()`

func TestDesignersLooksAsItDid(t *testing.T) {
	s := serve(t, sample(t), sampleEnv)
	david := arrives(t, s, "david")
	call(david, "zone", command(emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Europe/Lisbon"}))
	call(david, "locale", command(emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: "en-US"}))
	call(david, "calm", command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-reduced-motion", Value: "reduce"}, {Name: "prefers-color-scheme", Value: "light"}}}))
	call(david, "clock", command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fixedClock}))
	david.sized(900, 1000)
	david.opens(designers)
	david.pagesUp(stored(t, s.storage, idOf(designers))[0]) // or its top would come into view later
	david.writesWithOurFonts()

	got := david.photographs()
	if *update {
		if err := os.WriteFile(designersPicture, encode(t, got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := storedPicture(t)
	if difference, diff := compare(got, want); difference != "" {
		dir := failureDir(t)
		keep(t, dir, "got.png", got)
		keep(t, dir, "difference.png", diff)
		t.Errorf("the room does not look like %s any more: %s; look into %s. If it is meant to, run the test with -update", designersPicture, difference, dir)
	}
	for name, defect := range map[string]string{
		"faces are gone":                 `.message__avatar { visibility: hidden }`,
		"own messages lost their colour": `.message--me .message__body-content { background: none }`,
		"messages stand closer":          `.message { margin-block-start: -1px }`,
	} {
		david.wears(defect)
		if difference, _ := compare(david.photographs(), want); difference == "" {
			t.Errorf("the comparison does not notice that %s", name)
		}
	}
}

// wears puts styles on the page, in place of those that it wore before.
func (p *person) wears(styles string) {
	p.t.Helper()
	ask[bool](p, `(styles => {
		globalThis.worn ??= new CSSStyleSheet()
		if (!document.adoptedStyleSheets.includes(worn)) document.adoptedStyleSheets.push(worn)
		worn.replaceSync(styles)
		return true
	})(`+quoted(styles)+`)`)
}

// writesWithOurFonts gives the page fonts that are the same everywhere.
func (p *person) writesWithOurFonts() {
	p.t.Helper()
	for _, font := range []struct {
		family, weight string
		data           []byte
	}{{"Ours", "400", goregular.TTF}, {"Ours", "700", gobold.TTF}, {"Ours Mono", "400", gomono.TTF}} {
		ask[bool](p, fmt.Sprintf(`(async (family, weight, data) => {
			const face = new FontFace(family, Uint8Array.from(atob(data), c => c.charCodeAt(0)), { weight })
			document.fonts.add(await face.load())
			return true
		})(%s, %s, %s)`, quoted(font.family), quoted(font.weight), quoted(base64.StdEncoding.EncodeToString(font.data))))
	}
	ask[bool](p, `(style => {
		style.setProperty("--font-family", "Ours")
		style.setProperty("--font-mono", "Ours Mono")
		return true
	})(document.documentElement.style)`)
}

// photographs takes a picture of the messages of every kind, with all pictures in them loaded.
func (p *person) photographs() *image.RGBA {
	p.t.Helper()
	ask[bool](p, `[...document.images].every(image => image.loading = "eager")`)
	p.waitFor("all of the list is in view and drawn", func() error {
		hidden, err := eval[int64](p, `(list => list.scrollHeight - list.clientHeight)(document.querySelector(".messages"))`)
		if err != nil {
			return err
		}
		if hidden > 0 {
			height, err := eval[int64](p, `innerHeight`)
			if err == nil {
				_, err = do(p, chromedp.EmulateViewport(900, height+hidden))
			}
			return cmp.Or(err, errNotYet)
		}
		missing, err := eval[string](p, `[document.fonts.status === "loaded" || "fonts", ...[...document.images].map(image => image.complete || image.src),
			...[...document.querySelectorAll(".messages pre")].map(code => code.matches(".hljs") || code.textContent)].filter(done => done !== true).join(", ")`)
		if err == nil && missing != "" {
			err = fmt.Errorf("not drawn yet: %s", missing)
		}
		return err
	})
	box := ask[struct{ X, Y, Width, Height float64 }](p, fmt.Sprintf(`(list => {
		const [from, to] = [list.querySelector('[data-message-id="%d"]'), list.lastElementChild].map(row => row.getBoundingClientRect())
		return { x: Math.floor(from.left), y: Math.floor(from.top), width: Math.ceil(from.width), height: Math.ceil(to.bottom - from.top) }
	})(document.querySelector(".messages"))`, designersFirst))
	shot := call(p, "photograph", command(page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip: &page.Viewport{X: box.X, Y: box.Y, Width: box.Width, Height: box.Height, Scale: 1},
	}))
	return decode(p.t, shot.Data)
}

func storedPicture(t *testing.T) *image.RGBA {
	t.Helper()
	data, err := os.ReadFile(designersPicture)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, data)
}

func decode(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	picture := image.NewRGBA(image.Rect(0, 0, decoded.Bounds().Dx(), decoded.Bounds().Dy()))
	draw.Draw(picture, picture.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return picture
}

func encode(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var data bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&data, picture); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

func keep(t *testing.T, dir, name string, picture image.Image) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), encode(t, picture), 0o644); err != nil {
		t.Log(err)
	}
}

// compare says in which way two pictures differ, or nothing, and marks the cells that do.
func compare(got, want *image.RGBA) (difference string, marked *image.RGBA) {
	if got.Rect != want.Rect {
		return fmt.Sprintf("it is %v large, not %v", got.Rect.Size(), want.Rect.Size()), got
	}
	marked = &image.RGBA{Pix: bytes.Clone(got.Pix), Stride: got.Stride, Rect: got.Rect}
	cells, different := 0, 0
	for y := 0; y < got.Rect.Dy(); y += cellSize {
		for x := 0; x < got.Rect.Dx(); x += cellSize {
			cell := image.Rect(x, y, x+cellSize, y+cellSize).Intersect(got.Rect)
			cells++
			if distance(mean(got, cell), mean(want, cell)) > cellTolerance {
				different++
				mark(marked, cell)
			}
		}
	}
	if float64(different) > cellsAllowed*float64(cells) {
		return fmt.Sprintf("%d of %d cells differ, %.2f %%", different, cells, 100*float64(different)/float64(cells)), marked
	}
	return "", marked
}

// mean is the mean colour of a cell.
func mean(picture *image.RGBA, cell image.Rectangle) (mean [3]float64) {
	var red, green, blue int
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		row := picture.Pix[picture.PixOffset(cell.Min.X, y) : picture.PixOffset(cell.Max.X-1, y)+4]
		for i := 0; i < len(row); i += 4 {
			red, green, blue = red+int(row[i]), green+int(row[i+1]), blue+int(row[i+2])
		}
	}
	n := float64(cell.Dx() * cell.Dy())
	return [3]float64{float64(red) / n, float64(green) / n, float64(blue) / n}
}

// distance is how far two colours are apart, in the part that differs most.
func distance(a, b [3]float64) float64 {
	return max(abs(a[0]-b[0]), abs(a[1]-b[1]), abs(a[2]-b[2]))
}

func abs(x float64) float64 {
	return max(x, -x)
}

// mark frames a cell in red.
func mark(picture *image.RGBA, cell image.Rectangle) {
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		for x := cell.Min.X; x < cell.Max.X; x++ {
			if x == cell.Min.X || y == cell.Min.Y {
				picture.Set(x, y, color.RGBA{R: 255, A: 255})
			}
		}
	}
}
