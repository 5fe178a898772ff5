import { readFileSync } from "node:fs"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

const auth = readFileSync(new URL("../../examples/solid-start/src/auth.ts", import.meta.url), "utf8")

frameworkSuite(
  {
    id: "solid-start",
    name: "SolidStart",
    major: 2,
    versions: ["@solidjs/start", "nitro"],
    example: "solid-start",
    build: [["vite", "build"]],
    start: ["node", ".output/server/index.mjs"],
    basePath: "/api/auth",
    files: {
      "src/auth.ts": auth.replace("csrfToken }", "csrfToken, token }"),
      "src/routes/transfer.tsx": `import { createAsync, query, useLocation } from "@solidjs/router"
import { Show } from "solid-js"
import { requireSession } from "~/auth"

const getRecent = query(async (page: string) => {
  "use server"
  const { user } = await requireSession({ redirectTo: page, maxAge: "1h" })
  return user
}, "recent")

export default function Transfer() {
  const { pathname, search } = useLocation()
  const account = createAsync(() => getRecent(pathname + search), { deferStream: true })
  return <Show when={account()}>{(user) => <p id="account">{user().email}</p>}</Show>
}
`,
      "src/routes/api/transfer.ts": `import { requireSession, token } from "~/auth"

export async function GET() {
  const { user } = await requireSession({ maxAge: "1h" })
  const { problem } = await token("op")
  return Response.json({ email: user.email, problem })
}
`,
    },
    below: {
      files: {
        "vite.config.ts": `import { solidStart } from "@solidjs/start/config"
import { nitro } from "nitro/vite"

export default {
  base: "/docs/",
  plugins: [
    solidStart({ middleware: "./src/middleware.ts" }),
    nitro({ baseURL: "/docs/", rolldownConfig: { output: { strictExecutionOrder: true } } }),
  ],
}
`,
        "src/app.tsx": `import { Router } from "@solidjs/router"
import { FileRoutes } from "@solidjs/start/router"
import { Suspense } from "solid-js"

export default function App() {
  return (
    <Router base="/docs" root={(props) => <Suspense>{props.children}</Suspense>}>
      <FileRoutes />
    </Router>
  )
}
`,
      },
      options: { "src/app.tsx": ['base="/docs"'] },
    },
    pages: true,
    client: true,
  },
  stepUp,
)
