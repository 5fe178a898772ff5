import type { Starter } from "../starter.js"

const index = `import { Elysia } from "elysia"
{imports}

const app = new Elysia()
{additions}
app.get("/", () => "Hello visitor").listen(3000)
`

export const elysia: Starter = {
  id: "elysia",
  create: ["npx", "bun@1.4.5", "create", "elysia", "app"],
  template: "elysia",
  guide: { page: "elysia", sections: [""], except: ["src/node.ts"] },
  init: { except: ["src/index.ts"], files: { "src/index.ts": index } },
  basePath: "/auth",
  types: ["npx", "--package", "typescript@6.0.3", "tsc", "--noEmit"],
  start: ["npx", "bun@1.4.5", "run", "src/index.ts"],
  visit: { account: "/account", pages: false },
}
