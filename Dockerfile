# Deskbell with the embedded Postgres, which DATABASE_URL replaces. Everything that must survive is in /data.

FROM node:26.10.0-bookworm-slim AS dashboard
WORKDIR /deskbell
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --include=dev
COPY web ./web
COPY src ./src
COPY vendor ./vendor
COPY tsconfig.json ./
RUN node web/build.ts

FROM node:26.10.0-bookworm-slim AS modules
WORKDIR /deskbell
COPY package.json package-lock.json .npmrc ./
# The image has a Node.js of its own.
RUN npm ci --ignore-scripts --omit=dev && rm -rf node_modules/node-linux-* node_modules/node-bin-*
COPY src/core ./src/core
# npm leaves out the links between the libraries of Postgres, and the user below may not make them.
RUN node --eval "import('./src/core/db/postgres/binaries.ts').then(({ findBinaries }) => findBinaries())"

FROM node:26.10.0-bookworm-slim
WORKDIR /deskbell
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 NODE_COMPILE_CACHE=/tmp/deskbell-code
COPY --from=modules /deskbell/node_modules ./node_modules
COPY --from=dashboard /deskbell/web/dist ./web/dist
COPY package.json package-lock.json LICENSE SECURITY.md ./
COPY bin ./bin
COPY docs ./docs
COPY migrations ./migrations
COPY src ./src
COPY vendor ./vendor
RUN mkdir -m 0700 /data /backups && chown node:node /data /backups
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# The shell asks by itself: a Node.js every ten seconds would take more than an idle Deskbell does.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
CMD ["node", "src/main.ts"]
