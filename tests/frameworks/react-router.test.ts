import { readFileSync } from "node:fs"
import { prerenderedPage } from "./prerendered.js"
import { stepUp } from "./step-up.js"
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
        ["prerendered.tsx", "transfer.tsx", "api.transfer.ts"]
          .map((file) => `\n  route("${file.replace(/\.tsx?$/, "").replace(".", "/")}", "routes/${file}"),`)
          .join(""),
      ),
      "app/routes/transfer.tsx": `import { auth } from "../auth.server"
import type { Route } from "./+types/transfer"

export async function loader(args: Route.LoaderArgs) {
  const { user } = await auth.requireSession(args, { maxAge: "1h" })
  return { email: user.email }
}

export default function Transfer({ loaderData: { email } }: Route.ComponentProps) {
  return <p id="account">{email}</p>
}
`,
      "app/routes/api.transfer.ts": `import { auth } from "../auth.server"
import type { Route } from "./+types/api.transfer"

export async function loader(args: Route.LoaderArgs) {
  const { user } = await auth.requireSession(args, { maxAge: "1h" })
  const { problem } = await auth.token(args, "op")
  return Response.json({ email: user.email, problem })
}
`,
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
  (served) => {
    prerenderedPage(served)
    stepUp(served)
  },
)
