package page

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
)

// Comforts returns the controls of how the viewer likes to play.
func (s *Site) Comforts(c echo.Context) []templates.Comfort {
	return comfortsOf(s.Printer(c), PlayOf(c))
}

func comfortsOf(p lang.Printer, now player.Play) []templates.Comfort {
	out := make([]templates.Comfort, len(player.Comforts))
	for i, x := range player.Comforts {
		key, value := "comfort."+x.Name, now.Of(x.Name)
		control := templates.Comfort{Name: x.Name, Label: p.T(key), Value: value}
		switch last := len(x.Values) - 1; {
		case x.IsSwitch():
			control.Switches = true
		case x.Slides:
			control.Least, control.Most, control.Step = x.Values[0], x.Values[last], "5"
		default:
			for _, v := range x.Values {
				choice := templates.ComfortChoice{Value: v, Text: p.T(key + "." + v), Chosen: v == value}
				switch x.Name {
				case "board":
					choice.Picture = boardview.BoardSample(v)
				case "pieces":
					choice.Picture = boardview.PieceSample(v)
				}
				control.Choices = append(control.Choices, choice)
			}
		}
		out[i] = control
	}
	return out
}
