import { ownSignInPage } from "./own-sign-in.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "node",
    name: "node:http",
    major: 24,
    example: "node",
    start: ["node", "src/server.ts"],
    pages: false,
    client: false,
  },
  ownSignInPage,
)
