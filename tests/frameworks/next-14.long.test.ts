import { frameworkSuite } from "./suite.js"

const fixed = "The path of the route file decides, which is part of the build"

frameworkSuite({
  id: "next-14",
  name: "Next.js",
  major: 14,
  versions: ["next", "react"],
  example: "./apps/next",
  build: [["next", "build"]],
  start: ["next", "start", "-H", "localhost"],
  files: {
    "next.config.mjs": `export default {
  typescript: { ignoreBuildErrors: true },
  experimental: { serverComponentsExternalPackages: ["@latchkey/sql"] }, eslint: { ignoreDuringBuilds: true },
}`,
  },
  packages: {
    next: "../../next/with-14/node_modules/next",
    react: "../../next/with-14/node_modules/react",
    "react-dom": "../../next/with-14/node_modules/react-dom",
  },
  basePath: "/api/auth",
  pages: true,
  client: true,
  except: {
    "urls.base-path": fixed,
    "urls.auth-url": fixed,
    "protect.api": "In a Route Handler, Next.js 14 can only redirect",
    "caching.csrf-token":
      "Only the Route Handler can set other headers than the cookie: it has to send `Cache-Control`",
    "protect.api-body": "In a Route Handler, Next.js 14 can only redirect",
    "session.renewal": "Pages can't set cookies, and the middleware runs on the edge, without the SQLite of the suite",
  },
})
