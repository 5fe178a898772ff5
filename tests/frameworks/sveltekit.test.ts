import { ownSignInPage } from "./own-sign-in.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "sveltekit",
    name: "SvelteKit",
    major: 3,
    example: "sveltekit",
    build: [["vite", "build"]],
    start: ["node", "serve.mjs"],
    pages: true,
    client: true,
  },
  ownSignInPage,
)
