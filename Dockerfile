# A static binary on an empty base: no shell, no package manager, one user.
FROM golang:1.26.8 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath $(cat .ci/light) -ldflags '-s -w' -o /chpok ./cmd/chpok && mkdir /data
RUN .ci/licenses /chpok >/LICENSES-OF-OTHERS

FROM scratch
COPY --from=build /chpok /src/LICENSE /LICENSES-OF-OTHERS /
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
VOLUME /data
ENV CHPOK_ADDR=0.0.0.0:8080 CHPOK_DATABASE_URL=sqlite:/data/chpok.db
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s CMD ["/chpok", "health"]
ENTRYPOINT ["/chpok"]
CMD ["serve"]
