import type { Starter } from "../starter.js"

const server = `import express from "express"
{imports}

const app = express()
{additions}
app.get("/", (_req, res) => void res.send("Hello visitor"))
app.listen(3000)
`

export const express: Starter = {
  id: "express",
  create: ["mkdir", "app"],
  guide: { page: "express", sections: [""] },
  init: {
    except: ["auth.ts", "server.ts"],
    files: { "server.js": server },
    start: ["node", "--env-file=.env", "server.js"],
  },
  basePath: "/auth",
  start: ["node", "--env-file=.env", "server.ts"],
  visit: { account: "/account", pages: false },
}
