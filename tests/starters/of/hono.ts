import type { Starter } from "../starter.js"

export const hono: Starter = {
  id: "hono",
  create: ["npx", "create-hono@0.19.5", "app", "--template", "nodejs", "--pm", "npm"],
  template: "hono",
  guide: { page: "hono", sections: [""] },
  basePath: "/auth",
  build: ["npm", "run", "build"],
  start: ["npm", "start"],
  dev: ["npx", "tsx", "--env-file=.env", "src/index.ts"],
  visit: { account: "/account", pages: false },
}
