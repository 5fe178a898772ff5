import { exampleOf } from "./guide.js"
import { prerenderedPage } from "./prerendered.js"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "astro",
    name: "Astro",
    major: 7,
    variant: "with `checkOrigin: false`",
    versions: ["astro", "@astrojs/node"],
    example: "astro",
    build: [["astro", "build"]],
    start: ["node", "dist/server/entry.mjs"],
    // Astro doesn't know its own host behind a proxy, and refuses forms then.
    files: {
      "src/middleware.ts": exampleOf("astro", "context.routePattern").replaceAll("/dashboard", "/admin"),
      "src/pages/admin.astro": '<p id="account">Admin</p>',
      "src/pages/transfer.astro": `---
import { auth } from "../auth"

const session = await auth.requireSession(Astro, { maxAge: "1h" })
if (session instanceof Response) return session
---

<p id="account">{session.user.email}</p>
`,
      "src/pages/api/transfer.ts": `import type { APIRoute } from "astro"
import { auth } from "../../auth"

export const GET: APIRoute = async (context) => {
  const session = await auth.requireSession(context, { maxAge: "1h" })
  if (session instanceof Response) return session
  const { problem } = await auth.token(context, "op")
  return Response.json({ email: session.user.email, problem })
}
`,
      "src/pages/prerendered.astro": `---
import { auth } from "../auth"

export const prerender = true
const session = await auth.getSession(Astro)
---

<p id="user">{session?.user.email ?? "Not signed in"}</p>
`,
      "astro.config.mjs": `import node from "@astrojs/node"
import { defineConfig } from "astro/config"

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  security: { checkOrigin: false },
})
`,
    },
    below: {
      files: {
        "astro.config.mjs": `import node from "@astrojs/node"
import { defineConfig } from "astro/config"

export default defineConfig({
  base: "/docs",
  output: "server",
  adapter: node({ mode: "standalone" }),
  security: { checkOrigin: false },
})
`,
      },
    },
    pages: true,
    client: true,
  },
  (served) => {
    prerenderedPage(served)
    stepUp(served)
  },
)
