import { frameworkSuite } from "./suite.js"

/** What version 8 does without flags, and the origin of forms that a proxy forwards. */
const config = `export default {
  future: { v8_middleware: true, v8_passThroughRequests: true },
  allowedActionOrigins: ["shop.test"],
}
`

frameworkSuite({
  id: "react-router-7",
  name: "React Router",
  major: 7,
  versions: ["react-router", "@react-router/serve"],
  example: "react-router",
  build: [["node", "node_modules/@react-router/dev/bin.js", "build"]],
  start: ["node", "node_modules/@react-router/serve/bin.js", "build/server/index.js"],
  files: { "react-router.config.ts": config },
  packages: {
    "react-router": "react-router",
    "@react-router/dev": "@react-router/dev",
    "@react-router/node": "@react-router/node",
    "@react-router/serve": "@react-router/serve",
  },
  script: { path: (path) => path.replace(/^\/(?=\?|$)/, "/_root").replace(/(?=\?|$)/, ".data") },
  pages: true,
  client: true,
})
