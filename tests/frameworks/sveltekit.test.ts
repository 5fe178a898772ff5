import { exampleOf } from "./guide.js"
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
    files: {
      "src/hooks.server.ts": exampleOf("sveltekit", "event.route.id"),
      "src/routes/admin/+page.svelte": '<p id="account">Admin</p>',
    },
    below: {
      files: {
        "vite.config.ts": `import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"

export default { plugins: [sveltekit({ adapter: adapter(), paths: { base: "/docs" } })] }
`,
      },
    },
    pages: true,
    client: true,
  },
  ownSignInPage,
)
