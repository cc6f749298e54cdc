package page

import "time"

const TVPace = 5 * time.Second // how often results, delays and watchers are looked at
