package picture

import "image/color"

// colors are those of web/static/css/tokens.css in one of its schemes.
type colors struct {
	paper, surface, white, hairline, line, ink, dim, brand, amber, chipDeep, mine, foe color.RGBA

	lightSquare, lightLast, darkSquare, darkLast color.RGBA
}

// light is the scheme of all pictures but those that are asked for in the dark one: a picture cannot know its viewer's.
var light = colors{
	paper: hex(0xf6f7f4), surface: hex(0xffffff), white: hex(0xffffff), hairline: hex(0xe0e5df), line: hex(0xaab6af),
	ink: hex(0x121a17), dim: hex(0x4c5a55),
	brand: hex(0x0b6253), amber: hex(0xf3c34b), chipDeep: hex(0x845300), mine: hex(0x1f5fd1), foe: hex(0xa86300),
	lightSquare: hex(0xeef0e2), lightLast: hex(0xe9d595), darkSquare: hex(0x7fa48f), darkLast: hex(0xceba66),
}

var dark = colors{
	paper: hex(0x101513), surface: hex(0x181f1c), white: hex(0xffffff), hairline: hex(0x2a3531), line: hex(0x50625b),
	ink: hex(0xe9efec), dim: hex(0xa9b8b2),
	brand: hex(0x5fd0b5), amber: hex(0xf0bd4f), chipDeep: hex(0xf5d184), mine: hex(0x8fbaff), foe: hex(0xf0bd4f),
	lightSquare: hex(0xb4c4b6), lightLast: hex(0xcfb679), darkSquare: hex(0x587a69), darkLast: hex(0xa08a4b),
}

func hex(rgb uint32) color.RGBA {
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}
