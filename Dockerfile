# The service alone, with every engine. Nothing is downloaded when it starts. From the root of the checkout:
#   npm run container
#   docker run --read-only --tmpfs /tmp -v refile:/data -p 127.0.0.1:7421:7421 refile
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /refile
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
# Without scripts, since the only one downloads an ffmpeg, and the image has Debian's.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts && node setup/packaging/unused.ts

FROM node:24.21.0-bookworm-slim
RUN --mount=type=cache,target=/var/cache/apt --mount=type=cache,target=/var/lib/apt \
  apt-get update && apt-get install -y --no-install-recommends ffmpeg pocketsphinx pocketsphinx-en-us \
  # Drivers of graphics cards, which come with ffmpeg's player, and what people read.
  && rm -rf /usr/lib/*/dri /usr/lib/*/libLLVM* /usr/lib/*/libgallium* /usr/share/doc /usr/share/man /usr/share/locale \
  # Volumes that are mounted there take over whom the folders belong to.
  && install -d -o node -g node -m 700 /data /blobs
WORKDIR /refile
COPY --from=build /refile/package.json /refile/LICENSE /refile/THIRD-PARTY-NOTICES.md ./
COPY --from=build /refile/node_modules node_modules
COPY --from=build /refile/resources resources
COPY --from=build /refile/dist dist
USER 1000:1000
ENV REFILE_HOME=/data REFILE_HOST=0.0.0.0 REFILE_PORT=7421
VOLUME /data
EXPOSE 7421
# A worker has no port; its process is watched by whoever started it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "process.env.REFILE_ROLE === 'worker' || fetch(`http://127.0.0.1:${process.env.REFILE_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The words of service/sandbox/process-settings.ts.
CMD ["node", "--max-semi-space-size=1", "--optimize-for-size", "dist/service/main.js"]
