import { readFileSync } from "node:fs"
import { prerenderedPage } from "./prerendered.js"
import { frameworkSuite } from "./suite.js"

const routes = readFileSync(new URL("../../examples/react-router/app/routes.ts", import.meta.url), "utf8")

frameworkSuite(
  {
    id: "react-router",
    name: "React Router",
    major: 8,
    versions: ["react-router", "@react-router/serve"],
    example: "react-router",
    build: [["react-router", "build"]],
    start: ["react-router-serve", "build/server/index.js"],
    // The server doesn't read the headers of proxies, so it has to know the origins of forms.
    files: {
      "react-router.config.ts": 'export default { allowedActionOrigins: ["shop.test"], prerender: ["/prerendered"] }\n',
      "app/routes.ts": routes.replace(
        /(?=\n {2}route\("account")/,
        '\n  route("prerendered", "routes/prerendered.tsx"),',
      ),
      "app/routes/prerendered.tsx": `import { auth } from "../auth.server"
import type { Route } from "./+types/prerendered"

export const loader = async (args: Route.LoaderArgs) => ({ email: (await auth.getSession(args))?.user.email })

export default function Prerendered({ loaderData: { email } }: Route.ComponentProps) {
  return <p id="user">{email ?? "Not signed in"}</p>
}
`,
    },
    below: {
      files: {
        "vite.config.ts": `import { reactRouter } from "@react-router/dev/vite"\n\nexport default { base: "/docs/", plugins: [reactRouter()] }\n`,
        "react-router.config.ts": 'export default { basename: "/docs" }\n',
      },
    },
    script: { path: (path) => path.replace(/^\/(?=\?|$)/, "/_root").replace(/(?=\?|$)/, ".data") },
    pages: true,
    client: true,
  },
  prerenderedPage,
)
