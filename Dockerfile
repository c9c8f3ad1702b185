# The image contains the npm package `tickwire`, packed from this repository, and the Bun that npm installs with it. The final
# stage has neither Node nor npm, and no sources. It runs no command, and the other stages run on the platform of the builder: images for
# linux/amd64 and linux/arm64 are built on either, without emulation.
FROM --platform=$BUILDPLATFORM node:22.19.0-bookworm-slim AS pack
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/contract/package.json packages/contract/
COPY packages/engine/package.json packages/engine/
COPY packages/guide/package.json packages/guide/
COPY packages/house/package.json packages/house/
COPY packages/sentiment/package.json packages/sentiment/
COPY packages/server/package.json packages/server/
COPY packages/terminal/package.json packages/terminal/
COPY packages/server/bin packages/server/bin
# No package needs its install script. The guide is built with a development tool.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY LICENSE NOTICE ARCHITECTURE.md CHANGELOG.md SECURITY.md tsconfig.json ./
COPY packages packages
COPY python/README.md python/
COPY docs docs
COPY tools/pack tools/pack
RUN npm run pack -- --service --out /packed

FROM --platform=$BUILDPLATFORM node:22.19.0-bookworm-slim AS install
ARG TARGETARCH
COPY --from=pack /packed /packed
RUN case $TARGETARCH in amd64) cpu=x64 ;; arm64) cpu=arm64 ;; *) echo "no image for '$TARGETARCH'" >&2; exit 1 ;; esac \
  && npm install --prefix /installed --os=linux --cpu=$cpu --libc=glibc --ignore-scripts --no-audit --no-fund /packed/*.tgz \
  && mv /installed/node_modules/@oven/bun-linux-*/bin/bun /installed/node_modules/tickwire /installed \
  && mkdir /data

FROM debian:12.12-slim
LABEL org.opencontainers.image.title="Tickwire" \
  org.opencontainers.image.description="Market data, verified trading signals and news over REST and WebSocket" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="Apache-2.0"
COPY --from=install /installed/bun /usr/local/bin/
COPY --from=install /installed/tickwire /app
COPY --from=install --chown=10001:10001 /data /data
COPY deploy/container/healthcheck.ts /app/
COPY --chmod=0755 deploy/container/tickwire /usr/local/bin/tickwire
ENV NODE_ENV=production HOME=/tmp TICKWIRE_HOST=0.0.0.0 TICKWIRE_PORT=8080 TICKWIRE_METRICS_PORT=9464 TICKWIRE_DATA=/data \
  TICKWIRE_SECRETS_FILE=/data/first-start.txt
WORKDIR /data
# A numeric user lets an orchestrator verify that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 8080 9464
# On SIGTERM the service notifies its clients, closes their connections and exits within 5 s.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["bun", "/app/healthcheck.ts"]
ENTRYPOINT ["tickwire"]
CMD ["serve"]
