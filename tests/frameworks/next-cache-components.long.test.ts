import { filesIn } from "./files.js"
import { frameworkSuite } from "./suite.js"

const fixed = "The path of the route file decides, which is part of the build"

frameworkSuite({
  id: "next-cache-components",
  name: "Next.js",
  major: 16,
  variant: "with Cache Components",
  versions: ["next", "react"],
  example: "./apps/next",
  build: [["next", "build"]],
  start: ["next", "start", "-H", "localhost"],
  options: {
    "auth.ts": ['authorized: ({ request, auth }) => auth !== null || request.nextUrl.pathname !== "/account"'],
  },
  files: filesIn("apps/next-cached"),
  basePath: "/api/auth",
  pages: true,
  client: true,
  except: {
    "urls.base-path": fixed,
    "urls.auth-url": fixed,
    "caching.csrf-token":
      "Only the Route Handler can set other headers than the cookie: it has to send `Cache-Control`",
    "protect.api-body": "`requireSession` responds without a body, because Next.js has no way to send one",
    "browser.no-scripts": "What is inside `<Suspense>` appears by a script of Next.js",
    "session.one-read": "The proxy and the render are separate programs, and each reads the session once",
  },
})
