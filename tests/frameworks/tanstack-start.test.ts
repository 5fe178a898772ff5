import { frameworkSuite } from "./suite.js"

/** Otherwise, Nitro bundles the library for passkeys in an order in which it can't start. */
const viteConfig = `
import { tanstackStart } from "@tanstack/react-start/plugin/vite"
import react from "@vitejs/plugin-react"
import { nitro } from "nitro/vite"

export default { plugins: [tanstackStart(), nitro({ rolldownConfig: { output: { strictExecutionOrder: true } } }), react()] }
`

frameworkSuite({
  id: "tanstack-start",
  name: "TanStack Start",
  major: 1,
  versions: ["@tanstack/react-start", "nitro"],
  example: "tanstack-start",
  build: [["vite", "build"]],
  start: ["node", ".output/server/index.mjs"],
  files: { "vite.config.ts": viteConfig },
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
})
