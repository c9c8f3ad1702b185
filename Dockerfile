# The image contains the npm package `tickwire`, packed from this repository, and the Bun that npm installs with it. The final
# stage has neither Node nor npm, and no sources.
FROM node:22.19.0-bookworm-slim AS pack
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
COPY python/README.md python/reference.md python/
COPY docs docs
COPY tools/pack tools/pack
RUN npm run pack -- --service --out /packed

FROM node:22.19.0-bookworm-slim AS install
COPY --from=pack /packed /packed
RUN npm install --prefix /installed --ignore-scripts --no-audit --no-fund /packed/*.tgz \
  && cp "$(node -e "import('/installed/node_modules/tickwire/bin/launch.mjs').then(({ findBun }) => console.log(findBun()))")" /usr/local/bin/bun \
  && mv /installed/node_modules/tickwire /app

FROM debian:12.12-slim
LABEL org.opencontainers.image.title="Tickwire" \
  org.opencontainers.image.description="Market data, verified trading signals and news over REST and WebSocket" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="Apache-2.0"
# A numeric user lets an orchestrator verify that it is not root.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin tickwire \
  && mkdir /data \
  && chown tickwire:tickwire /data
COPY --from=install /usr/local/bin/bun /usr/local/bin/bun
COPY --from=install /app /app
COPY deploy/container/healthcheck.ts /app/
COPY --chmod=0755 deploy/container/tickwire /usr/local/bin/tickwire
ENV NODE_ENV=production TICKWIRE_HOST=0.0.0.0 TICKWIRE_PORT=8080 TICKWIRE_METRICS_PORT=9464 TICKWIRE_DATA=/data \
  TICKWIRE_SECRETS_FILE=/data/first-start.txt
WORKDIR /data
USER 10001:10001
VOLUME /data
EXPOSE 8080 9464
# On SIGTERM the service notifies its clients, closes their connections and exits within 5 s.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["bun", "/app/healthcheck.ts"]
ENTRYPOINT ["tickwire"]
CMD ["serve"]
