import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "qwik",
    name: "Qwik",
    major: 1,
    versions: ["@builder.io/qwik", "vite"],
    example: "./apps/qwik",
    build: [
      ["vite", "build"],
      ["vite", "build", "--config", "vite.server.config.ts"],
    ],
    start: ["node", "server/entry.node-server.js"],
    ownServer:
      "Qwik reads the headers of a proxy from every request or from none, and never responds to some invalid hosts",
    files: {
      "src/routes/transfer/index.tsx": `import { component$ } from "@builder.io/qwik"
import { type RequestHandler } from "@builder.io/qwik-city"
import { requireSession, useSession } from "../plugin@auth"

export const onRequest: RequestHandler = async (ev) => {
  await requireSession(ev, { maxAge: "1h" })
}

export default component$(() => <p id="account">{useSession().value?.user?.email}</p>)
`,
      "src/routes/api/transfer/index.ts": `import type { RequestHandler } from "@builder.io/qwik-city"
import { requireSession, token } from "../../plugin@auth"

export const onGet: RequestHandler = async (ev) => {
  const { user } = await requireSession(ev, { maxAge: "1h" })
  const { problem } = await token(ev, "op")
  ev.json(200, { email: user?.email, problem })
}
`,
    },
    below: {
      files: {
        "vite.config.ts": `import { qwikCity } from "@builder.io/qwik-city/vite"
import { qwikVite } from "@builder.io/qwik/optimizer"

export default { base: "/docs/", plugins: [qwikCity({ basePathname: "/docs/", trailingSlash: false }), qwikVite()] }
`,
      },
    },
    script: { path: (path) => path.replace(/\/?(?=\?|$)/, "/q-data.json") },
    pages: true,
    client: false,
    except: { "urls.auth-url": "As with `@auth/qwik`, the path of the routes is in the configuration" },
  },
  stepUp,
)
