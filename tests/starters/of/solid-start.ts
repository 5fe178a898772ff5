import type { Starter } from "../starter.js"

export const solidStart: Starter = {
  id: "solid-start",
  create: ["npx", "create-solid@0.12.0", "app", "--solidstart", "--v2", "--ts", "--template", "basic"],
  template: "solid-start",
  guide: { page: "solid-start", sections: ["", "Read the session", "Protect a page"] },
  basePath: "/api/auth",
  types: ["npx", "--package", "typescript@6.0.3", "tsc", "--noEmit", "--skipLibCheck"],
  build: ["npm", "run", "build"],
  start: ["env", "PORT={port}", "npm", "start"],
  dev: ["npm", "run", "dev", "--", "--port", "{port}", "--strictPort"],
  visit: { account: "/account", pages: true },
}
