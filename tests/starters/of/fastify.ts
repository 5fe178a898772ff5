import type { Starter } from "../starter.js"

const app = `import { join } from "node:path"
import AutoLoad from "@fastify/autoload"
import type { FastifyInstance } from "fastify"
{imports}

export default async function create(app: FastifyInstance): Promise<void> {
  {additions}
  app.register(AutoLoad, { dir: join(__dirname, "plugins") })
  app.register(AutoLoad, { dir: join(__dirname, "routes") })
}
`

export const fastify: Starter = {
  id: "fastify",
  create: ["npx", "--package", "fastify-cli@8.0.2", "fastify", "generate", "app", "--lang=ts"],
  guide: { page: "fastify", sections: ["", "With `fastify-cli`"], except: ["server.ts"] },
  init: { except: ["src/plugins/auth.ts", "src/routes/account/index.ts"], files: { "src/app.ts": app } },
  basePath: "/auth",
  // `npm run build:ts` of this version fails without Latchkey too: TypeScript 6 asks for `rootDir`.
  build: ["npx", "tsc", "--rootDir", "src"],
  start: ["npx", "fastify", "start", "-l", "info", "--port", "{port}", "dist/app.js"],
  visit: { account: "/account", pages: false },
}
