import type { Starter } from "../starter.js"

export const elysia: Starter = {
  id: "elysia",
  create: ["npx", "bun@1.4.5", "create", "elysia", "app"],
  template: "elysia",
  guide: { page: "elysia", sections: [""], except: ["src/node.ts"] },
  basePath: "/auth",
  types: ["npx", "--package", "typescript@6.0.3", "tsc", "--noEmit"],
  start: ["npx", "bun@1.4.5", "run", "src/index.ts"],
  visit: { account: "/account", pages: false },
}
