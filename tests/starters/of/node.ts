import type { Starter } from "../starter.js"

export const node: Starter = {
  id: "node",
  create: ["mkdir", "app"],
  guide: { page: "node", sections: [""] },
  init: {
    args: ["node"],
    except: ["auth.ts", "server.ts"],
    files: { "server.js": "{imports}\n{additions}\n" },
    start: ["node", "--env-file=.env", "server.js"],
  },
  basePath: "/auth",
  start: ["node", "--env-file=.env", "server.ts"],
  visit: { account: "/", pages: false },
}
