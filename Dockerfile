# The command line and the window for a browser, without Electron: docs/user/installing.md, "In a container".
# The base image is named by its digest, so that each build of a version is the same; docs/release-checklist.md renews it.
ARG NODE=node:24-bookworm-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df

FROM ${NODE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination / && mv /leanscope-*.tgz /leanscope.tgz

FROM ${NODE}
COPY --from=build /leanscope.tgz /tmp/leanscope.tgz
RUN npm install --global --no-audit --no-fund /tmp/leanscope.tgz && rm /tmp/leanscope.tgz
USER node
WORKDIR /profiles
ENTRYPOINT ["leanscope"]
CMD ["help"]
