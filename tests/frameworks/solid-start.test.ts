import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "solid-start",
  name: "SolidStart",
  major: 2,
  versions: ["@solidjs/start", "nitro"],
  example: "solid-start",
  build: [["vite", "build"]],
  start: ["node", ".output/server/index.mjs"],
  basePath: "/api/auth",
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
})
