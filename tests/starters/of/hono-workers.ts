import type { Starter } from "../starter.js"

const serve = ["npx", "wrangler", "dev", "--ip", "127.0.0.1", "--port", "{port}"] as const

export const honoWorkers: Starter = {
  id: "hono-workers",
  package: "hono",
  create: ["npx", "create-hono@0.19.5", "app", "--template", "cloudflare-workers", "--pm", "npm"],
  template: "hono-workers",
  guide: { page: "hono", sections: ["", "Cloudflare Workers"], except: [".env"] },
  init: null,
  basePath: "/auth",
  types: ["npx", "tsc", "--noEmit"],
  build: ["npx", "wrangler", "deploy", "--dry-run", "--minify"],
  start: [...serve, "--minify"],
  dev: serve,
  // Wrangler asks a host of Cloudflare where this machine is.
  instead: { CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false" },
  visit: { account: "/account", pages: false },
}
