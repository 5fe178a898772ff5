import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

/** Otherwise, Nitro bundles the library for passkeys in an order in which it can't start. */
const viteConfig = `
import { tanstackStart } from "@tanstack/react-start/plugin/vite"
import react from "@vitejs/plugin-react"
import { nitro } from "nitro/vite"

export default { plugins: [tanstackStart(), nitro({ rolldownConfig: { output: { strictExecutionOrder: true } } }), react()] }
`

frameworkSuite(
  {
    id: "tanstack-start",
    name: "TanStack Start",
    major: 1,
    versions: ["@tanstack/react-start", "nitro"],
    example: "tanstack-start",
    build: [["vite", "build"]],
    start: ["node", ".output/server/index.mjs"],
    files: {
      "vite.config.ts": viteConfig,
      "src/routes/transfer.tsx": `import { createFileRoute } from "@tanstack/react-router"
import { createServerFn } from "@tanstack/react-start"
import { auth } from "../auth.server"

const requireRecent = createServerFn()
  .validator((page: string) => page)
  .handler(({ data }) => auth.requireSession({ callbackUrl: data, maxAge: "1h" }))

export const Route = createFileRoute("/transfer")({
  beforeLoad: async ({ location }) => ({ session: await requireRecent({ data: location.publicHref }) }),
  loader: ({ context: { session } }) => ({ email: session.user.email }),
  component: Transfer,
})

function Transfer() {
  return <p id="account">{Route.useLoaderData().email}</p>
}
`,
      "src/routes/api/transfer.ts": `import { createFileRoute } from "@tanstack/react-router"
import { auth } from "../../auth.server"

export const Route = createFileRoute("/api/transfer")({
  server: {
    handlers: {
      async GET() {
        const { user } = await auth.requireSession({ maxAge: "1h" })
        const { problem } = await auth.token("op")
        return Response.json({ email: user.email, problem })
      },
    },
  },
})
`,
    },
    below: {
      files: {
        "vite.config.ts": viteConfig.replace("plugins:", 'base: "/docs/", plugins:'),
        "src/router.tsx": `import { createRouter } from "@tanstack/react-router"
import { routeTree } from "./routeTree.gen"

export function getRouter() {
  return createRouter({ routeTree, basepath: "/docs" })
}
`,
      },
      options: { "src/router.tsx": ['basepath: "/docs"'] },
    },
    pages: true,
    client: true,
  },
  stepUp,
)
