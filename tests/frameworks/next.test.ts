import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

const fixed = "The path of the route file decides, which is part of the build"

frameworkSuite(
  {
    id: "next",
    name: "Next.js",
    major: 16,
    versions: ["next", "react"],
    example: "./apps/next",
    build: [["next", "build"]],
    start: ["next", "start", "-H", "localhost"],
    basePath: "/api/auth",
    below: {
      files: {
        "next.config.mjs": `export default {
  basePath: "/docs",
  turbopack: { root: "/" },
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@latchkey/sql"],
}
`,
      },
    },
    pages: true,
    client: true,
    except: {
      "urls.base-path": fixed,
      "urls.auth-url": fixed,
      "caching.csrf-token":
        "Only the Route Handler can set other headers than the cookie: it has to send `Cache-Control`",
      "protect.api-body": "`requireSession` responds without a body, because Next.js has no way to send one",
      "session.one-read": "The proxy and the render are separate programs, and each reads the session once",
    },
  },
  stepUp,
)
