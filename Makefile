# Two commands matter: `go run ./cmd/chpok demo` and `make test`.
SHELL := /bin/bash
.DEFAULT_GOAL := help

.PHONY: first week boards outages tagged upgrades table growth help check dev rooms sizes test tools generate build release release-twice install-test compose-images compose-test bench tune perft openapi fuzz swiss-5000 year evening pictures soak load cups arena paint pages watching look clean

# Without inlining the large template functions, a change of one template compiles a third as
# much. A program for others inlines where the engine and the rulebooks count, and nowhere else
# of ours (.ci/light): a page takes 1.5 % longer to make, and the program is 9 % smaller.
dev test sizes: export GOFLAGS += -gcflags=chpok.org/chpok/templates/...=-l
build: export GOFLAGS += $(shell cat .ci/light)

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 16

test: tools ## run all tests: unit, property, golden, SQLite and PostgreSQL, browser
	@bash .ci/test

tools: ## install what the tests need, where that works without asking
	@bash .ci/tools

check: ## run what CI checks before the tests
	@bash .ci/check

dev: ## run a sample club on 127.0.0.1:8080, rebuilt whenever a template or a Go file changes
	go tool templ generate --watch --cmd "go run ./cmd/chpok demo"

THEN ?= cfd93e9a
rooms: ## print the house in figures, beside those of the commits THEN
	@go run ./cmd/chpok-lab house $(THEN)

sizes: ## the same, with seconds of a rebuild after a template change and of each package's tests
	@bash .ci/sizes

generate: ## regenerate the templates and the pieces of pictures
	go tool templ generate
	go generate ./web/picture

build: ## build a static binary, ./chpok
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o chpok ./cmd/chpok

RELEASE ?= dist
release: ## make all files of a release from the last commit, in RELEASE (dist); publishes nothing
	@bash .ci/release $(RELEASE)

release-twice: ## make them twice, on different paths and from an empty cache, and compare every byte
	@bash .ci/release-twice

install-test: ## install a package of the last commit in a fresh Debian, hold an evening, upgrade, remove, purge (docs/install.md)
	@bash .ci/install-test

compose-test: ## bring up both profiles of docker-compose.yml, play over TLS, kill and replace nodes, back up, restore, upgrade
	@bash .ci/compose-test

compose-images: ## make the images that this needs, where no registry of images is in reach
	@bash .ci/compose-images

bench: ## run the benchmarks of rules, pairing, ratings and storage
	go test -run '^$$' -bench . -benchmem ./engine/... ./tournament/... ./rating/... ./store/... ./live/...

TUNE ?= 6000
tune: ## learn the engine's evaluation weights from TUNE (6000) games against itself; about an hour
	go run ./cmd/chpok-lab tune play --games $(TUNE) > $(or $(TMPDIR),/tmp)/chpok-tune
	go run ./cmd/chpok-lab tune fit < $(or $(TMPDIR),/tmp)/chpok-tune > engine/search/weights.new && mv engine/search/weights.new engine/search/weights.json

perft: ## check the perft tables
	go test -count=1 -v -run TestPerftTables ./engine/board

FUZZTIME ?= 20s
OPENAPI ?= /tmp/chpok-openapi
openapi: ## check the description of the API with two validators of others, from npm, kept in OPENAPI
	@mkdir -p $(OPENAPI)
	npm install --silent --no-save --prefix $(OPENAPI) @redocly/cli@2 @seriousme/openapi-schema-validator@2
	CHPOK_OPENAPI=$(OPENAPI)/openapi.json go test -count=1 -run TestTheDescriptionIsValid ./web
	cd $(OPENAPI) && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true node_modules/.bin/redocly lint openapi.json --extends recommended-strict --skip-rule operation-4xx-response
	cd $(OPENAPI) && node_modules/.bin/validate-api openapi.json

fuzz: ## run every fuzz target for FUZZTIME (20s)
	@for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			echo "== $$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; \
	done

swiss-5000: ## pair and check 5,000 random Swiss tournaments (docs/pairing.md)
	go run ./cmd/chpok simulate --mixed --count 5000 --check --smallest 4 --largest 160 --seed 1

YEAR_FORMATS = round-robin swiss knock-out stages groups arena keizer
year: ## hold a year of events of every format on nodes killed at random, and check every log against its table (docs/inside.md)
	@for f in $(YEAR_FORMATS); do go run ./cmd/chpok-lab year --format $$f --count 52 || exit 1; done

outages: ## cut a player's network for 1, 5, 20 and 60 s; fail PostgreSQL over, cut off a node, freeze one
	CHPOK_OUTAGES="1s 5s 20s 60s" go test ./cmd/chpok -v -run TestCalledToTheBoardAndAtHomeThere
	CHPOK_OUTAGES=1 go test -count=1 ./cmd/chpok -v -run 'TestAStandbyIsPromoted|TestANodeThatIsCutOff|TestAFrozenNode'

VERSION ?= 1.0.0
tagged: ## write the logs, bundle and records of the coming VERSION into testdata; refused once it has its tag
	@! git rev-parse -q --verify "refs/tags/v$(VERSION)" >/dev/null || { echo "v$(VERSION) is tagged: its files stay as they are"; exit 1; }
	CHPOK_TAGGED=$(VERSION) go test -count=1 -run TestTheFilesOfTheNextVersionAreWritten ./cmd/chpok
	go test -count=1 -run TestWhatTaggedVersionsWroteIsRead ./cmd/chpok

FROM ?= $(shell git describe --tags --abbrev=0 2>/dev/null || echo HEAD)
upgrades: ## upgrade what the program of the last tag, or FROM, has written, broken off after every statement and by kill -9, and print how each ended; replace three nodes by versions that expand and contract
	go test -count=1 -v -run TestAnUpgradeThatIsBrokenOffAnywhereIsRepeated ./store
	CHPOK_UPGRADES=$(FROM) go test -count=1 -timeout 30m -v -run 'TestDatabasesOfTheTaggedVersionAreUpgraded|TestThreeNodesAreReplacedByExpandAndContract' ./cmd/chpok-lab

load: ## measure moves with 0 and 300 watchers, side by side (docs/operations.md)
	go run ./cmd/chpok-lab load

SCALE ?= 1
table: ## measure the tables of docs/operations.md and write them there; 20 minutes on a quiet machine (SCALE=0.05 for a trial)
	CHPOK_TABLE=$(CURDIR)/docs/operations.md CHPOK_SCALE=$(SCALE) go test -count=1 -timeout 30m -v -run TestTheTableIsMeasured ./cmd/chpok-lab

GROW ?= 1000000
PLAYERS ?= 50000
growth: ## compare a site with GROW finished matches and PLAYERS players with one that is almost new (docs/operations.md)
	go run ./cmd/chpok-lab load --grow $(GROW) --players $(PLAYERS) --for 60s

cups: ## let bots play a cup of twelve, a Swiss of 24 with a final of eight, and an arena in two browsers
	go test -count=1 -v -run 'TestACupOfTwelve|TestASwissOfTwentyFour|TestAnArenaInTwo' ./cmd/chpok

arena: ## measure an arena of 60 bots for ten minutes beside a Swiss on one node (docs/inside.md)
	go run ./cmd/chpok-lab load --arena 10m

SOAK ?= 20m
soak: ## run under load for SOAK (20m) with database outages; no move may be refused, memory and p99 must stay flat
	go run ./cmd/chpok-lab load --soak $(SOAK) --watchers 100 --boards 160 --rate 40

watching: ## measure the browser's share of a core with 64 live matches on one page (docs/operations.md)
	CHPOK_MEASURE=1 go test -count=1 -v -run TestSixtyFourBoardsLeaveTheBrowserItsRest ./cmd/chpok

pages: ## measure how many visitors a second get a public page, beside nginx with the same bytes (docs/operations.md)
	CHPOK_MEASURE=1 go test -count=1 -v -run TestAPublicPageBesideNginx ./cmd/chpok-lab

paint: ## measure when pages are painted and whether they move by themselves, on a quiet machine
	CHPOK_MEASURE=1 go test -count=1 -v -run TestPagesPaintAtOnce ./cmd/chpok

evening: ## run a whole evening from an organizer's phone and count the taps
	CHPOK_STORY=full go test -count=1 -v -run TestAnOrganizerRunsAnEveningFromAPhone ./cmd/chpok

pictures: look ## retake the pictures in docs/img and the contact sheet of every page (look)
	CHPOK_PICTURES=$(CURDIR)/docs/img go test -count=1 -run TestPicturesOfAMatch ./cmd/chpok

BOARDS ?= /tmp/chpok-boards
boards: ## take pictures of matches on 6, 8 and 10 files in seven kinds of windows, with BOARDS/index.html
	@mkdir -p $(BOARDS)
	CHPOK_BOARDS=1 CHPOK_SHOTS=$(BOARDS) go test -count=1 -run TestBoardsOfEveryWidthFitWindowsOfEveryKind ./cmd/chpok
	@cd $(BOARDS) && for f in TestBoards*.png; do echo "<figure style='display:inline-block'><img height=360 src='$$f' alt=''><figcaption>$$f</figcaption></figure>"; done >index.html
	@echo "file://$(BOARDS)/index.html"

FIRST ?= /tmp/chpok-first
first: ## take first screens of home, play, learn and bidding in every look, beside a site at CHPOK_BESIDE, with FIRST/index.html
	@mkdir -p $(FIRST)
	CHPOK_SHOTS=$(FIRST) CHPOK_LOOKS=all go test -count=1 -run TestTheNextStepStandsOnTheFirstScreen ./cmd/chpok
	@cd $(FIRST) && for f in TestTheNextStep*.png; do echo "<figure style='display:inline-block'><img height=420 src='$$f' alt=''><figcaption>$$f</figcaption></figure>"; done >index.html
	@echo "file://$(FIRST)/index.html"

WEEK ?= /tmp/chpok-week
week: ## take pictures of a player's home on each of their first seven days in every look, with WEEK/index.html
	@mkdir -p $(WEEK)
	CHPOK_SHOTS=$(WEEK) CHPOK_LOOKS=all go test -count=1 -run TestAPlayersFirstSevenDays ./cmd/chpok
	@cd $(WEEK) && for f in TestAPlayersFirst*.png; do echo "<figure style='display:inline-block'><img height=420 src='$$f' alt=''><figcaption>$$f</figcaption></figure>"; done >index.html
	@echo "file://$(WEEK)/index.html"

LOOK ?= /tmp/chpok-look
LOOKS ?= all
look: ## take a picture of every page family in both widths, languages and schemes, with LOOK/index.html
	@mkdir -p $(LOOK)
	CHPOK_SHOTS=$(LOOK) CHPOK_LOOKS="$(LOOKS)" go test -count=1 -timeout 20m -run TestEveryPageStandsUp ./cmd/chpok
	@echo "file://$(LOOK)/index.html"

clean: ## remove the binary
	rm -f chpok
