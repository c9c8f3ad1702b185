# Dependencies without the development ones; npm brings Bun's binary for the platform of the image.
FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/engine/package.json packages/engine/
COPY packages/server/package.json packages/server/
COPY packages/client/package.json packages/client/
COPY packages/house/package.json packages/house/
COPY packages/sentiment/package.json packages/sentiment/
COPY packages/terminal/package.json packages/terminal/
COPY packages/server/bin packages/server/bin
RUN npm ci --omit=dev

FROM node:22-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production TICKWIRE_HOST=0.0.0.0 TICKWIRE_DATA=/data
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY packages packages
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/bin/tickwire.mjs", "serve"]
