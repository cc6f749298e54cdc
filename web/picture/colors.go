package picture

import "image/color"

// The colors of web/static/css/tokens.css in the light scheme: a picture cannot know its
// viewer's.
var (
	paper    = hex(0xf6f7f4)
	surface  = hex(0xffffff)
	hairline = hex(0xe0e5df)
	dark     = hex(0x121a17)
	dim      = hex(0x4c5a55)
	brand    = hex(0x0b6253)
	amber    = hex(0xf3c34b)
	chipDeep = hex(0x845300)
	mine     = hex(0x1f5fd1)
	foe      = hex(0xa86300)

	lightSquare, lightLast = hex(0xeef0e2), hex(0xe9d595)
	darkSquare, darkLast   = hex(0x7fa48f), hex(0xceba66)
)

func hex(rgb uint32) color.RGBA {
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}
