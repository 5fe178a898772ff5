import { frameworkSuite } from "./suite.js"

const fixed = "The path of the route file decides, which is part of the build"

frameworkSuite({
  id: "next-15",
  name: "Next.js",
  major: 15,
  versions: ["next", "react"],
  example: "./apps/next",
  build: [["next", "build"]],
  start: ["next", "start", "-H", "localhost"],
  files: {
    "next.config.mjs": `export default {
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@latchkey/sql"], eslint: { ignoreDuringBuilds: true },
}`,
  },
  packages: {
    next: "../../next/with-15/node_modules/next",
    react: "../../next/with-15/node_modules/react",
    "react-dom": "../../next/with-15/node_modules/react-dom",
  },
  basePath: "/api/auth",
  pages: true,
  client: true,
  except: {
    "urls.base-path": fixed,
    "urls.auth-url": fixed,
    "caching.csrf-token":
      "Only the Route Handler can set other headers than the cookie: it has to send `Cache-Control`",
    "protect.api-body": "`requireSession` responds without a body, because Next.js has no way to send one",
    "session.renewal": "Pages can't set cookies, and the middleware runs on the edge, without the SQLite of the suite",
  },
})
